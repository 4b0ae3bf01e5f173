/** Arguments written in other forms: as a call, as parameter tags, as the only list, or with raw quotes at the end. */

import { readStrict, readTolerant } from '../json/read-json.ts';
import type { Reading } from '../json/reading.ts';
import type { Repair, RepairKind } from '../json/repair.ts';
import { callClosers } from '../json/tolerant/call-markup.ts';
import { isSpace, matchAt } from '../json/tolerant/chars.ts';
import { note } from '../json/tolerant/pick-value.ts';
import { pastedFault } from '../json/tolerant/rules/escape-rules.ts';
import { separatesStrings } from '../json/tolerant/rules/string-rules.ts';
import { hasOwn, isObject, type JsonObject, type JsonValue, type Path } from '../json/value.ts';
import { declaredKeys, layoutOf, typesOf } from '../schema/coerce/layout.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../schema/types.ts';

const inferred = (
  value: JsonValue,
  kind: RepairKind,
  before: string,
  path: Path = [],
  more: readonly Repair[] = [],
): Reading => ({
  value,
  repairs: [{ ...note(kind, before.trim(), 'inferred'), path }, ...more],
  problems: [],
  nesting: 'sure',
});

/** The text between the parentheses of `name(…)`, if the text is only that call. */
export function insideCall(text: string, names: readonly string[]): string | undefined {
  const found = /^\s*(?:(?:functions|tools|default_api)\.)?([\w.-]+)\s*\(([\s\S]*)\)\s*;?\s*$/.exec(text);
  return found && names.includes(found[1] as string) ? (found[2] as string).trim() : undefined;
}

const written = /^(?:quote|colon|literal|tuple|comma|number|newline|escape)$/;

/** Reads `key=value, …` if every key is declared and every value is a literal. */
export function readKeywords(inside: string, schema: JsonSchema | undefined, call: string): Reading | undefined {
  if (schema === undefined || !/^\w+\s*=(?!=)/.test(inside)) return undefined;
  // Python escapes, which the JSON reader keeps as text.
  if (/(?<!\\)(?:\\\\)*\\(?:[0-7avxU]|N\{)/.test(inside)) return undefined;
  const { value, problems, repairs, marks } = readTolerant(`{${inside}}`, { want: 'object' });
  if (problems.length || !isObject(value) || !Object.keys(value).every((key) => declaredKeys(schema).has(key)))
    return undefined;
  if (isPasted(value)) return undefined;
  // A word without quotes is a variable here, not text.
  if (repairs.some(({ kind, after }) => !written.test(kind) || (kind === 'quote' && after !== undefined)))
    return undefined;
  return { ...inferred(value, 'lines', call), ...(marks && { marks }) };
}

/** Whether a text may be a path or pattern whose backslashes were read as escapes. */
const isPasted = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? pastedFault(value) !== undefined
    : isObject(value) || Array.isArray(value)
      ? Object.values(value).some(isPasted)
      : false;

const outer =
  /^<(?:(?:invoke|function|tool)(?:\s+name\s*=\s*["']?|=)([\w.-]+)["']?|([\w.-]+))>([\s\S]*)<\/(invoke|function|tool|[\w.-]+)>$/;
const opening =
  /\s*(?:<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>|<(?:parameter(?:\s+name\s*=\s*["']?|=)([\w.-]+)["']?|([\w.-]+))>)/y;
/** Elements around parameters. Those from the third on can have them as attributes. */
const generic = ['invoke', 'input', 'tool_call', 'function_call', 'parameters', 'arguments', 'args', 'params'];

/** Whether the attributes of this element can be the arguments: it has the tool's name, or is used for calls. */
export const isElement = (name: string, names: readonly string[] = []): boolean =>
  names.includes(name) || generic.indexOf(name) > 1;

/**
 * Reads `<key>value</key>`, `<parameter name="key">value</parameter>` and `<arg_key>key</arg_key>` with its
 * `<arg_value>`, if there is nothing else and every key is declared.
 */
export function readTags(text: string, schema: JsonSchema | undefined, names: readonly string[]): Reading | undefined {
  if (schema === undefined) return undefined;
  const declared = declaredKeys(schema);
  let source = text.trim();
  for (let found = outer.exec(source); found; found = outer.exec(source)) {
    const name = found[1] ?? (found[2] as string);
    if (declared.has(name) || !(names.includes(name) || generic.includes(name))) break;
    source = (found[3] as string).trim();
  }
  const value: JsonObject = {};
  let at = 0;
  while (at < source.length) {
    const [tag = '', pair, named, element] = matchAt(opening, source, at) ?? [];
    const key = pair ?? named ?? element;
    if (key === undefined || !declared.has(key) || hasOwn(value, key)) return undefined;
    const closer = pair ? '</arg_value>' : named ? '</parameter>' : `</${key}>`;
    const from = at + tag.length;
    const end = source.indexOf(closer, from);
    const body = end === -1 ? undefined : source.slice(from, end);
    // Tagged text has no escapes, so with a tag of its own kind inside, its end is ambiguous.
    if (body === undefined || /<parameter|<arg_/.test(body) || body.includes(`<${key}>`)) return undefined;
    if (element && source.indexOf(closer, end + 1) !== -1) return undefined;
    const text = taggedText(body);
    if (text === undefined) return undefined;
    value[key] = text === 'null' && typesIn(schema, key)?.has('null') ? null : text;
    at = end + closer.length;
  }
  return at > 0 ? inferred(value, 'lines', text) : undefined;
}

/** The closer of a value and the opener of the next parameter, which a server left in the value. */
const seam =
  /<\/([\w.-]{1,64})>\s*(?:<parameter(?:\s+name\s*=\s*["']?|=)([\w.-]{1,128})["']?>|<arg_key>\s*([\w.-]{1,128})\s*<\/arg_key>\s*<arg_value>)/;
const ownClosers: ReadonlySet<string> = new Set(['parameter', 'arg_value']);

/**
 * Takes the parameters out of a value that a server left in it, because the value's closer was another one:
 * `a</content>\n<parameter name="reason">b`. Only if a required field is missing without them, and each is closed once.
 */
export function withSwallowed(reading: Reading, schema: JsonSchema | undefined): Reading {
  const { value, problems } = reading;
  const { required = [] } = (isObject(schema) ? schema : {}) as { readonly required?: readonly string[] };
  if (problems.length > 0 || !isObject(value) || !Array.isArray(required)) return reading;
  const missing = required.filter((one) => !hasOwn(value, one));
  if (missing.length === 0) return reading;
  const held = Object.entries(value).filter(([, one]) => typeof one === 'string' && one.includes('</'));
  const [key = '', text] = held.length === 1 ? (held[0] as [string, string]) : [];
  const found = text === undefined ? undefined : swallowedIn(key, text);
  if (!found || !missing.every((one) => hasOwn(found, one))) return reading;
  const declared = declaredKeys(schema as JsonSchema);
  if (!Object.keys(found).every((one) => one === key || (declared.has(one) && !hasOwn(value, one)))) return reading;
  return {
    ...reading,
    value: { ...value, ...found },
    repairs: [...reading.repairs, { ...note('token', text as string, 'inferred'), path: [key] }],
  };
}

/** A value, and the parameters that follow it in it, by their keys. */
function swallowedIn(key: string, text: string): JsonObject | undefined {
  const parts: readonly (string | undefined)[] = text.split(seam);
  const found: JsonObject = {};
  let name = key;
  // Each value is followed by its closer and the next key in one of two notations.
  for (let at = 0; at < parts.length; at += 4) {
    const closer = parts[at + 1];
    const body = taggedText(parts[at] ?? '');
    const isOwn = closer === undefined || closer === name || ownClosers.has(closer);
    if (!isOwn || body === undefined || hasOwn(found, name) || isDoubtful(body, closer)) return undefined;
    Object.defineProperty(found, name, { value: body, enumerable: true, writable: true, configurable: true });
    name = parts[at + 2] ?? parts[at + 3] ?? '';
  }
  return parts.length > 1 ? found : undefined;
}

const markup = /<\/?(?:parameter|arg_|invoke|function|tool_call)/;

/** Whether a part of a value may not be one: tags in it, or quotes that it doesn't close, make its end ambiguous. */
const isDoubtful = (body: string, closer: string | undefined): boolean =>
  !/\S$/.test(body) ||
  markup.test(body) ||
  (closer !== undefined && [`</${closer}`, `<${closer}`].some((tag) => body.includes(tag))) ||
  ['"', '`'].some((quote) => body.split(quote).length % 2 === 0);

/**
 * The text between two tags; undefined if it is ambiguous: a CDATA section may be notation or part of the value, and so
 * may entities in text without a plain `<` or `&`.
 */
function taggedText(body: string): string | undefined {
  if (/^[^<&]*(?:&#?\w+;[^<&]*)+$/.test(body)) return undefined;
  // Line breaks on both sides belong to the form; a single one may belong to the value.
  if (body.includes('<![CDATA[') || /^\r?\n/.test(body) !== /\n\s*$/.test(body)) return undefined;
  return body.replace(/^\r?\n|\r?\n$/g, '');
}

const closersInside = new RegExp(`(?<=["\\]}\\del])(?:\\s*${callClosers})+(?=\\s*[}\\]]+\\s*$)`, 'i');
/** The start of an object: its first quote is there. */
const begun = /^\s*\{\s*"/;
const mostStarts = 20;

const emptyBefore = /^\s*\{\s*\}\s*(?=\{)/;

/**
 * Reads what a server spoiled: the closing tags of a call before the last brackets, a complete object after its own
 * beginning (`{"path": "a{"path": "a.ts"}`), or after the empty one that some formats send first, which can't be the
 * arguments if a field is required. Everything else must be plain JSON.
 */
export function readSpoiled(text: string, schema?: JsonSchema): Reading | undefined {
  const isNeeded = (schema as SchemaObject | undefined)?.required?.length;
  const sent = isNeeded ? emptyBefore.exec(text)?.[0] : undefined;
  const behind = sent && readPlain(text.slice(sent.length), 'duplicate', sent);
  if (behind) return behind;
  const plain = lastBeforeBrackets(text) === '>' ? text.replace(closersInside, '') : text;
  const found = plain === text ? undefined : readPlain(plain, 'token', closersInside.exec(text)?.[0] ?? '');
  if (found) return found;
  let looks = mostStarts;
  for (let at = text.indexOf('{', 1); at > 0 && at <= text.length / 2 && looks-- > 0; at = text.indexOf('{', at + 1)) {
    const start = text.slice(0, at);
    const isAgain = begun.test(start) && repeats(text, at);
    const whole = isAgain ? readPlain(text.slice(at), 'duplicate', start) : undefined;
    if (whole) return whole;
  }
  return undefined;
}

/** The last character before the closing brackets at the end. */
function lastBeforeBrackets(text: string): string | undefined {
  let end = text.length - 1;
  while (/[\s}\]]/.test(text[end] ?? '')) end--;
  return text[end];
}

/** Whether the text from `again` on starts with the text before it, apart from white space outside of strings. */
function repeats(text: string, again: number): boolean {
  let open = false;
  for (let [at, other] = [0, again]; ; at++, other++) {
    if (!open) {
      while (isSpace(text.charCodeAt(at))) at++;
      while (isSpace(text.charCodeAt(other))) other++;
    }
    if (at >= again) return true;
    if (other >= text.length || text[at] !== text[other]) return false;
    if (text[at] === '"') open = !open;
    else if (open && text[at] === '\\' && text[++at] !== text[++other]) return false;
  }
}

/** Reads an object that is plain JSON, and keeps how its numbers were written. */
function readPlain(text: string, kind: RepairKind, before: string): Reading | undefined {
  if (!isObject(readStrict(text)?.value)) return undefined;
  const reading = readTolerant(text, { want: 'object', damaged: true });
  return { ...reading, repairs: [note(kind, before.trim(), 'inferred'), ...reading.repairs] };
}

/** The types that a field's schema allows. */
export function typesIn(schema: JsonSchema | undefined, key: string): ReadonlySet<TypeName> | undefined {
  const property = isObject(schema) ? (schema as SchemaObject).properties?.[key] : undefined;
  return property === undefined ? undefined : typesOf(layoutOf(schema as JsonSchema), property);
}

/** A list for a tool whose only parameter is a list. */
export function asOnlyList(reading: Reading, schema: JsonSchema | undefined): Reading | undefined {
  const { value } = reading;
  if (!Array.isArray(value) || !isObject(schema)) return undefined;
  const [key, ...more] = declaredKeys(schema);
  if (key === undefined || more.length || !typesIn(schema, key)?.has('array')) return undefined;
  if (value.length === 1 && isObject(value[0]) && hasOwn(value[0], key)) return undefined;
  return { ...reading, ...inferred({ [key]: value }, 'wrapper', JSON.stringify(value), [], reading.repairs) };
}

/**
 * Reads unescaped quotes in the last field, without a declared key after them. Everything before must be plain JSON,
 * and the text must end in the closing quote and brace.
 */
export function readLastField(text: string, schema: JsonSchema | undefined): Reading | undefined {
  const end = /"\s*\}\s*$/.exec(text)?.index;
  if (schema === undefined || end === undefined) return undefined;
  const declared = declaredKeys(schema);
  let last: { key: string; at: number } | undefined;
  for (const found of text.matchAll(/"([^"\\\n]{1,200})"\s*:\s*"/g))
    if (declared.has(found[1] as string)) last = { key: found[1] as string, at: found.index + found[0].length };
  if (!last || last.at > end) return undefined;
  const start = `${text.slice(0, last.at)}"}`;
  const before = readStrict(start)?.value;
  if (!isObject(before) || before[last.key] !== '' || Object.keys(before).at(-1) !== last.key) return undefined;
  if (!Object.keys(before).every((key) => declared.has(key))) return undefined;
  // The last field isn't escaped, so a path before it may not be either.
  if (Object.values(before).some((one) => typeof one === 'string' && pastedFault(one))) return undefined;
  const raw = text.slice(last.at, end);
  if (!raw.includes('"') || readTolerant(start, { damaged: true }).problems.length > 0) return undefined;
  if (raw.endsWith('\\') || /^""|^"[^"]*"$/.test(raw)) return undefined;
  // With an operator between them, the quotes belong to two strings (`"[" + "]"`), even if the text between is JSON.
  if (separatesStrings(raw.split('"')[1] ?? '', false)) return undefined;
  // A key with its colon inside the quotes may have been intended as one.
  for (const found of raw.matchAll(/["']\s*([\w.-]{1,128})\s*[:=]\s*["']/g))
    if (declared.has(found[1] as string)) return undefined;
  const value = isJson(raw) ? raw : hiddenKey(raw, declared) === undefined ? quotedText(raw) : undefined;
  return value === undefined ? undefined : inferred({ ...before, [last.key]: value }, 'inner_quote', raw, [last.key]);
}

/**
 * A quoted key with its colon; one after a comma without a colon; and an unquoted one directly after the first quote.
 */
const quotedKey = /["'`]\s*([^"'`\\\n]{1,128}?)\s*["'`]\s*[:=]|[,{]\s*"([^"\\\n]{1,128})"/g;
const wordBehind = /^[^"]*"\s*,?\s*([\p{L}_][\p{L}\p{N}_.-]{0,127})\s*:/u;

/** A declared key in a text with unescaped quotes, which may be a separate field. */
export function hiddenKey(text: string, keys: ReadonlySet<string>): string | undefined {
  for (const [, key, word] of text.matchAll(quotedKey)) if (keys.has((key ?? word) as string)) return key ?? word;
  const [, behind] = wordBehind.exec(text) ?? [];
  return behind !== undefined && keys.has(behind) ? behind : undefined;
}

/** JSON that was quoted unchanged. With escapes in it, it may be partly escaped. */
const isJson = (raw: string): boolean => /^\s*[[{]/.test(raw) && !raw.includes('\\') && readStrict(raw) !== undefined;

/** A letter of a script that separates words with blanks. */
const letter = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{N}_]/u;
/** A string prefix in code (`f"…"`). */
const prefixed = /[^\p{L}\p{N}_](?:[fFrRbBuUL]|[fFbB][rR]|[rR][fFbB])$/u;

/**
 * Whether the quote at `index` may open a quotation. After a word, and for the first quote before a blank, it closes
 * one.
 */
function opensHere(raw: string, index: number, isFirst: boolean): boolean {
  const before = raw[index - 1] ?? ' ';
  if (letter.test(before) && !prefixed.test(raw.slice(Math.max(0, index - 4), index))) return false;
  return !(isFirst && /\s/.test(raw[index + 1] ?? '')) || '([{'.includes(before);
}

/** Text whose quotes open and close alternately, and in which no opening quote can be the end of the string. */
function quotedText(raw: string): string | undefined {
  let open = false;
  let from = -1;
  let first = 0;
  const inches = !/(?<![\d\\])"|"[\p{L}\p{N}_]/u.test(raw);
  for (const { 0: sign, index } of raw.matchAll(/\\[\s\S]|"/g)) {
    // An escape within unescaped quotes belongs to the text.
    if (sign !== '"' && (sign !== '\\"' || open)) return undefined;
    if (sign !== '"') continue;
    // Only blanks or a plus between two quotes: the string was written in pieces.
    if (open && /"\s*\+?\s*$/.test(raw.slice(Math.max(0, index - 200), index))) return undefined;
    // Two in a row may be one that was doubled.
    if (from === index) return undefined;
    open = !open;
    const fits = open ? opensHere(raw, index, from < 0) : !letter.test(raw[index + 1] ?? '');
    if (!fits && !inches) return undefined;
    if (!open && separatesStrings(raw.slice(from, index), from === first)) return undefined;
    from = index + 1;
    first ||= from;
    const ends = open ? /^\s*[,:}\]]/ : /^\s*(?:[}\]]|,\s*"?[\w-]+"?\s*:)/;
    if (ends.test(raw.slice(from, index + 200))) return undefined;
  }
  return open ? undefined : raw.replaceAll('\\"', '"');
}
