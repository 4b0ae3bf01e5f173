import { asWritten, type Reading, readJson } from '../../json/read-json.ts';
import { keepWritten } from '../../json/reading.ts';
import { decodeEntities } from '../../json/tolerant/chars.ts';
import { hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { isJsonObject, schemaFor } from '../call/arguments.ts';
import { newCallNotes } from '../call/call-notes.ts';
import { argumentKeys } from '../call/call-shape.ts';
import { readTagged } from '../call/typing.ts';
import { namesCalls } from '../grammar/call-blocks.ts';
import type { Grammar } from '../grammar/grammar.ts';
import { closeCall } from '../machine/open-call.ts';
import { type Machine, newMachine } from '../machine/state.ts';
import { endsInCloser, startsInOpener } from '../machine/tagged-value.ts';
import { isTemplate } from '../placement/template.ts';

/** An element: its tag with attributes, and what it contains. */
interface Element {
  readonly name: string;
  readonly opener: string;
  /** Attributes, and the word after `=` in a tag such as `<parameter=city>`. */
  readonly attributes: readonly (readonly [key: string, value: string])[];
  readonly children: Element[];
  text: string;
}

/** A call as its parts say, before its values have types. */
interface Found {
  readonly tool: string;
  readonly values: JsonObject;
  readonly json: JsonObject | undefined;
}

/**
 * Reads a response in a form that no dialect has: elements, attributes, or a label with a tool's name. Which words mark
 * the call doesn't matter, but every name must be that of a tool or of one of its fields, and nothing else may be there.
 */
export function readInventedMessage(text: string, toolbox: Toolbox, grammar: Grammar): Machine | undefined {
  const root = parse(labelled(text, toolbox) ?? headed(text, toolbox) ?? unopened(text), toolbox);
  const found =
    arrowed(text, toolbox) ?? (root && isCalls(root.children, toolbox) ? callsIn(root, toolbox) : undefined);
  if (!found || found.length === 0) return undefined;
  const m = newMachine(grammar, toolbox, true);
  Object.assign(m, { ended: true, sure: false });
  for (const { tool, values, json } of found) {
    const schema = schemaFor(m, tool);
    const notes = newCallNotes();
    const given = json ?? readTagged(values, {}, schema, notes);
    if (isTemplate(given, schema)) return undefined;
    closeCall(m, { name: tool, arguments: given, read: notes.read }, { name: 'tagged' }, false, notes.problems);
  }
  return m.calls.every(({ status }) => status !== 'invalid') ? m : undefined;
}

/** Whether elements may be calls or blocks of them. Others are data, which may have the same names, or list the tools. */
const isCalls = (elements: readonly Element[], toolbox: Toolbox): boolean =>
  elements.every(({ name }) => toolbox.has(name) || (namesCalls(name) && !/^(?:tools|functions)$/i.test(name)));

const label =
  /^\s*\[(?:([\p{L} ]{1,30}):)?\s*([\w.:-]{1,128})(?:\s+\(id:\s*[\w-]{1,80}\))?\]\s*(?:(?:arguments|parameters|args):\s*(?=\{)|(?=[<{]))/iu;
const labelledCall = /^\s*\[([\p{L} ]{1,30}):\s*([\w.:-]{1,128})\s*\((\s*\{[\s\S]*\}\s*)\)\s*\]\s*$/u;
/** The words that say that a call is being made. Any other word may say that it was made, shown or rejected. */
const callingWords = new Set(
  'action call calling execute executing function invocation invoke invoking run running the tool use using'.split(' '),
);
const saysCall = (words: string): boolean =>
  words
    .toLowerCase()
    .split(' ')
    .every((word) => word === '' || callingWords.has(word));

/**
 * A label with a tool's name, as an element around its arguments: `[tool: exec] {…}`, `[Tool Call: exec (ID: 1)]
 * Arguments: {…}`, `[Calling tool: exec({…})]`.
 */
function labelled(text: string, toolbox: Toolbox): string | undefined {
  const [begun, words = '', name = ''] = label.exec(text) ?? [];
  if (begun !== undefined && toolbox.has(name))
    return saysCall(words) ? `<${name}>${text.slice(begun.length)}</${name}>` : undefined;
  const [, before = '', called = '', given = ''] = labelledCall.exec(text) ?? [];
  return toolbox.has(called) && saysCall(before) ? `<${called}>${given}</${called}>` : undefined;
}

const arrowCall =
  /\s*\[TOOL_CALL\]\s*\{\s*tool\s*=>\s*"([\w.:-]{1,128})"\s*,\s*args\s*=>\s*\{([\s\S]*?)\}\s*\}\s*\[\/TOOL_CALL\]\s*/y;
const option = /\s*--([\w-]{1,128})[ \t]+("(?:[^"\\]|\\["\\])*"|-?\d[\d.]*|true|false|null)[ \t]*(?=\r?\n|$)/y;

/** Calls with arrows, and arguments as the options of a command: `{tool => "exec", args => {\n--command "ls"\n}}`. */
function arrowed(text: string, toolbox: Toolbox): readonly Found[] | undefined {
  const calls: Found[] = [];
  for (let at = 0; at < text.length; at = arrowCall.lastIndex) {
    arrowCall.lastIndex = at;
    const [, tool = '', options = ''] = arrowCall.exec(text) ?? [];
    const json = toolbox.has(tool) ? optionsIn(options.trimEnd()) : undefined;
    const properties = propertiesOf(toolbox.get(tool)?.schema.json);
    if (!json || !Object.keys(json).every((key) => hasOwn(properties, key))) return undefined;
    calls.push({ tool, values: {}, json });
  }
  return calls;
}

/** Options, each on a line of its own and once, as an object. */
function optionsIn(text: string): JsonObject | undefined {
  const members: string[] = [];
  for (let at = 0; at < text.length; at = option.lastIndex) {
    option.lastIndex = at;
    const [, key = '', value = ''] = option.exec(text) ?? [];
    if (key === '') return undefined;
    members.push(`"${key}": ${value}`);
  }
  const { value, problems, repairs } = readObject(`{${members.join()}}`);
  const isOnce = repairs.every(({ kind }) => kind !== 'duplicate');
  return problems.length === 0 && isOnce && isObject(value) ? value : undefined;
}

/** Reads an object that is checked on its own, with how its numbers are written. */
function readObject(text: string): Reading {
  const reading = asWritten(readJson(text), text);
  keepWritten(reading.value);
  return reading;
}

const head = /^\s*<([A-Za-z_]{2,30})>\s*([\w.:-]{1,128})\s*<\/([A-Za-z_]{2,30})>\s*(?=<\w+(?:=|\s+\w+=))/;
const closersAfter = /(?<!\s)(?:\s*<\/([A-Za-z_:]{2,30})>)+\s*$/;

/** A tool's name in a tag that another one closes, before parameters: `<name>exec</parameter><parameter=command>…`. */
function headed(text: string, toolbox: Toolbox): string | undefined {
  const [begun, opened, name = '', closed] = head.exec(text) ?? [];
  if (begun === undefined || opened === closed || !toolbox.has(name)) return undefined;
  const rest = text.slice(begun.length);
  const [ends = ''] = closersAfter.exec(rest) ?? [];
  const own = /^\s*<\/\w+>/.exec(ends)?.[0] ?? '';
  const others = [...ends.slice(own.length).matchAll(/<\/([A-Za-z_:]{2,30})>/g)];
  if (!others.every(([, word = '']) => namesCalls(word))) return undefined;
  return `<${name}>${rest.slice(0, rest.length - ends.length)}${own}</${name}>`;
}

/** A tag that lost its first bracket: `exec command="ls" />`. */
const unopened = (text: string): string =>
  /^\s*[\w.:-]{1,128}\s+[\w-]{1,60}=["'][^<>]*\/>\s*$/.test(text) ? `<${text.trimStart()}` : text;

const tag =
  /<(\/?)([A-Za-z_][\w:.-]{0,127})(=[^<>\s]{1,128})?((?:\s+[\w:-]{1,60}\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const attribute = /([\w:-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const deepest = 8;

/**
 * The attributes of a tag. XML escapes their values, unlike the text of an element in a dialect. Undefined if one has an
 * entity that can't be decoded, or one beside a sign that XML also escapes, so that it may be meant literally.
 */
function attributesOf(written: string): readonly (readonly [key: string, value: string])[] | undefined {
  const pairs = [...written.matchAll(attribute)].map(([, key = '', one, other]) => [key, one ?? other ?? ''] as const);
  const decoded = pairs.map(([key, value]) => [key, decodeEntities(value)] as const);
  return pairs.some(([, value]) => entity.test(value) && !isEscaped(value)) ? undefined : decoded;
}

const entity = /&(?:#\w{1,9}|\w{1,32});/;
const isEscaped = (value: string): boolean =>
  /^(?:[^&<]|&(?:lt|gt|amp|quot|apos|#(?!0+;)\d{1,7}|#x(?!0+;)[\da-fA-F]{1,6});)*$/.test(value) &&
  decodeEntities(value).isWellFormed();

/**
 * Parses elements. The last blocks of calls need no closers. Undefined if another tag isn't closed, closes another element,
 * or is too deep.
 */
function parse(text: string, toolbox: Toolbox): Element | undefined {
  const root: Element = { name: '', opener: '', attributes: [], children: [], text: '' };
  const stack = [root];
  let from = 0;
  for (const match of text.matchAll(tag)) {
    const [whole, closes, name = '', word, attributes = '', isEmpty] = match;
    const top = stack.at(-1) as Element;
    top.text += text.slice(from, match.index);
    from = match.index + whole.length;
    const given = attributesOf(attributes);
    if (given === undefined) return undefined;
    if (closes) {
      if (top.name !== name || stack.length === 1) return undefined;
      if (endsInCloser(top.text, whole) || startsInOpener(top.text, top.opener)) return undefined;
      stack.pop();
      continue;
    }
    const element: Element = {
      name,
      opener: whole,
      attributes: [...(word ? [['', word.slice(1)] as const] : []), ...given],
      children: [],
      text: '',
    };
    top.children.push(element);
    if (!isEmpty) stack.push(element);
    if (stack.length > deepest) return undefined;
  }
  (stack.at(-1) as Element).text += text.slice(from);
  const mayEnd = ({ name, text: said, attributes, children }: Element): boolean =>
    !toolbox.has(name) &&
    attributes.length === 0 &&
    !/\S/.test(said) &&
    children.length > 0 &&
    isCalls(children, toolbox);
  return !/\S/.test(root.text) && root.children.length > 0 && stack.slice(1).every(mayEnd) ? root : undefined;
}

/** The calls in an element: itself, or all of its children. Undefined if there is anything else. */
function callsIn(element: Element, toolbox: Toolbox): readonly Found[] | undefined {
  const call = element.name === '' ? undefined : callOf(element, toolbox);
  if (call) return [call];
  if (element.children.length === 0 || /\S/.test(element.text) || element.attributes.length > 0) return undefined;
  const calls = element.children.map((child) => callsIn(child, toolbox));
  return calls.every((one) => one !== undefined) ? calls.flat() : undefined;
}

/** A key with its value, and the group of elements that it is in, if any. */
interface Part {
  readonly key: string;
  readonly value: string;
  readonly group?: Element;
}

/** A call: exactly one part is the name of a tool, and all others are fields of it, each once. */
function callOf(element: Element, toolbox: Toolbox): Found | undefined {
  const parts = partsOf(element);
  if (!parts) return undefined;
  const own = toolbox.has(element.name) ? [element.name] : [];
  const naming = parts.filter(({ value }) => toolbox.has(value.trim()));
  const named = naming.filter(({ value }) => !own.includes(value.trim()));
  const tool = own[0] ?? named[0]?.value.trim();
  if (tool === undefined || (own.length === 0 && naming.length !== 1)) return undefined;
  const properties = propertiesOf(toolbox.get(tool)?.schema.json);
  // The name may be repeated: `<exec tool="exec" …>`.
  const rest = parts.filter(
    (part) => !(naming.includes(part) && part.value.trim() === tool && !hasOwn(properties, part.key)),
  );
  const [only] = rest;
  // Fields in a group and beside it, or in two groups, may belong to something else.
  if (rest.some(({ group }) => group !== only?.group)) return undefined;
  const json = rest.length === 1 && only && !hasOwn(properties, only.key) ? objectIn(only) : undefined;
  if (json) return { tool, values: {}, json };
  const values: JsonObject = {};
  for (const { key, value } of rest) {
    if (!hasOwn(properties, key) || hasOwn(values, key)) return undefined;
    Object.defineProperty(values, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return own.length > 0 || rest.length > 0 ? { tool, values, json: undefined } : undefined;
}

/** All arguments as JSON, under a word for them or none. */
function objectIn({ key, value }: Part): JsonObject | undefined {
  if (key !== '' && !(argumentKeys as readonly string[]).includes(key)) return undefined;
  const { value: read, problems, repairs } = readObject(value.trim());
  const isSure = problems.length === 0 && repairs.every(({ certainty }) => certainty === 'lossless');
  const isClosed = /^\s*\{[\s\S]*\}\s*$/.test(value) && isJsonObject(value.trim(), false);
  return isClosed && isSure && isObject(read) ? read : undefined;
}

/** Keys and values of an element: attributes, text, and children; those without their own text are groups of them. */
function partsOf({ attributes, children, text }: Element): readonly Part[] | undefined {
  if (children.length > 0 && /\S/.test(text)) return undefined;
  const parts: Part[] = attributes.map(([key, value]) => ({ key, value }));
  if (/\S/.test(text)) parts.push({ key: '', value: text });
  for (const child of children) {
    if (child.children.length > 0) {
      const inner = child.attributes.length > 0 ? undefined : partsOf(child);
      if (!inner || inner.some(({ group }) => group)) return undefined;
      parts.push(...inner.map(({ key, value }) => ({ key, value, group: child })));
    } else {
      // The tag is the key, or an attribute that it has for it.
      const [[, key] = ['', child.name], ...more] = child.attributes;
      if (more.length > 0) return undefined;
      parts.push({ key: key as string, value: trimmed(child.text) });
    }
  }
  return parts;
}

/** A value on its own lines has a line break on both sides. */
const trimmed = (text: string): string => text.replace(/^\r?\n([\s\S]*?)\r?\n[ \t]*$/, '$1');
