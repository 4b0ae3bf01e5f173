import { readTolerant } from './read-json.ts';
import { readScalar } from './tolerant/scalars.ts';
import type { JsonObject, JsonValue } from './value.ts';

const most = 20_000;
const keyAtStart = /(^|[\n,;]|[ \t])[ \t]*(?:[-*•][ \t]+)?(["'`]?)([\p{L}_][\p{L}\p{N}_.-]*)\2[ \t]*[:=][ \t]?/gu;

/**
 * Reads `key: value` and `key=value`, a line each or in one line. Only what `isKey` knows is a key, and the text must
 * begin with one; undefined where it is no such text, or says a key twice. `isElement` knows the elements whose attributes
 * may be the keys, `isText` the keys that take text and nothing else.
 */
export function readKeyValueLines(
  text: string,
  isKey: (key: string) => boolean,
  isElement: (name: string) => boolean = () => false,
  isText: (key: string) => boolean = () => false,
): JsonObject | undefined {
  if (text.length > most) return undefined;
  const source = text
    .trim()
    .replace(/^```\w*\n(?:(.*)\n[ \t]*```|((?:(?!```).)*))$/s, (_, whole, open) => whole ?? open)
    .replace(/^<([\w.-]+)\s([^<>&\\]+?)\/?(?<![^"'\s]\/)>(?:<\/\1>)?$/, (all, name, inside) =>
      isElement(name) ? inside : all,
    )
    .trim();
  // What stands behind the last value, where nothing was taken off, may be its own.
  const edge = text.trim() === source ? text.slice(text.trimEnd().length) : '';
  const byLine =
    [...source.matchAll(keyAtStart)].filter(([, before, , key]) => before === '\n' && isKey(key as string)).length > 0;
  let inOneLine = false;
  const found: { key: string; from: number; to: number }[] = [];
  for (const match of source.matchAll(keyAtStart)) {
    const key = match[3] as string;
    const from = match.index + match[0].length;
    const inLine = match[1] !== '' && match[1] !== '\n';
    if (inLine && byLine) continue; // where lines part the keys, a key in mid-line is text
    if (isKey(key)) found.push({ key, from, to: match.index });
    if (inLine && isKey(key)) inOneLine = true;
    if (!isKey(key) && !inLine) return undefined; // a line of its own with a key nobody knows
  }
  if (found[0]?.to !== 0) return undefined;
  // A key that has a line of its own is text in the lines of others.
  const isOther = (key: string) => isKey(key) && !found.some((one) => one.key === key);
  const object: JsonObject = {};
  for (const [i, { key, from }] of found.entries()) {
    if (Object.hasOwn(object, key) || key === '__proto__') return undefined;
    const last = i === found.length - 1;
    const written = last ? source.slice(from) + edge : source.slice(from, found[i + 1]?.to);
    if (isKey(saysKey.exec(written)?.[2] ?? '')) return undefined;
    const value = readValue(written, isText(key));
    if (value === undefined || (typeof value === 'string' && joinsMore(written, isOther))) return undefined;
    // In one line, what reads as the next key may stand in words.
    if (inOneLine && typeof value === 'string' && /[\s,;]/.test(value) && !/^\s*["']/.test(written)) return undefined;
    object[key] = value;
  }
  return object;
}

/** A key again where the value should begin (`path=path=a`): written twice, or a part of the text? */
const saysKey = /^\s*(["'`]?)([\p{L}_][\p{L}\p{N}_.-]{0,128})\1[ \t]*[:=]/u;

/** `a=1&b=2`, `a=1|b=2`, `a: 1, b: 2` on a line of its own: another way to part keys, or a part of the text? */
function joinsMore(written: string, isKey: (key: string) => boolean): boolean {
  if (/^\s*["'`“]/.test(written)) return false;
  return [...written.matchAll(/(?:^|[\s&|,;({]|\\[nrt])["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,128})["'`]?\s*[:=]/gu)].some(
    ([, key]) => isKey(key as string),
  );
}

/** A quote without a partner, a bracket that closes nothing, or what may be a comment: is it a part of the text? */
function hasStray(text: string): boolean {
  if (/\s(?:#|\/\/)\s/.test(text) || (text.match(/"/g)?.length ?? 0) % 2 === 1) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    depth += '{['.includes(bracket) ? 1 : -1;
    if (depth < 0) return true;
  }
  return false;
}

/** Text without quotes stays text, for the schema to give it a type; quotes and brackets are read. */
function readValue(written: string, isText: boolean): JsonValue | undefined {
  const line = written.trim();
  const text = line.replace(/[,;]$/, '').trim();
  if (text === '') return undefined;
  // A sign at the end of words may part the lines or belong to the words.
  if (!(isText ? /^["'{]/ : /^["'[{(]/).test(text)) {
    const indented = /^\s|\n[ \t]*$|[ \t]$/.test(written) && !/^\S+$/.test(text);
    // A backslash has two readings; so has a quote that is not JSON's or Python's, which lines do not know.
    const unsure =
      indented ||
      /^[＂«„»“`]|^[[(].*["'`{]|\\|\{\}$/.test(text) ||
      /\n/.test(text) ||
      (text !== line && !readScalar(text)) ||
      hasStray(text);
    return unsure ? undefined : text;
  }
  const { value, problems, repairs } = readTolerant(text);
  if (problems.length || repairs.some((repair) => repair.kind === 'prose' || repair.certainty !== 'lossless'))
    return undefined;
  // In single quotes lines may have escapes, or none.
  return text.startsWith("'") && value !== text.slice(1, -1) ? undefined : value;
}
