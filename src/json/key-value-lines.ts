import { readTolerant } from './read-json.ts';

import { balance } from './tolerant/chars.ts';
import { pastedFault } from './tolerant/rules/escape-rules.ts';
import { isExpression } from './tolerant/rules/word-rules.ts';
import { readScalar } from './tolerant/scalars.ts';
import type { JsonObject, JsonValue } from './value.ts';

const most = 20_000;
const keyAtStart = /(^|[\n,;]|[ \t])[ \t]*(["'`]?)([\p{L}_][\p{L}\p{N}_.-]*)\2[ \t]*[:=][ \t]?/gu;

/**
 * Reads `key: value` and `key=value` lines, one key each, and the attributes of an element. The text must start with a
 * key. Returns undefined for other text, or if a key is repeated.
 *
 * @param isKey whether a word is a key
 * @param isElement whether the attributes of an element can be the keys
 * @param isText whether a key only accepts text
 */
export function readKeyValueLines(
  text: string,
  isKey: (key: string) => boolean,
  isElement: (name: string) => boolean = () => false,
  isText: (key: string) => boolean = () => false,
): JsonObject | undefined {
  if (text.length > most) return undefined;
  let inElement = false;
  const source = text
    .trim()
    .replace(/^```\w*\n(?:(.*)\n[ \t]*```|((?:(?!```).)*))$/s, (_, whole, open) => whole ?? open)
    .replace(/^<([\w.-]+)\s([^<>&\\]+?)\/?(?<![^"'\s]\/)>(?:<\/\1>)?$/, (all, name, inside) => {
      inElement = isElement(name);
      return inElement ? inside : all;
    })
    .trim();
  // White space after the last value may belong to it if nothing was removed around the text.
  const edge = text.trim() === source ? text.slice(text.trimEnd().length) : '';
  const byLine = [...source.matchAll(keyAtStart)].some(([, before, , key]) => before === '\n' && isKey(key as string));
  const found: { key: string; from: number; to: number }[] = [];
  for (const match of source.matchAll(keyAtStart)) {
    const key = match[3] as string;
    const from = match.index + match[0].length;
    const inLine = match[1] !== '' && match[1] !== '\n';
    if (inLine && byLine) continue; // if keys are on separate lines, a key within a line is text
    if (isKey(key)) found.push({ key, from, to: match.index });
    // An unknown key on its own line, or two keys on one, of which the second may be part of the text.
    if (inLine ? isKey(key) && !inElement : !isKey(key)) return undefined;
  }
  if (found[0]?.to !== 0) return undefined;
  // A key with its own line is text within other lines.
  const isOther = (key: string) => isKey(key) && !found.some((one) => one.key === key);
  const object: JsonObject = {};
  for (const [i, { key, from }] of found.entries()) {
    if (Object.hasOwn(object, key) || key === '__proto__') return undefined;
    const last = i === found.length - 1;
    const written = last ? source.slice(from) + edge : source.slice(from, found[i + 1]?.to);
    if (isKey(saysKey.exec(written)?.[2] ?? '')) return undefined;
    const value = readValue(written, isText(key));
    if (value === undefined || (typeof value === 'string' && joinsMore(written, isOther))) return undefined;
    // What looks like the next attribute may be part of a text.
    if (inElement && !/^\s*["'[{]|^[^\s,;]+\s*$/.test(written)) return undefined;
    object[key] = value;
  }
  return object;
}

/** A key again at the start of its value (`path=path=a`): a repetition, or part of the text? */
const saysKey = /^\s*(["'`]?)([\p{L}_][\p{L}\p{N}_.-]{0,128})\1[ \t]*[:=]/u;

/** `a=1&b=2`, `a=1|b=2`, `a: 1, b: 2` within a line: other separators, or part of the text? */
function joinsMore(written: string, isKey: (key: string) => boolean): boolean {
  if (/^\s*["'`“]/.test(written)) return false;
  return [...written.matchAll(/(?:^|[\s&|,;({]|\\[nrt])["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,128})["'`]?\s*[:=]/gu)].some(
    ([, key]) => isKey(key as string),
  );
}

/** An unpaired quote, an unmatched bracket, or a possible comment: is it part of the text? */
const hasStray = (text: string): boolean =>
  /\s(?:#|\/\/)\s/.test(text) || (text.match(/"/g)?.length ?? 0) % 2 === 1 || balance(text) < 0;

/** Text without quotes stays text, and the schema decides about its type. Quotes and brackets are parsed. */
function readValue(written: string, isText: boolean): JsonValue | undefined {
  const line = written.trim();
  const text = line.replace(/[,;]$/, '').trim();
  if (text === '') return undefined;
  // A separator at the end of a text may belong to it.
  if (!(isText ? /^["'{]/ : /^["'[{(]/).test(text)) {
    const indented = /^\s|\n[ \t]*$|[ \t]$/.test(written) && !/^\S+$/.test(text);
    // Quotes other than JSON's or Python's, the start of a block, and null for a text have two readings too.
    const unsure =
      indented ||
      isExpression(text) ||
      /^[＂«„»“`|]|^[[(].*["'`{]|\{\}$|\n/.test(text) ||
      (isText && readScalar(text)?.value === null) ||
      (text !== line && !readScalar(text)) ||
      hasStray(text);
    return unsure ? undefined : text;
  }
  const { value, problems, repairs } = readTolerant(text, { damaged: true });
  if (problems.length || repairs.some((repair) => repair.kind === 'prose' || repair.certainty !== 'lossless'))
    return undefined;
  if (typeof value !== 'string' || value === text.slice(1, -1)) return value;
  // Outside JSON, escapes in single quotes, and those that look like a path, may be text.
  return text.startsWith("'") || pastedFault(value) ? undefined : value;
}
