import { checkValue, type InvalidValue } from '../json/check-value.ts';
import { readKeyValueLines } from '../json/key-value-lines.ts';
import type { Limits } from '../json/limits.ts';
import { elided, notEnded, type Problem, problemAt, rootProblem } from '../json/problem.ts';
import { asWritten, type Reading, readJson, readStrict, readTolerant } from '../json/read-json.ts';
import { textAfterQuote } from '../json/reader.ts';
import { Marks, writtenIn } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import { plainSigns } from '../json/tolerant/chars.ts';
import { ambiguousAt, shorten } from '../json/tolerant/machine.ts';
import { note } from '../json/tolerant/pick-value.ts';
import { pastedIn } from '../json/tolerant/rules/lost-backslash.ts';
import { readScalar } from '../json/tolerant/scalars.ts';
import { hasOwn, isObject, type JsonValue, type Path, textAsWritten } from '../json/value.ts';
import type { RawCall } from '../model/index.ts';
import { declaredKeys, layoutOf, typesOf } from '../schema/coerce/layout.ts';
import { propertiesOf, schemaAt, valueAt } from '../schema/lookup.ts';
import type { JsonSchema, TypeName } from '../schema/types.ts';
import { isUnfinished } from './finish-reason.ts';
import { besides, isPart } from './surrounding-prose.ts';
import {
  asOnlyList,
  hiddenKey,
  insideCall,
  isElement,
  readKeywords,
  readLastField,
  readSpoiled,
  readTags,
  typesIn,
  withSwallowed,
} from './text-forms.ts';
import { readAsQuoted, readFramed } from './wrapped-object.ts';

/**
 * Parses a call's arguments, text or value, to an object.
 *
 * @param name the tool's own name
 */
export function parseArguments(
  raw: RawCall,
  schema: JsonSchema | undefined,
  limits: Limits,
  name = raw.name,
  damaged = false,
): Reading {
  const cut = isUnfinished(raw.finishReason);
  const reading = parse(raw, schema, limits, [raw.name, name], damaged, cut);
  if (cut) return refuseTruncated(reading, cut);
  // Most arguments have no tags, not even with the escapes of some encoders.
  const { arguments: text } = raw;
  const isPlain = typeof text === 'string' && !text.includes('<') && !text.includes('\\u003');
  return isPlain ? reading : withSwallowed(reading, schema);
}

function parse(
  raw: RawCall,
  schema: JsonSchema | undefined,
  limits: Limits,
  names: readonly string[],
  damaged: boolean,
  truncated: boolean,
): Reading {
  const given = raw.arguments;
  if (given === undefined || given === null) return truncated ? readingOf({}, [notBegun]) : nothing(given);
  if (typeof given !== 'string') return readValue(given, limits, truncated);
  let at = 0;
  while (closedThought.test(given)) at = closedThought.lastIndex;
  const rest = given.slice(at);
  if (at > 0 && rest.trim()) {
    const reading = parse({ ...raw, arguments: rest }, schema, limits, names, damaged, truncated);
    return { ...reading, repairs: [note('reasoning', given.slice(0, at)), ...reading.repairs] };
  }
  const options = { limits, truncated, want: 'object', names, damaged } as const;
  const inside = /^\s*[\w.-]+\s*\(/.test(given) ? insideCall(given, names) : undefined;
  if (inside?.startsWith('{')) {
    const reading = readText(inside, schema, { ...options, damaged: true });
    // What follows the object, inside or outside the call's parentheses, is code.
    const problems = /^[\s,]*$/.test(reading.tail ?? '')
      ? reading.problems
      : [about(given, 'is an object in code; send only the object')];
    return { ...reading, problems, repairs: [asCall(given), ...reading.repairs] };
  }
  if (inside === '') return nothing('', [asCall(given)]);
  const form = inside === undefined ? undefined : readKeywords(inside, schema, given);
  if (form) return form;
  const tags = /^\s*</.test(given) ? readTags(given, schema, names) : undefined;
  return tags ?? readText(given, schema, options);
}

/** Notations without a closer for the whole: lines, attributes, tags, keywords, and nothing at all. */
const endless: ReadonlySet<Repair['kind']> = new Set(['lines', 'empty']);

/**
 * Refuses what a message that ended by length can't show to be complete. The JSON reader does so itself; everything that
 * isn't JSON passes here.
 */
export function refuseTruncated(reading: Reading, cut: boolean): Reading {
  if (!cut || reading.problems.length) return reading;
  const last = reading.repairs.findLast(({ kind }) => endless.has(kind))?.kind;
  if (last === undefined) return reading;
  return { ...reading, problems: [last === 'lines' ? notEnded : notBegun] };
}

/** Closed reasoning. */
const closedThought = /\s*<(think|thinking|thought|reasoning|reflection)>.*?<\/\1>/isy;

const asCall = (text: string): Repair => note('wrapper', text.trim(), 'inferred');

interface TextOptions {
  readonly limits: Limits;
  readonly truncated: boolean;
  readonly want: 'object' | 'array' | 'any';
  /**
   * Names of the tool if the text is a call's arguments. Without them it is structured output, which may be within a
   * response.
   */
  readonly names?: readonly string[];
  /** Whether the text is part of a text that isn't plain JSON. */
  readonly damaged?: boolean;
}

/** Reads text as an object: strictly, tolerantly, out of a string around it, or as key-value lines. */
export function readText(text: string, schema: JsonSchema | undefined, options: TextOptions, levels = 3): Reading {
  const plain = plainSigns(text);
  const signs = plain ?? text;
  // Tolerantly, because strict reading doesn't keep how numbers were written, and this text isn't read again.
  const damaged = plain !== undefined || options.damaged === true;
  const found = damaged ? readTolerant(signs, { ...options, damaged }) : readJson(text, options);
  // Entities may also be the text of a value.
  const repair = note('encoding', text, text.includes('｛') ? undefined : 'inferred');
  let reading = plain ? { ...found, repairs: [repair, ...found.repairs] } : found;
  // A quote in a string may have been an entity before the quotes became entities.
  const loose = found.problems.length > 0 || found.repairs.some(({ kind }) => kind === 'inner_quote');
  const { value, problems, repairs } = reading;
  if (isObject(value) && repairs.length + problems.length === 0) return reading;
  const refuse = (words: string, code?: 'syntax') => ({ ...reading, problems: [about(text, words, code)] });
  const asText = { ...options, damaged: true };
  const within =
    typeof value === 'string' && levels > 0
      ? readAsQuoted(text, (body) => readText(body, schema, asText, 0))
      : undefined;
  if (within === 'twofold') return refuse(twoLevels);
  if (within?.reading && isObject(within.reading.value)) {
    const certainty = within.both && /^\s*'/.test(text) ? undefined : 'inferred';
    return { ...within.reading, repairs: [note('encoding', text), note('quote', text.trim()[0] as string, certainty)] };
  }
  if (plain && loose && !text.includes('"')) return refuse(inEntities, 'syntax');
  const keys = declaredKeys(schema);
  reading = { ...reading, repairs: reading.repairs.map((repair) => unlessKey(repair, keys)) };
  if (problems.length > 0)
    return options.truncated
      ? reading
      : ((options.names && readSpoiled(text, schema)) ??
          readFramed(text, options) ??
          readLastField(signs, schema) ??
          (/^\s*["'`“[{]/.test(text) ? undefined : declaredLines(text, schema, options.names)) ??
          notCut(signs, reading));
  const type = typeName(reading.repairs, schema);
  if (type) return { ...reading, problems: [type] };
  // With a bracket missing, an object inside may be the complete one, after its own beginning.
  if (repairs.some(({ kind }) => kind === 'closer') && readSpoiled(text)) return refuse(begunTwice);
  if (value === null) return nothing('null', reading.repairs);
  if (value === undefined) return readOther(text, schema, options, reading);
  const around = reading.lead || reading.tail;
  if (around && isPart(reading, schema, options.names !== undefined))
    return declaredLines(text, schema, options.names) ?? refuse(inPart);
  const hidden = keyInQuotes(reading, keys, schema);
  if (hidden) return { ...reading, problems: [hidden] };
  const beside = around && options.names && besides(reading, options.names);
  if (beside) return readFramed(text, options) ?? refuse(mayBeField(beside));
  if (isWithin(text, reading)) return refuse(quoted, 'syntax');
  if (options.want === 'object' && Array.isArray(value))
    return readList(readTolerant(signs, options), signs, schema) ?? reading;
  if (typeof value !== 'string' || levels === 0) return reading;
  // Unescaped quotes may have ended it, so that the result may be only a part.
  if (
    reading.repairs.some(
      ({ kind, certainty }) => kind === 'inner_quote' || (kind === 'quote' && certainty === 'inferred'),
    )
  )
    return refuse(quoted, 'syntax');
  const inner = readText(value, schema, asText, levels - 1);
  // A scalar or text in quotes is text, not arguments that were encoded twice.
  if (typeof inner.value === 'number' || typeof inner.value === 'boolean') return reading;
  if (typeof inner.value === 'string' && inner.problems.length === 0) return reading;
  const isGood = inner.problems.length === 0;
  // In quotes that JSON doesn't have, backslashes are sure only if they are read alike as they stand and as a literal.
  const isOther = text.includes('\\') && reading.repairs.some(({ kind }) => kind === 'quote');
  if (isOther && isGood && !within) return refuse(twoLevels);
  const pasted = isGood && inner.value !== undefined ? pastedIn(inner.value) : undefined;
  const faults = pasted ? [pasted] : inner.problems;
  const encoding = note('encoding', value, isOther && !within?.both ? 'inferred' : undefined);
  return { ...inner, problems: faults, repairs: [encoding, ...reading.repairs, ...inner.repairs] };
}

/**
 * A list for the only field, which is a list. It must be the complete text, and not words in brackets (`[see below]`).
 */
function readList(reading: Reading, text: string, schema: JsonSchema | undefined): Reading | undefined {
  const { value, repairs, tail = '' } = reading;
  const isLoose = repairs.some(({ kind, certainty }) => kind === 'quote' && certainty === 'inferred');
  return !(value as JsonValue[]).some(isObject) && (isLoose || /[\p{L}\p{N}]/u.test(tail))
    ? { ...reading, problems: [noJson(text, 'in brackets')] }
    : asOnlyList(reading, schema);
}

/** A problem of the complete text. */
const about = (text: string, words: string, code: 'syntax' | 'ambiguous' = 'ambiguous', more = {}): Problem =>
  rootProblem(code, words, { ...more, received: shorten(text.trim()) });

const begunTwice = 'lacks a closing bracket, or begins twice; send one object';

const mayBeField = (found: string): string =>
  `has ${JSON.stringify(shorten(found))} beside it, which may be a field; put every field inside the object, and send only that`;

const noJson = (text: string, what: string): Problem =>
  about(text, `expected a JSON object, got text ${what}`, 'syntax', { expected: 'a JSON object' });

const twoLevels =
  'is in quotes that JSON does not have, and its backslashes have two readings there; send only the object';

/** A bare word that is a declared key may be a variable of that name. */
const unlessKey = (repair: Repair, keys: ReadonlySet<string>): Repair =>
  repair.kind === 'quote' && keys.has(repair.after as string) ? { ...repair, certainty: 'inferred' } : repair;

/** A word without quotes that is the type of its field, as in a signature (`{path: string}`). */
function typeName(repairs: readonly Repair[], schema: JsonSchema | undefined): Problem | undefined {
  for (const { kind, path, after } of repairs) {
    const field = kind === 'quote' && typeof after === 'string' ? schemaAt(schema, path) : undefined;
    const types =
      field === undefined || field.enum !== undefined || !isObject(schema)
        ? undefined
        : typesOf(layoutOf(schema), field);
    if (types?.has(String(after).toLowerCase() as TypeName))
      return ambiguousAt(path, 'is the name of its type without quotes; write its value', String(after));
  }
  return undefined;
}

/** The end of a field and the next key, in a text within other quotes. */
const nextField = /"\s*,\s*"([^"\\\n]{1,128})"\s*:/y;

/** A key behind the words of a comment, whose line break may be lost. Without words, it was commented out. */
const behindRemark = /[^\s#/*]\s*"([^"\\\n]{1,128})"\s*:/;

/** A declared key between unescaped quotes may be a field, so that its quote closes the text before it. */
function keyInQuotes(
  { value, repairs }: Reading,
  keys: ReadonlySet<string>,
  schema: JsonSchema | undefined,
): Problem | undefined {
  const lacks = (path: Path, key: string): boolean => {
    const held = valueAt(value, path);
    const isField = path.length === 0 ? keys.has(key) : hasOwn(propertiesOf(schemaAt(schema, path)), key);
    return isObject(held) && isField && !hasOwn(held, key);
  };
  for (const { kind, path, before } of repairs) {
    const [, noted] = (kind === 'comment' && behindRemark.exec(String(before))) || [];
    if (noted !== undefined && [path, path.slice(0, -1)].some((at) => lacks(at, noted)))
      return ambiguousAt([], `has the field "${noted}" in a comment; leave the comment out`, String(before));
    const joined = kind === 'quote' && /^"\s+"$/.test(String(before)) ? valueAt(value, path) : undefined;
    if (typeof joined === 'string' && [...keys].some((key) => key.length > 2 && joined.endsWith(key))) {
      const why = 'is followed by a string that is the name of a field; write a comma and a colon';
      return ambiguousAt(path, why, joined);
    }
    const text = kind === 'inner_quote' && path.length > 0 ? valueAt(value, path) : undefined;
    if (typeof text !== 'string') continue;
    const key = hiddenKey(text, keys);
    const why = `holds the key "${key}" after unescaped quotes inside; write them as \\"`;
    if (key !== undefined) return ambiguousAt(path, why, text);
  }
  if (!isObject(value) || !repairs.some(({ kind }) => kind === 'quote')) return undefined;
  for (const [field, text] of Object.entries(value)) {
    nextField.lastIndex = typeof text === 'string' ? text.indexOf('"') : -1;
    const [, key] = (nextField.lastIndex !== -1 && nextField.exec(text as string)) || [];
    const why = `holds the field "${key}", which may be separate; close each string`;
    if (key !== undefined && keys.has(key)) return ambiguousAt([field], why, text as string);
  }
  return undefined;
}

const quotedWhole = /^\s*(["'])\s*[[{]\s*["'][\s\S]*[}\]]\s*\1\s*$/;
const breaksAsText = /^\s*[[{](?:\s|\\[rt])*\\n|[,[{]\\n[ ]*["}\]]|["\]}]\\n[ ]*[}\]]\s*$/;
const leftOut = /,\s*(?:\.{3}|…)\s*[}\]][}\]\s]*$/;
const quoteTooMany = /[}\]]\s*"[}\]\s]*$/;

const quoted = 'is quoted and has unescaped quotes inside; send only the object';
export const inEntities = 'has entities for quotes; send plain quotes';

/** Whether the object is inside quotes around the whole text that weren't read as such. */
const isWithin = (text: string, { value, repairs }: Reading): boolean =>
  typeof value === 'object' && /^\s*(["'])[\s\S]*\1\s*$/.test(text) && !repairs.some(({ kind }) => kind === 'opener');

/** Replaces the problem of a text that seems truncated but ends like a complete one. */
function notCut(text: string, reading: Reading): Reading {
  const seems =
    reading.value === undefined ||
    reading.problems.some(({ code, message }) => code === 'truncated' || message.endsWith(textAfterQuote));
  const why = quotedWhole.test(text)
    ? quoted
    : seems && /[}\]]\s*$/.test(text) && breaksAsText.test(text)
      ? 'has \\n as text between its tokens; send line breaks'
      : seems && leftOut.test(text.slice(-200))
        ? elided
        : seems && quoteTooMany.test(text.slice(-200)) && text.split('"').length % 2 === 0
          ? 'ends in an extra quote'
          : (seems || !reading.problems[0]?.path.length) && isFollowed(text)
            ? 'is followed by text with quotes or brackets; send only the object'
            : (keyBehind(text, seems) ?? keyAlone(text));
  return why === undefined ? reading : { ...reading, problems: [about(text, why, 'syntax')] };
}

/** Why a key at the end of an object is invalid: it has no value. */
function keyAlone(text: string): string | undefined {
  const found = /,\s*("[^"\\\n]{1,128}"|[\p{L}_][\p{L}\p{N}_-]{0,127})\s*\}\s*$/u.exec(text.slice(-300));
  if (!found) return undefined;
  const before = text.slice(0, text.length - found[0].length);
  return readStrict(`${before}}`) === undefined ? undefined : `has the key ${found[1]} without a value`;
}

/** Why fields after the closing brace are invalid. */
function keyBehind(text: string, seems: boolean): string | undefined {
  const [, key] = /^\s*,?\s*("[^"\\\n]{1,128}")\s*:/.exec(seems ? (behindObject(text) ?? '') : '') ?? [];
  return key === undefined ? undefined : `is closed before ${key}; put every field inside the braces`;
}

/** Whether the text is a complete JSON object followed by unrelated words. */
function isFollowed(text: string): boolean {
  const tail = behindObject(text) ?? '';
  return /^\s*[^\s,，:}\]]/.test(tail) && !/["'”]\s*[:}\]]/.test(tail);
}

/** What follows a complete JSON object at the start of the text; undefined if there is none. */
function behindObject(text: string): string | undefined {
  let depth = 0;
  let open = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (open && sign === '\\') at++;
    else if (sign === '"') open = !open;
    else if (!open && '{['.includes(sign)) depth++;
    else if (!open && '}]'.includes(sign) && --depth <= 0) {
      return readStrict(text.slice(0, at + 1)) === undefined ? undefined : text.slice(at + 1);
    }
  }
  return undefined;
}

/** Reads key-value lines whose keys are all declared. */
function declaredLines(text: string, schema: JsonSchema | undefined, names: TextOptions['names']): Reading | undefined {
  const keys = declaredKeys(schema);
  const isText = (key: string) => {
    const types = typesIn(schema, key);
    return types?.size === 1 && types.has('string');
  };
  const value = readKeyValueLines(
    text,
    (key) => keys.has(key),
    (element) => isElement(element, names),
    isText,
  );
  // Lines have no types, so a field that accepts both text and the type of its value is ambiguous.
  for (const [key, line] of Object.entries(value ?? {}))
    if (!isText(key) && typesIn(schema, key)?.has('string') !== false && (typeof line !== 'string' || readScalar(line)))
      return undefined;
  return (
    value && {
      ...readingOf(value),
      repairs: [note('lines', text.trim(), 'inferred')],
      // Keeps how scalars in its lists and objects were written.
      marks: new Marks(),
    }
  );
}

const inPart = 'can only be read in part: more of its fields are around it';

/** Handles text without a value: empty, key-value lines, or unreadable. */
function readOther(
  text: string,
  schema: JsonSchema | undefined,
  { truncated: cut, names }: TextOptions,
  reading: Reading,
): Reading {
  const said = text.trim();
  if (said === '' || ['None', 'undefined'].includes(said)) return nothing(text);
  const lines = declaredLines(text, schema, names);
  if (lines) return lines;
  const { problems } = notCut(text, reading);
  const open = cut || isOpenForm(said, names);
  return { ...reading, value: text, problems: problems.length ? problems : [open ? notEnded : noObject(said, names)] };
}

const keyFirst = /^\{\s*["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,127})["'`]?\s*[,}]/u;

/** Why the text contains no object. */
function noObject(text: string, names: readonly string[] = []): Problem {
  const [, key] = keyFirst.exec(text) ?? [];
  if (key !== undefined)
    return about(text, `has the key "${key}" without a value; write "${key}": and its value`, 'syntax');
  if (names.some((name) => text.startsWith(`${name}(`)))
    return about(text, 'is code with more than plain values; send a JSON object', 'syntax');
  if (/^<(think|thinking|thought|reasoning|reflection)>(?!.*<\/\1>)/is.test(text))
    return about(text, 'is unclosed reasoning; send the object after it', 'syntax');
  return noJson(text, 'that holds none');
}

/** Whether a call or a tag is not closed. */
function isOpenForm(text: string, names: readonly string[] = []): boolean {
  const [, called, tag] = /^(?:([\w.-]+)\s*\(|<([\w.-]{1,64})(?![\w.-])[^<>]*>)/.exec(text) ?? [];
  if (called !== undefined) return names.includes(called) && !text.includes(')');
  return tag !== undefined && isElementOfCalls.test(tag) && !text.includes(`</${tag}>`);
}

const isElementOfCalls = /^(?:parameter|invoke|(?:function|tool)(?:_call)?|arguments)$/;

/** Checks a value that a client parsed. If it isn't valid, it is serialized and read again to report the problem. */
function readValue(value: unknown, limits: Limits, truncated: boolean): Reading {
  const fault = checkValue(value, limits);
  // A value may be truncated without showing it.
  const text = truncated ? undefined : textAsWritten(value);
  if (!fault) {
    const marks = writtenIn(value);
    const reading = readingOf(value);
    return marks ? { ...reading, marks } : text === undefined ? reading : asWritten(reading, text);
  }
  if (fault.what !== 'limit' && fault.what !== 'undefined') return readingOf({}, [notHeld(fault)]);
  try {
    const reading = readTolerant(text ?? JSON.stringify(value), { limits });
    const rounded = text === undefined && reading.marks?.unsafe ? [tooLarge] : [];
    return { ...reading, problems: [...reading.problems, ...rounded] };
  } catch {
    return readingOf({}, [tooDeep(limits)]);
  }
}

/** A value without repairs, whose structure is certain. */
export const readingOf = (value: unknown, problems: readonly Problem[] = []): Reading => ({
  value: value as JsonValue,
  repairs: [],
  problems,
  nesting: 'sure',
});

const notHeld = ({ path, what }: InvalidValue): Problem =>
  problemAt(path, 'type', `is ${what}, which JSON cannot express`);

/** No arguments, as `before` says. */
const nothing = (before: string | null | undefined, repairs: readonly Repair[] = []): Reading => ({
  ...readingOf({}),
  repairs:
    before === undefined ? [] : [...repairs, { path: [], kind: 'empty', before, after: {}, certainty: 'lossless' }],
});

const notBegun = rootProblem('truncated', 'is cut off: the message ended before the arguments began');

/** An integer that a number can't represent, if no field can be named. */
export const tooLarge: Problem = rootProblem(
  'unsafe_integer',
  'holds an integer too large to represent exactly; send it as a string',
);

const tooDeep = (limits: Limits): Problem =>
  rootProblem('depth', `is nested more than ${limits.depth} deep, or contains itself`);
