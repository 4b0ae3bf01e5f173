import type { Problem } from '../../json/problem.ts';
import { readJson, readTolerant } from '../../json/read-json.ts';
import type { Certainty, Repair, RepairKind } from '../../json/repair.ts';
import { pastedIn } from '../../json/tolerant/rules/lost-backslash.ts';
import { hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { findTool } from '../../tools/find-tool.ts';
import { onlyEnds } from '../grammar/grammar.ts';
import type { Machine } from '../machine/state.ts';
import type { Dialect } from '../types.ts';
import type { CallNotes } from './call-notes.ts';
import { encodedObject } from './call-shape.ts';
import { applyTypes, takesText } from './typing.ts';

/** The JSON Schema of a tool's arguments, if the tool is known. */
export function schemaFor(m: Machine, name: string): JsonSchema | undefined {
  return m.toolbox && findTool(name, m.toolbox).tool?.schema.json;
}

/** A key without quotes, outside of strings. Quoting it makes text without escapes valid JSON. */
const bareKey = /"(?:[^"\\]|\\[\s\S])*"?|([{,]\s*)([A-Za-z_]\w*)(\s*:)/g;

/** Strings in single quotes, in which a word before a colon is no key. */
const singleQuoted = /[:,[{]\s*'/;

/** The arguments for `mend()`: text as written, unless the dialect's notation has no types. */
export function inputOf(m: Machine, name: string, written: unknown, row: Dialect, found?: CallNotes): unknown {
  if (typeof written !== 'string') return written;
  if (row.quote !== undefined) {
    const text = singleQuoted.test(written)
      ? written
      : written.replace(bareKey, (all, before, key, after) => (key ? `${before}"${key}"${after}` : all));
    // Read tolerantly even if it is JSON, because strict reading doesn't keep how numbers are written.
    const { value, problems, marks, repairs, nesting } = readTolerant(text);
    // Where a bracket is in doubt, `mend()` decides.
    if (problems.length > 0 || nesting !== 'sure' || !isObject(value)) return text;
    found?.read.push(...repairs.filter(({ certainty }) => certainty !== 'lossless'));
    return applyTypes(value, schemaFor(m, name), marks, found, () => 'json');
  }
  return written;
}

/**
 * The problem of arguments from a string in the call, in which a path may have been escaped once too little. An object that
 * is in the text of the call as it stands wasn't in a string.
 */
export function encodedFaults(given: unknown, text = ''): readonly Problem[] {
  const { value } = typeof given === 'string' && encodedObject.test(given) ? readJson(given) : {};
  const found = value === undefined ? undefined : pastedIn(value);
  return found === undefined || text.includes(given as string) ? [] : [found];
}

/** Repairs that leave the notation of JSON, with its quoted keys and its separators, as it is. */
const ofJson = new Set<RepairKind>(['closer', 'extra_closer', 'literal', 'number', 'escape', 'newline', 'inner_quote']);
const quotes = /^["'“”„‘’«»]$/;
const inJson = ({ kind, before }: Repair): boolean =>
  ofJson.has(kind) || (kind === 'comma' && before === ',') || (kind === 'quote' && quotes.test(String(before)));

/**
 * Whether the text after a name is an object in JSON, whatever its faults are. Without markers, braces with another notation in
 * them are a block in a file, such as HCL or CSS, and so are empty ones behind white space.
 */
export function isJsonObject(text: string, behindSpace: boolean): boolean {
  const { value, repairs, problems } = readJson(text);
  return (
    isObject(value) &&
    repairs.every(inJson) &&
    problems.every(({ code }) => code !== 'syntax') &&
    (!behindSpace || /^\{\s*[^\s}]/.test(text))
  );
}

/**
 * Assigns a value to the tool's only parameter, if the dialect has arguments without names. Text that is a JSON string
 * stands for its content. Undefined if the tool has several parameters, or text names the parameter (`query=cats`).
 */
export function bindText(
  m: Machine,
  name: string,
  written: string,
  found: CallNotes,
  certainty: Certainty,
): JsonObject | undefined {
  const schema = schemaFor(m, name);
  const value = textIn(written);
  if (!isObject(schema)) return { input: value };
  const properties = propertiesOf(schema);
  const [only, another] = Object.keys(properties);
  if (only === undefined || another !== undefined) return undefined;
  const takes = takesText(properties[only] as JsonSchema | undefined, schema);
  const named = /^\s*["']?([\w-]{1,64})["']?\s{0,8}[=:]/.exec(written)?.[1];
  if (!takes || (named !== undefined && hasOwn(properties, named)) || isNotation(written, name, only)) return undefined;
  if (certainty === 'inferred' || value !== written)
    found.read.push({ path: [only], kind: 'object', before: written.slice(0, 80), certainty: 'inferred' });
  return { [only]: value };
}

/** An object, also in a fence or quotes, or after a label. */
const objectWithin = /^[\s"'`]*(?:(?:`{3}\w*|(?:\w+ ?){1,3}(?=[:=\n]))[\s:="'`]*|[:=]\s*)?\{[\s\S]*\}[\s"'`;]*$/;
const nothing = /^(?:none|null|nil|undefined|n\/a)$/i;
const inBackticks = /^(`+)[^`]+\1$/;

/** Whether a text writes arguments, a call or their absence in some notation, so that it isn't itself the value. */
function isNotation(written: string, name: string, key: string): boolean {
  const text = written.trim();
  const ownTag = new RegExp(`</?(?:tool|tool_input|${literal(key)}|${literal(name)})(?=[\\s=>/])`);
  const call = new RegExp(`^(?:\\w+\\.)?${literal(name)}\\s*\\(`);
  const lastToken = text.search(/(?:<[^<>\s]{1,40}>|\[[^[\]\s]{1,40}\])$/);
  return (
    nothing.test(text) ||
    inBackticks.test(text) ||
    ownTag.test(text) ||
    call.test(text) ||
    (lastToken >= 0 && onlyEnds.test(text.slice(lastToken))) ||
    (objectWithin.test(text) && new RegExp(`["'“]?\\b${literal(key)}\\b["'”]?\\s*[:=]`).test(text))
  );
}

const literal = (text: string): string => text.replace(/\W/g, '\\$&');

/** The content of text in quotes; otherwise the text itself. */
function textIn(text: string): string {
  if (/^'[^'\\\n]*'$/.test(text)) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** Quoted text, if a form accepts text as the only argument. */
export const freeText = (m: Machine, name: string, written: unknown, found: CallNotes): JsonObject | undefined =>
  typeof written === 'string' && /^"(?!\s*[[{])/.test(written) && textIn(written) !== written
    ? bindText(m, name, written, found, 'inferred')
    : undefined;
