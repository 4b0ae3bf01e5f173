import type { Reading } from '../json/reading.ts';
import { callTag } from '../json/tolerant/call-markup.ts';
import { foldKey } from '../schema/coerce/fold-key.ts';
import { declaredKeys } from '../schema/coerce/layout.ts';
import { changesWhatHappens } from '../schema/coerce/objects.ts';
import type { JsonSchema } from '../schema/types.ts';

/** Matches a tag or attribute at the end of the text before the object. */
const endsInTag = /[<='"]\s*([\w.-]+)["']?\s*>\s*$/;
/** A sentence about one key (`The content should be:`). */
const saysOfKey =
  /([\p{L}_][\p{L}\p{N}_-]{0,128})["'`*]{0,3}\s+(?:(?:should|must|will|would|shall|has to|needs to)\s+)?(?:be|is|are|contains?|holds?|looks? like)\b[^\n.:]{0,40}:\s*$/iu;
const keyInText =
  /(?:^|[\s,;&|{(*-])["'`*]{0,3}([\p{L}_][\p{L}\p{N}_.-]{0,128})["'`*]{0,3}\s*[:=：]|(?:<(?:\w+\s*=|\w+\s+name\s*=)?\s*["']?|--)([\p{L}_][\p{L}\p{N}_.-]{0,128})/gu;

/**
 * Whether the text around the value names a declared key. Then it isn't prose, and the value is only a part. With
 * `call`, any word can name one.
 */
export function isPart({ lead = '', tail = '' }: Reading, schema: JsonSchema | undefined, call: boolean): boolean {
  if (!schema) return false;
  const keys = new Set([...declaredKeys(schema)].map((key) => key.toLowerCase()));
  const named = (key: string | undefined) => key !== undefined && keys.has(key.toLowerCase());
  if ([endsInTag, saysOfKey].some((form) => named(form.exec(lead.slice(-200))?.[1]))) return true;
  const texts = [lead, tail].map((text) => text.replace(callTag, ' ').replace(specialToken, ' '));
  if (call) return texts.some((text) => namesKey(text, keys));
  return [texts[0]?.slice(-2000), texts[1]?.slice(0, 2000)].some((text) =>
    [...(text ?? '').matchAll(keyInText)].some(([, key, tag]) => named(key ?? tag)),
  );
}

/** A special token with bars of any width (`<｜tool▁call▁end｜>`). */
const specialToken = /<[|｜][^<>|｜]{1,64}[|｜]>/g;

/** Whether a word of the text, or several in a row (`file path`), is a key. Ignores `a` and `I`. */
function namesKey(text: string, keys: ReadonlySet<string>): boolean {
  const wanted = new Set([...keys].map(foldKey).filter((key) => !['', 'a', 'i'].includes(key)));
  const words = (text.match(/[\p{L}\p{N}_-]+/gu) ?? []).map(foldKey);
  return words.some((_, i) => [1, 2, 3].some((n) => wanted.has(words.slice(i, i + n).join(''))));
}

/** A single word that introduces a call's arguments. */
const opener =
  /^(?:(?:tool|function)(?:_calls?)?|call|arg(?:ument)?s|param(?:eter)?s|input|json|answer|output|action|sure|ok(?:ay)?|yes|here)$/i;
const oneWord = /(?:^|\n)[^\p{L}\p{N}\n]*([\p{L}\p{N}_.-]+)["'`*]*[ \t]*[:：][*_]*$/u;

/** A phrase in a script without spaces between words (Thai, Chinese, Japanese, Korean). */
const longScript = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]{5}/u;
/** Formatting, closing tags, times and a signature. */
const markup =
  /<(?:\/[\w.-]+|[biup]|em|strong|code|br|\w+_of_\w+)>|\p{Cc}\[[\d;]*m|[=`]{3,}|\bto=|\d{4}-\d\d-\d\dT\S+|\n(?:-- |[\p{L} ]+ regards,)\n[\p{L}\s.<>@]+$/gu;
/** Signs around the words of a line. */
const signs =
  /^(?:[\s\p{Extended_Pictographic}\p{M}\p{Cf}.!…,;:()*~#/–—•]|->?)+|[\s\p{Extended_Pictographic}\p{M}\p{Cf}*~)]+$/gu;
/** Words that close or open a text without saying more. */
const closing = /^(?:done|okay|ok|thanks|and that is all|it's done|see|and|end|json|commentary|model)?[.!…,;:]*$/i;
/** The label of a remark. */
const remark = /^(?:notes?|p\.?s|tip|warning|important|sources?|hinweis|nota|注意?)\.?[:：][\s*]*/iu;
/** A sentence that neither takes the call back nor holds a value. */
const sentence =
  /^(?!(?:wait|hm+|oops|actually|scratch|on second|no(?=[,.!])|cancel|not|never|stop|do(?: not|n['’]t)|only|unless|until|nicht|nur|nunca|jamais|if (?!you))\b|.*\b(?:true|false|null|dry.?run)\b)\p{L}(?:[\p{L}\p{M}\p{N}_\s,;.!…'’(){}[\]，。！、–—]|\b-\b|- )*[:：]?$/iu;

/** Returns the first line around the object that is not prose, and so may be a parameter. */
export function besides({ lead = '', tail = '' }: Reading, names: readonly string[]): string | undefined {
  const said = lead.trimEnd();
  const [label = '', word] = oneWord.exec(said.slice(-200)) ?? [];
  if (word && !opener.test(word) && !names.includes(word) && !longScript.test(word)) return label.trim();
  const proseOf = (text: string) =>
    text
      .replace(specialToken, '\n')
      .replace(/<?\bhttps?:\/\/[^\s<>]+>?|"\p{L}+(?: \p{L}+)+"/giu, 'it')
      .replace(/[`"]?([\w.:-]+)[`"]?(?!\s*=)/g, (all, word) =>
        names.includes(word.replace(/^(?:functions|tools|default_api)\.|(?<=^functions\..+):\d+$/g, '')) ? '' : all,
      )
      .replace(markup, '');
  const before = proseOf(said.slice(0, said.length - label.length));
  const isTag = before.replace(callTag, '').trim() === '';
  return (
    (isTag ? undefined : before.split('\n').find((line) => !isProse(line, true))) ??
    proseOf(tail)
      .split('\n')
      .find((line) => !isProse(line, false))
  )?.trim();
}

/** Whether a line is prose: signs, a word that closes, a remark or a sentence, which has a capital behind the object. */
function isProse(line: string, leads: boolean): boolean {
  const all = line.replace(signs, '');
  if (closing.test(all)) return true;
  const text = all.replace(remark, '');
  if (!sentence.test(text) || !(leads || text !== all || /^[\p{Lu}\p{Lo}]|^\p{L}+[.!…)]*$/u.test(text))) return false;
  const { length } = text.match(/\p{Lo}{2}|[\p{L}\p{N}'’-]+/gu) ?? [];
  const ends = /[.!…。！)]\s*$/.test(line);
  return text !== all || length > 2 || ((ends || (leads && length > 1)) && !changesWhatHappens(text));
}
