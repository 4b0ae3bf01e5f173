import { hasOwn, isObject, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { isCallBlock } from '../grammar/call-blocks.ts';
import { grammarOf } from '../grammar/grammar.ts';
import { type Respelled, respelled, spellingOf, startsInMarker } from '../grammar/marker-spelling.ts';
import { endMachine } from '../machine/run.ts';
import { type Machine, newMachine } from '../machine/state.ts';
import { isTemplate } from '../placement/template.ts';
import type { Dialect } from '../types.ts';

/**
 * Reads a response that consists of calls with faulty markers: spelled in another way, without their opener, or in
 * markers that no dialect has. The markers are mended for one dialect after the other, and the result is read. Undefined
 * if nothing but valid calls of existing tools doesn't result, or if dialects disagree.
 */
export function readMendedMessage(text: string, rows: readonly Dialect[], toolbox: Toolbox): Machine | undefined {
  if (text.length > longest) return undefined;
  let found: Machine | undefined;
  for (const row of rows) {
    const read = readAs(row, text, toolbox);
    if (!read) continue;
    if (found && written(found) !== written(read)) return undefined;
    found ??= read;
  }
  return found;
}

/** Longer texts are read up to a hundred times at a cost that isn't worth it. */
const longest = 128 * 1024;

const written = ({ calls }: Machine): string => JSON.stringify(calls.map(({ name, input }) => [name, input]));

function readAs(row: Dialect, text: string, toolbox: Toolbox): Machine | undefined {
  const spelled = respelled(text, row);
  if (!spelled) return undefined;
  const tried = new Set([text]);
  for (const attempt of attemptsOf(row, spelled, toolbox)) {
    if (tried.has(attempt)) continue;
    tried.add(attempt);
    const m = readWhole(attempt, row, toolbox);
    const added = [...spellingOf(row).barred.values()].filter((head) => attempt.includes(head) && !text.includes(head));
    if (m && !holdsMarker(m, [...spelled.replaced, ...added])) return m;
  }
  return undefined;
}

function readWhole(text: string, row: Dialect, toolbox: Toolbox): Machine | undefined {
  const m = newMachine(
    grammarOf(
      alone(row),
      toolbox.list().map(({ name }) => name),
    ),
    toolbox,
    true,
  );
  Object.assign(m, { buffer: text, whole: true, sure: false });
  endMachine(m);
  const isText = m.events.some((event) => event.type === 'text' && /\S/.test(event.text));
  // A key that no tool declares may be a marker or a part of one.
  const isSure = ({ status, name, input, tool }: Machine['calls'][number]): boolean =>
    status !== 'invalid' &&
    findTool(name, toolbox).tool !== undefined &&
    !isTemplate(input, tool?.schema.json) &&
    (row.group !== 'C' || Object.keys(input as object).every((key) => isDeclared(key, tool?.schema.json)));
  return m.calls.length > 0 && !isText && m.calls.every(isSure) ? m : undefined;
}

function isDeclared(key: string, schema: JsonSchema | undefined): boolean {
  const properties = propertiesOf(schema);
  return Object.keys(properties).length === 0 || hasOwn(properties, key);
}

const lists = new WeakMap<Dialect, readonly Dialect[]>();

/** A row alone, without words that a marker makes a call; created once because grammars are cached by their list. */
function alone(row: Dialect): readonly Dialect[] {
  const known = lists.get(row) ?? [{ ...row, forms: row.forms.filter(({ calls }) => !calls) }];
  lists.set(row, known);
  return known;
}

/** Whether a value contains a marker that was mended. It may have been part of the value as it was. */
function holdsMarker({ calls }: Machine, mended: readonly string[]): boolean {
  const holds = (value: unknown): boolean =>
    typeof value === 'string'
      ? mended.some((marker) => value.includes(marker))
      : Array.isArray(value)
        ? value.some(holds)
        : isObject(value) && Object.values(value as Record<string, JsonValue>).some(holds);
  return mended.length > 0 && calls.some(({ input }) => holds(input));
}

const firstTag =
  /^\s*<[ \t]{0,3}(\/?)(?:[ \t]{0,3}[|｜‖]{1,2}[ \t]{0,3}\w{1,12}[ \t]{0,3}[|｜‖]{1,2}[ \t]{0,3})?([^\s<>{}"']{2,60})>\s*/;
const lastTag =
  /(?<!\s)\s*<[ \t]{0,3}(\/?)(?:[ \t]{0,3}[|｜‖]{1,2}[ \t]{0,3}\w{1,12}[ \t]{0,3}[|｜‖]{1,2}[ \t]{0,3})?([^\s<>{}"']{2,60})>\s*$/;
const doubled = /(<[^<>\n]{2,60}>)(?:\s*\1)+/g;

/** What the text may have been: as it is spelled now, and with one fault of its outer markers mended. */
function* attemptsOf(row: Dialect, { text, count }: Respelled, tools: Toolbox): Generator<string> {
  const first = firstTag.exec(text);
  const last = lastTag.exec(text);
  if (count > 0) {
    yield text;
    yield text.replace(doubled, (all, one: string) => (aroundValues(row).has(one) ? all : one));
    // A closer for the opener, or an opener for the closer.
    if (first?.[1] && !text.includes(first[0].trim().replace('</', '<'))) yield text.replace('</', '<');
    if (last && !last[1] && last.index > 0) yield text.slice(0, last.index) + last[0].replace('<', '</');
    if (/[BD]/.test(row.group)) yield text.replace(parentheses, '$1{$2}$3');
    if (row.group === 'A') yield text.replace(doubledBraces, '$1').replace(attributeName, '{"$1": "');
    for (const { open } of row.forms) yield* withMiddle(text, open);
    yield withBrackets(row, text);
    for (const { param = '' } of row.forms) {
      yield* withKeys(text, param, tools);
      yield* withValues(text, param);
    }
    yield* opened(row, text, tools);
  }
  for (const { open, body } of row.forms) if (body === 'args') yield* withHead(text, open);
  // Markers with other words, around everything, at one end or among the last closers.
  const markers = new Set([...spellingOf(row).barred.values()].map((head) => `${head}>`));
  if (count > 0) for (const { param = '' } of row.forms) yield withoutOther(text, param, markers);
  const isBlock = (tag: RegExpExecArray | null): tag is RegExpExecArray =>
    tag !== null && isCallBlock(tag[2] ?? '') && !markers.has(tag[0].trim());
  const inner = text.slice(isBlock(first) ? first[0].length : 0, isBlock(last) ? last.index : text.length).trimStart();
  if (inner === text || (count === 0 && !/^[[{]/.test(inner))) return;
  yield inner;
  yield* opened(row, inner, tools);
}

/** The markers around values. Twice, they may be part of one. */
const aroundValues = ({ forms }: Dialect): ReadonlySet<string> =>
  new Set(forms.flatMap(({ param = '' }) => valueMarkers.exec(param.replaceAll('{sfx}', ''))?.slice(1) ?? []));
const valueMarkers = /(<[^<>{}]+>)?\{value\}(<[^<>{}]+>)?/;

const valueEnd = /\{value\}(<\/[^<>{}~]+>)/;
const closers = /^(?:\s*<\/[\w:-]{2,60}>){2,20}\s*$/;
const closer = /<\/([\w:-]{2,60})>/g;

/** A text without closers that no row has, between those after its last value. */
function withoutOther(text: string, param: string, markers: ReadonlySet<string>): string {
  const [, value = ''] = valueEnd.exec(param) ?? [];
  const from =
    value === '' ? Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1 : text.lastIndexOf(value) + value.length;
  const ends = text.slice(from);
  if (from < Math.max(1, value.length) || !closers.test(ends)) return text;
  return (
    text.slice(0, from) +
    ends.replace(closer, (one, word: string) => (isCallBlock(word) && !markers.has(one) ? '' : one))
  );
}

/**
 * A text in which inner openers have their first bracket, if all of a kind lost it and there are as many as closers.
 * Otherwise one of them may be part of a value.
 */
function withBrackets(row: Dialect, text: string): string {
  let made = text;
  for (const head of spellingOf(row).barred.values()) {
    const [, word] = /^<(\w{5,40})$/.exec(head) ?? [];
    if (word === undefined || made.includes(head) || !made.includes(word)) continue;
    const opened = made.replace(new RegExp(`(?<![\\w</])${word}(?:=[\\w.:-]{1,128})?>`, 'g'), '<$&');
    if (opened.split(head).length === made.split(`</${word}`).length) made = opened;
  }
  return made;
}

/** Arguments in parentheses, which may stand for braces. */
const parentheses = /^([^(){}]*)\(([\s\S]*)\)([^(){}]*)$/;
const keyed = /^(<[^<>{}]+>)\{key\}(<\/[^<>{}]+>)/;

/** Braces around an object in braces, each twice. */
const doubledBraces = /\{\s*(\{\s*"[\s\S]*\})\s*\}/;

/** A name as in an attribute, at the start of a call. In a string, its quotes would be escaped. */
const attributeName = /\{\s*"(name|tool|function)="(?=[\w.:-]{1,128}"\s*,)/g;

/** A text in which arguments follow a name without the marker between them. */
function* withMiddle(text: string, open: string): Generator<string> {
  const [, head = '', middle = ''] = /^(<[^{}~]+>)~?\{name\}[^<]*(<[^{}~]+>)~?$/.exec(open) ?? [];
  if (middle === '' || text.includes(middle)) return;
  yield text
    .split(head)
    .map((part, at) => (at === 0 ? part : part.replace(/^(\s*[\w.:-]{1,128}?)\s*(?=\{)/, `$1${middle}`)))
    .join(head);
}

/** A text in which a name stands in its tag, which ends before the arguments: `<function/exec>{`, `<function=exec{`. */
function* withHead(text: string, open: string): Generator<string> {
  const [, word = ''] = /^<(\w+)=\{name\}>$/.exec(open) ?? [];
  const head = new RegExp(`<${word}\\s{0,3}[=/(:]\\s{0,3}([\\w.:-]{1,128})\\s{0,3}[)>]{0,2}\\s{0,9}(?=\\{)`, 'g');
  if (word !== '') yield text.replace(head, `<${word}=$1>`);
}

/** Whether a value is closed that nothing opened. */
function isUnopened(part: string, open: string, close: string): boolean {
  const [value = '', ...more] = part.split(close);
  return more.length > 0 && /\S/.test(value) && !value.includes(open);
}

const valued = /^<[^<>{}]+>\{key\}(<\/[^<>{}]+>)(<[^<>{}]+>)\{value\}(<\/[^<>{}]+>)/;

/** The text after a key's opener, with the key's closer before the value's opener. */
function withCloser(part: string, keyed: string, open: string): string {
  const at = part.indexOf('<');
  // A closer behind it was swapped with it, or is part of the value.
  return at > 0 && part.startsWith(open, at) && !part.startsWith(keyed, at + open.length)
    ? part.slice(0, at) + keyed + part.slice(at)
    : part;
}

/**
 * A value with its opener behind the line break after the key. More white space may be part of the value: it is refused.
 * So is a part of a marker at its start.
 */
function withValue(part: string, open: string): string {
  const [gap = ''] = /^[ \t]*\r?\n/.exec(part) ?? [];
  // Without its bracket, the opener would be part of the value.
  if (part.trimStart().startsWith(open.slice(1))) return part.replace(open.slice(1), open);
  if (startsInMarker(part, open)) return part;
  return /^\s/.test(part.slice(gap.length)) ? part : gap + open + part.slice(gap.length);
}

/** A text in which every key has its closer, every value its opener, and no value only its closer. */
function* withValues(text: string, param: string): Generator<string> {
  const [, keyed, open, close] = valued.exec(param.replaceAll('{sfx}', '')) ?? [];
  if (!keyed || !open || !close) return;
  const begun = keyed.replace('</', '<');
  yield text
    .split(begun)
    .map((part, at) => (at === 0 ? part : withCloser(part, keyed, open)))
    .join(begun);
  if (!text.includes(keyed)) yield text.replace(close, '');
  else
    yield text
      .split(keyed)
      .map((part, at) => (at === 0 || !isUnopened(part, open, close) ? part : withValue(part, open)))
      .join(keyed);
}

/** A text in which every key has its opener: it was missing, glued to the name, or another marker stood for it. */
function* withKeys(text: string, param: string, tools: Toolbox): Generator<string> {
  const [, open, close] = keyed.exec(param.replaceAll('{sfx}', '')) ?? [];
  if (!open || !close) return;
  const names = tools.list().map(({ name }) => name);
  const made = text
    .split(close)
    .map((part, at, all) => (at === all.length - 1 || part.includes(open) ? part : withOpener(part, open, names)));
  yield made.join(close);
}

/** The text up to a key's closer, with its opener after the last marker or, at the start, after a tool's name. */
function withOpener(part: string, open: string, names: readonly string[]): string {
  const [, before = '', key = ''] = /^([\s\S]*>)?([^<>]*)$/.exec(part) ?? [];
  const name = names
    .filter((one) => key.trimStart().startsWith(one) && key.trim() !== one)
    .sort((a, b) => b.length - a.length)[0];
  if (name !== undefined) return `${before}${name}${open}${key.trimStart().slice(name.length).trim()}`;
  // A marker that opens no value stands for the opener.
  return before.replace(/<[^<>/]*>$/, '') + open + key;
}

/** The marker or the parameter that follows a name, if there is one. */
const behindName = /^<?[^{]*\{name\}~*([^~{\s]{3,})/;

/** A text with the opener that it lacks: of its first call, also if its closer was stripped too, or of each of several. */
function* opened(row: Dialect, text: string, tools: Toolbox): Generator<string> {
  for (const { open, param = '', close = [], bare, start, calls, readOnly } of row.forms) {
    const head = /^[^{]*/.exec(open)?.[0].replaceAll('~', '').trimEnd() ?? '';
    // An object without a name lacks more than the opener.
    const isOther = open.includes('{name}') && /^\s*[[{]/.test(text);
    if (!bare && !start && !calls && !readOnly && !isOther && head.length > 2 && !text.trimStart().startsWith(head)) {
      yield head + text.trimStart();
      const [, value = ' '] = valueEnd.exec(param) ?? [];
      if (text.trimEnd().endsWith(value) && !text.includes(head)) yield head + text.trim() + (close[0] ?? '');
      const [, next] = behindName.exec(open + param) ?? [];
      if (next !== undefined && !text.includes(head)) yield withOpeners(text, head, next, tools);
    }
  }
}

const nameAtEnd = /(^|[>\]}]\s*)([\w.-]{1,128})(:\d{1,4})?\s*$/;

/** A text with the opener before every name of a tool that the marker `next` follows, at the start or after a call. */
const withOpeners = (text: string, head: string, next: string, tools: Toolbox): string =>
  text
    .split(next)
    .map((part, at, all) => {
      const from = Math.max(0, part.length - 200);
      const [begun, before = '', name = ''] = nameAtEnd.exec(part.slice(from)) ?? [];
      const isStart = before !== '' || (at === 0 && from === 0);
      if (begun === undefined || !isStart || at === all.length - 1 || !findTool(name, tools).tool) return part;
      const place = part.length - begun.length + before.length;
      return part.slice(0, place) + head + part.slice(place);
    })
    .join(next);
