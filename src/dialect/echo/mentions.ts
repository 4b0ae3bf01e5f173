import { isObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { parseCalls, wrapperKeys } from '../call/call-shape.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { readPythonCall } from '../python/parse-call.ts';
import { canonical, canonicalArguments, foldKey } from './canonical.ts';
import { endOf, objectAt, readLoosely } from './object-at.ts';
import { endOfNumber, endOfWords, holdsPairs } from './pairs.ts';
import { holdsRow } from './table-rows.ts';

/** A call to search for in texts. */
export interface Sought {
  readonly names: RegExp;
  /** Matches its name also inside words, because an escape before it may end in a letter. */
  readonly hint: RegExp;
  /** Its arguments in canonical form: as written, and as mended. */
  readonly wanted: ReadonlySet<string>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly schema: JsonSchema | undefined;
  /** The keys that an object equal to the arguments may start with; none if there are no arguments. */
  readonly keys: ReadonlySet<string>;
  /** The longest words of its arguments. Text with none of them doesn't contain it. */
  readonly words: readonly string[];
  /** How far it may extend around its name. */
  readonly reach: number;
}

/** Maximum number of characters to search for one call. Beyond it, the texts count as containing it. */
const mostWork = 12_000_000;

export const soughtCall = (
  names: readonly string[],
  given: readonly unknown[],
  schema: JsonSchema | undefined,
): Sought => {
  const values = given.map((one) => (typeof one === 'string' ? readLoosely(one) : one));
  const input = values.findLast(isObject) ?? {};
  const wanted = new Set(values.map(canonicalArguments));
  const spelled = [...new Set(names)].map(spellings).join('|');
  const written = Math.max(
    ...given.map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')).length),
    0,
  );
  return {
    names: new RegExp(`(?<![\\p{L}\\p{N}]|(?<!_)_)(?:${spelled})(?![\\p{L}\\p{N}_])`, 'giu'),
    hint: new RegExp(spelled, 'iu'),
    wanted,
    keys: new Set(canonical(input) === '{}' ? [] : [...values.flatMap(keysOf), ...declaredIn(schema)].map(foldKey)),
    words: longestWords(input),
    ...{ input, schema, reach: 8 * written + 1000 },
  };
};

/** Long words in text arguments. Escapes in them may be notation, so such arguments have none. */
const longestWords = (input: Readonly<Record<string, unknown>>): string[] =>
  Object.values(input)
    .flatMap((value) =>
      typeof value === 'string' && !value.includes('\\') ? (value.match(/[a-z\d]{6,}/gi) ?? []) : [],
    )
    .sort((a, b) => b.length - a.length)
    .slice(0, 8)
    .map((word) => word.toLowerCase());

const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

/** Matches a name in any case and with any separators. */
const spellings = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join('\\\\?[_.\\- ]{0,2}') || '(?!)';

/**
 * Whether one of these texts contains the call in any notation, including code and quotes: its name, and an object equal
 * to its arguments anywhere before or after it, or arguments in another notation next to the name.
 *
 * @param isLoose whether a name in prose counts in the text at an index, if such an object is there
 */
export function mentions(texts: readonly string[], sought: Sought, isLoose?: (at: number) => boolean): boolean {
  let work = 0;
  for (const [at, given] of texts.entries()) {
    const text = given.replace(unseen, '').replace(/\s{40,}/g, (run) => (run.includes('\n') ? '\n' : ' '));
    if (!sought.hint.test(text) && !encoded.test(text)) continue;
    for (const form of plainForms(text)) {
      if (!hasWord(form, sought.words)) continue;
      sought.names.lastIndex = 0;
      // Searched once: a search from each name to the end would be quadratic.
      let word: boolean | undefined;
      let objects: readonly Span[] | undefined;
      let row: boolean | undefined;
      for (let found = sought.names.exec(form); found; found = sought.names.exec(form)) {
        const { index } = found;
        const end = index + found[0].length;
        row ??= holdsRow(form, { ...sought, declared: declaredIn(sought.schema) });
        if (row) return true;
        const called = mayCall(form, index, end);
        if (!called && !isLoose?.(at)) continue;
        if (!objects) {
          const equal = equalObjects(form, sought);
          work += equal.work;
          objects = equal.spans;
        }
        // A name inside the arguments doesn't name the tool.
        if (objects.some(([from, to]) => to <= index || from >= end)) return true;
        if (!called) continue;
        work += sought.reach;
        word ??= holdsWord(form, sought);
        if (work > mostWork || word || isCalled(form, index, end, sought)) return true;
      }
    }
  }
  return false;
}

/** Whether a text contains one of these words, which is necessary if there are any. */
function hasWord(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
}

type Span = readonly [from: number, to: number];
const mostSpans = 99;
const opensObject = /\{[\s"'`]{0,99}([^\s"'`:={}<][^"'`:={}<\n]{0,99})/g;

/** The first objects that equal the arguments; none if there are no arguments. */
function equalObjects(text: string, { wanted, keys, reach }: Sought): { spans: Span[]; work: number } {
  const spans: Span[] = [];
  let work = 0;
  for (const { index, 1: key } of keys.size > 0 ? text.matchAll(opensObject) : []) {
    if (!keys.has(foldKey((key as string).trim()))) continue;
    const near = text.slice(index, index + reach);
    const size = endOf(near, 0);
    work += size < 0 ? near.length : size;
    if (work > mostWork) break;
    if (size > 0 && wanted.has(canonicalArguments(objectAt(near, 0)))) spans.push([index, index + size]);
    if (spans.length > mostSpans) break;
  }
  return { spans, work };
}

/** In prose a name is between words; a called name has punctuation on at least one side. */
const mayCall = (text: string, start: number, end: number): boolean => {
  opensArguments.lastIndex = end;
  return (
    opensArguments.test(text) ||
    /(?:[^\p{L}\p{N}\s,;.!?)]\s*|\.)$/u.test(text.slice(Math.max(0, start - 24), start)) ||
    /^[^\p{L}\p{N}]{0,8}[({<["'`=:]/u.test(text.slice(end, end + 12)) ||
    /^[\s;&?|,]{0,40}(?:--?\w|[\w-]{1,60}\s?[=:|])/.test(text.slice(end, end + 104))
  );
};
const opensArguments = /\s*[{[]/y;

const declaredIn = (schema: JsonSchema | undefined): readonly string[] => Object.keys(propertiesOf(schema));

function isCalled(text: string, start: number, end: number, sought: Sought): boolean {
  const after = text.slice(end, end + sought.reach);
  return (
    isPython(text, end, sought) ||
    isFollowed(after, sought) ||
    isEnclosed(text, start, sought) ||
    isTagged(text.slice(Math.max(0, start - 60), start), after, sought) ||
    isWord(after, sought) ||
    holdsPairs(text, start, end, { input: sought.input, declared: declaredIn(sought.schema) }, sought.reach)
  );
}

/** `name(…)` with Python arguments or an object. */
function isPython(text: string, end: number, { wanted, schema, reach }: Sought): boolean {
  const bracket = /^['"`*]{0,3}\s{0,8}\(/.exec(text.slice(end, end + 16));
  if (!bracket) return false;
  const slice = `f${text.slice(end + bracket[0].length - 1, end + reach)}`;
  const inner = /^f\(\s*(?=[{[])/.exec(slice);
  if (inner && wanted.has(canonicalArguments(objectAt(slice, inner[0].length)))) return true;
  const call = readPythonCall(slice, 0);
  return call?.closed === true && wanted.has(canonicalArguments(bindArguments(call, schema)));
}

/** A name followed by an empty object, with tags and labels between, but no sentence. */
const nothing = /^["'`)\]]{0,3}\s{0,4}[,:]?(?:<[^<>{}\n]{1,99}>|[^{}"',;.!?<]){0,160}["'`]?\{\s{0,40}\}/;

const isFollowed = (after: string, { keys }: Sought): boolean => keys.size === 0 && nothing.test(after.slice(0, 400));

/** What opens a call in JSON: a tag, a token, a list after one of these, or a wrapper key. */
const opensJson = new RegExp(`(?:[>\\]｜]|["'](?:${wrapperKeys.join('|')})["']\\s{0,4}:)\\s{0,8}\\[?\\s{0,8}$`, 'u');

/** A name inside an object that is or contains a call. */
function isEnclosed(text: string, start: number, { names, wanted, reach }: Sought): boolean {
  if (!/["'][\w.:\\-]{0,60}$/.test(text.slice(Math.max(0, start - 64), start))) return false;
  const from = Math.max(0, start - reach);
  let depth = 0;
  let tries = 0;
  for (let at = start - 1; at >= from && tries < 3; at -= 1) {
    const char = text.charCodeAt(at);
    if (char === 125) depth += 1;
    else if (char === 123 && depth > 0) depth -= 1;
    else if (char === 123) {
      tries += 1;
      const value = objectAt(text.slice(at, at + 2 * reach), 0);
      const held = parseCalls(value as JsonValue).some(({ name, arguments: given, named }) => {
        names.lastIndex = 0;
        // A name alone is a call only after what opens calls, because packages, jobs and users have names too.
        if (named && !opensJson.test(text.slice(Math.max(0, at - 40), at))) return false;
        return names.test(name) && wanted.has(canonicalArguments(given));
      });
      if (held) return restored(names, start);
    }
  }
  restored(names, start);
  return false;
}

/** Resets a pattern that was used in between. */
function restored(names: RegExp, start: number): true {
  names.lastIndex = start + 1;
  return true;
}

const opensTag = /(?:<[^<>\n]{0,40}[\s=:"'>]|<|[\]>:|｜]\s{0,4}|tool=")$/u;
const closesCall =
  /^["']?\s{0,4}\/>|^["']?[^<>\n]{0,60}?(?:\/?>|<\|sep\|>)?\s*(?:<\/?[^<>\n]{0,40}>\s*|<\|close\|>|\]<\])/u;
/** A tag of a call, if there are no arguments to recognize it by. */
const opensCall = /(?:function|invoke|tool|call|name=|to=|<[|｜][^<>]{0,40}>|\])[^<\n]{0,30}$|<$/iu;
const opensPair = /<[^<>]{0,20}(?:param\w*[\s=]|arg_key|argument )/i;
const endsValue = /<|\]<\]|argument/y;

/** A name in a tag, and each argument in a tag of its own. */
function isTagged(before: string, after: string, { input }: Sought): boolean {
  const pairs = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  if (pairs.length === 0)
    return (
      opensTag.test(before) && opensCall.test(before) && closesCall.test(after) && !opensPair.test(after.slice(0, 200))
    );
  return pairs.every(([name, value]) => holdsPair(after, name, value));
}

function holdsPair(after: string, name: string, value: unknown): boolean {
  const open = new RegExp(
    `[="'<>]\\s{0,40}${escapeRegExp(name)}["']?(?:\\s{0,40}</[^<>\\n]{1,40}>\\s{0,8}<[^<>\\n]{1,40}>|[^<>\\n]{0,60}(?:>|<\\|sep\\|>)|\\stype="\\w{1,9}")`,
    'giu',
  );
  for (let found = open.exec(after); found; found = open.exec(after)) {
    if (holdsValue(after, open.lastIndex, value)) return true;
  }
  return false;
}

const blank = /\s*/y;

function holdsValue(text: string, from: number, value: unknown): boolean {
  blank.lastIndex = from;
  blank.test(text);
  const start = blank.lastIndex;
  if (typeof value === 'object' && value !== null) {
    const char = text[start];
    if (char === '{' || char === '[') return canonical(objectAt(text, start)) === canonical(value);
    return Object.entries(value).every(([name, item]) => {
      if (!Array.isArray(value)) return holdsPair(text.slice(start), name, item);
      return typeof item === 'object' || text.includes(String(item), start);
    });
  }
  const number = typeof value === 'number' ? endOfNumber(text, start, value) : -1;
  const plain = collapsed(number < 0 ? String(value) : text.slice(start, number));
  if (plain[0] !== text[start]?.toLowerCase()[0]) return plain === '' && (text[start] ?? '<') === '<';
  const there = collapsed(text.slice(start, start + 3 * plain.length + 400));
  if (!there.startsWith(plain)) return false;
  endsValue.lastIndex = plain.length;
  return endsValue.test(there) || plain.length >= there.length;
}

const collapsed = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

/** The only argument, if it is text. */
function onlyWord({ input }: Sought): string {
  const [value, ...more] = Object.values(input);
  return typeof value === 'string' && more.length === 0 ? value.trim() : '';
}

/** That argument after a label. */
function isWord(after: string, sought: Sought): boolean {
  const plain = onlyWord(sought);
  const label = plain === '' ? null : /^[\s\S]{0,80}?(?:Action Input:|<tool_input\s?>)/i.exec(after);
  const end = label ? endOfWords(after, label[0].length, plain) : -1;
  return end >= 0 && /^[ \t]*(?:["'`<\n\r]|$)/.test(after.slice(end, end + 40));
}

/** That argument after a token that starts code. */
function holdsWord(text: string, sought: Sought): boolean {
  const plain = onlyWord(sought);
  return plain !== '' && text.includes(`<|python_tag|>${plain}`);
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/-/g, '[_-]');

/** A line prefix: a line number, a quote mark, a diff or comment sign, a file position. */
const prefix =
  /^[ \t]{0,40}(?:[Ll]?\d{1,7}(?:[:.)\]\t-]| {0,8}[→:|│])|[\w./\\@][\w./\\@-]{0,199}?[:-]\d{1,7}[:-]|[>+\-*|│┃;%]|\/{2,3}|#)[ \t]?/gm;
/** Two lines with a prefix. */
const adjacent = new RegExp(`${prefix.source}[^\\n]*\\n${prefix.source}`, 'm');
/** Maximum number of prefixes per line, as in a quote of a quote. */
const mostPrefixes = 4;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** A text, and the text without one, two or more prefixes per line: any further one belongs to a value. */
function unprefixed(text: string): string[] {
  const forms = [text];
  for (let count = 0, form = text; count < mostPrefixes && (count === 0 || adjacent.test(form)); count += 1) {
    form = form.replace(prefix, '');
    if (form === forms.at(-1)) break;
    forms.push(form);
  }
  return forms;
}

const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|([a-z]{2,4}));/gi, (whole, hex, digits, name) => {
        if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
        const code = Number.parseInt(hex ?? digits, hex ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;

/** Unescapes once, by character code, because a text may consist of escapes. */
function withoutEscapes(text: string): string {
  let at = text.indexOf('\\');
  if (at < 0) return text;
  const codes = new Uint16Array(text.length - at);
  let size = 0;
  const head = text.slice(0, at);
  for (; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code === backslash && at + 1 < text.length) {
      at += 1;
      const char = text[at] as string;
      const hex = char === 'u' || char === 'U' ? text.slice(at + 1, at + 5) : '';
      if (/^[\da-f]{4}$/i.test(hex)) {
        code = Number.parseInt(hex, 16);
        at += 4;
      } else code = (letters[char] ?? char).charCodeAt(0);
    }
    codes[size] = code;
    size += 1;
  }
  const parts = [head];
  for (let from = 0; from < size; from += 8192)
    parts.push(String.fromCharCode(...codes.subarray(from, Math.min(size, from + 8192))));
  return parts.join('');
}
const backslash = 92;

/** Removes the marks of CDATA sections, whose content is text. */
const withoutSections = (text: string): string => text.replace(/<!\[CDATA\[|\]\]>/g, '');

/** Unescapes the doubled quotes of a table cell. */
const withoutDoubled = (text: string): string => (text.includes('""') ? text.replaceAll('""', '"') : text);

/** Decodes percent-encoding. */
const withoutPercents = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
        try {
          return decodeURIComponent(bytes);
        } catch {
          return bytes;
        }
      })
    : text;

/** Encodings of letters. */
const encoded = /%[\da-f]{2}|&#|\\u[\da-f]{4}/i;

/** Invisible characters. */
const unseen = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** The variants of a text to search: unchanged, without line prefixes, unescaped once. */
function plainForms(text: string): Set<string> {
  const lines = unprefixed(text);
  const unescaped = withoutEscapes(text);
  const forms = new Set(lines);
  const add = (from: readonly string[], read: (text: string) => string): void => {
    for (const one of from) forms.add(read(one));
  };
  add(lines, withoutEscapes);
  if (unescaped !== text) {
    for (const one of unprefixed(unescaped)) forms.add(one);
    add([unescaped], withoutEscapes);
  }
  add([...lines, unescaped], withoutEntities);
  if (text.includes('![CDATA[')) add([...forms], withoutSections);
  add(lines, withoutDoubled);
  add(lines, withoutPercents);
  if (/%22|%7b|=[^\s=]{0,400}\+/i.test(text)) forms.add(withoutPercents(text.replaceAll('+', ' ')));
  return forms;
}
