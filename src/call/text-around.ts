/** What stands around the object that was found in a call's arguments: is the object all there is, or a part of it? */
import type { Reading } from '../json/reading.ts';
import { callTag } from '../json/verdict.ts';
import { declaredKeys } from '../schema/coerce/layout.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

const endsInTag = /(?:name\s*=\s*["']?([\w.-]+)["']?\s*>|<([\w.-]+)>)\s*$/u;
/** A sentence that says of one key what it is (`The content should be:`). */
const saysOfKey =
  /([\p{L}_][\p{L}\p{N}_-]{0,128})["'`*]{0,3}\s+(?:(?:should|must|will|would|shall|has to|needs to)\s+)?(?:be|is|are|contains?|holds?|looks? like)\b[^\n.:]{0,40}:\s*$/iu;
const keyInText =
  /(?:^|[\s,;&|{(*-])["'`*]{0,3}([\p{L}_][\p{L}\p{N}_.-]{0,128})["'`*]{0,3}\s*[:=：]|(?:<(?:\w+\s*=|\w+\s+name\s*=)?\s*["']?|--)([\p{L}_][\p{L}\p{N}_.-]{0,128})/gu;

/**
 * Does the text around the value name a key that the schema declares? Then it is no prose, and the value a part of the whole.
 * Around a call's arguments (`call`) any word may name one.
 */
export function isPart({ lead = '', tail = '' }: Reading, schema: JsonSchema | undefined, call: boolean): boolean {
  if (schema === undefined || (lead === '' && tail === '')) return false;
  const keys = new Set([...declaredKeys(schema)].map((key) => key.toLowerCase()));
  const named = (key: string | undefined) => key !== undefined && keys.has(key.toLowerCase());
  const before = endsInTag.exec(lead.slice(-200));
  if (named(before?.[1] ?? before?.[2])) return true;
  if (named(saysOfKey.exec(lead.slice(-200))?.[1])) return true;
  const texts = [lead, tail].map((text) => text.replace(callTag, ' ').replace(specialToken, ' '));
  if (call) return texts.some((text) => namesKey(text, keys));
  return [texts[0]?.slice(-2000), texts[1]?.slice(0, 2000)].some((text) =>
    [...(text ?? '').matchAll(keyInText)].some(([, key, tag]) => named(key ?? tag)),
  );
}

/** A special token with bars of any width (`<｜tool▁call▁end｜>`). */
const specialToken = /<[|｜][^<>|｜]{1,64}[|｜]>/g;

const folded = (text: string): string => text.toLowerCase().replace(/[_-]/g, '');

/** Is a word of the text, or a few in a row (`file path`), one of the keys? `a` and `I` are words of every text. */
function namesKey(text: string, keys: ReadonlySet<string>): boolean {
  const wanted = new Set([...keys].map(folded).filter((key) => !['', 'a', 'i'].includes(key)));
  const words = (text.match(/[\p{L}\p{N}_-]+/gu) ?? []).map(folded);
  return words.some((word, i) => [1, 2, 3].some((n) => wanted.has(n === 1 ? word : words.slice(i, i + n).join(''))));
}

const opened = /<([\p{L}_][\w.-]*)(?:[\s=][^<>]*)?>/gu;

/** Is the value inside a tag that stands in other text, or in an element with more in it than the value? */
export function isInTag({ lead = '', tail = '' }: Reading): boolean {
  const said = lead.replace(callTag, '').trim();
  if (said === '') return false;
  if (/<[\p{L}_][^<>]*>\s*$/u.test(lead.slice(-500))) return true;
  const closed = new Set([...tail.slice(0, 4000).matchAll(/<\/([\p{L}_][\w.-]*)>/gu)].map(([, name]) => name));
  return closed.size > 0 && [...said.slice(-4000).matchAll(opened)].some(([, name]) => closed.has(name));
}
