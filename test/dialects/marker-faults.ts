import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { Dialect } from '../../src/dialect/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** Every dialect with every single fault of its markers, generated from the rows. */

type Value = Readonly<Record<string, string | number>>;

/** A call in a dialect: its text, cut into markers and what is between them. */
export interface Written {
  readonly row: Dialect;
  readonly name: string;
  readonly arguments: Value;
  /** The arguments of a second call of the same tool. */
  readonly second?: Value;
  readonly text: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly text: string;
  readonly marker: boolean;
}

/** A fault of markers; undefined if the text has nothing that it could damage. */
export interface MarkerFault {
  readonly name: string;
  readonly apply: (written: Written) => string | undefined;
  /** Whether it damages all markers, so that none is intact. */
  readonly all?: boolean;
  /** Whether it damages both of two calls. */
  readonly pair?: boolean;
  /** The city that it makes. */
  readonly value?: string;
}

/** The tools of the table. */
export const faultToolbox = (effect: 'read' | 'destructive' = 'read'): Toolbox =>
  new Toolbox([
    tool({
      name: 'get_weather',
      description: 'Tells the weather of a city',
      effect,
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city', 'days'],
        additionalProperties: false,
      },
    }),
    tool({
      name: 'search_web',
      description: 'Searches the web',
      effect,
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
        additionalProperties: false,
      },
    }),
  ]);

/** Markers in brackets of any kind. */
const markers = /\]<\]minimax\[>\[<[^<>\n]*>|<[^<>\n]*>|\[\/?[A-Z_]{3,}\]/g;

function partsOf(text: string, { quote = '' }: Dialect): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: marker, index } of text.matchAll(markers)) {
    if (marker === quote) continue;
    if (index > from) parts.push({ text: text.slice(from, index), marker: false });
    parts.push({ text: marker, marker: true });
    from = index + marker.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), marker: false });
  return parts;
}

const writes = ({ forms, frame }: Dialect): boolean => forms.length > 0 || frame !== undefined;

/** A call of each dialect that writes any. */
const writtenAs = (pair: boolean): readonly Written[] =>
  dialects.filter(writes).map((row) => {
    const isWord = row.forms.find(({ readOnly }) => !readOnly)?.body === 'word';
    const call = isWord
      ? { name: 'search_web', arguments: { query: 'tacos' } }
      : { name: 'get_weather', arguments: { city: 'Oslo', days: 3 } };
    const second: Value | undefined = pair ? (isWord ? { query: 'pizza' } : { city: 'Bergen', days: 2 }) : undefined;
    const calls = [call, ...(second ? [{ ...call, arguments: second }] : [])];
    const text = renderCalls(calls, row.name, faultToolbox());
    return { row, ...call, ...(second && { second }), text, parts: partsOf(text, row) };
  });

export const writtenCalls: readonly Written[] = writtenAs(false);
const writtenPairs = writtenAs(true);

const texts = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');
const firstOf = ({ parts }: Written): number => parts.findIndex(({ marker }) => marker);
/** The marker that ends the text; -1 if the text ends otherwise. */
const lastOf = ({ parts }: Written): number => {
  const last = parts.findLastIndex(({ text }) => text.trim() !== '');
  return parts[last]?.marker && last > firstOf({ parts } as Written) ? last : -1;
};

/** Changes one marker. */
const change = (written: Written, at: number, made: (marker: string) => string): string | undefined =>
  at < 0
    ? undefined
    : texts(written.parts.map((part, index) => (index === at ? { ...part, text: made(part.text) } : part)));

/** Removes the first or the last marker that each of two calls has. */
const ofEach =
  (which: 'find' | 'findLast') =>
  ({ parts }: Written): string | undefined => {
    const marker = parts[which](({ text, marker: is }) => is && parts.filter((one) => one.text === text).length === 2);
    return marker && texts(parts.filter(({ text }) => text !== marker.text));
  };

/** Changes all markers. */
const changeAll = ({ parts }: Written, made: (marker: string) => string): string =>
  texts(parts.map((part) => (part.marker ? { ...part, text: made(part.text) } : part)));

const first = (made: Change) => (written: Written) => change(written, firstOf(written), made);
const last = (made: Change) => (written: Written) => change(written, lastOf(written), made);
const all = (made: Change) => (written: Written) => changeAll(written, made);
const nothing = (): string => '';

/** Where the markers of the parameters are: those with their first key, and what closes its value. */
function paramOf({ row, parts, arguments: given }: Written): { open: number; close: number } | undefined {
  const form = row.forms.find(({ readOnly }) => !readOnly);
  if (form?.body !== 'params') return undefined;
  const [[key = '', value = ''] = []] = Object.entries(given);
  const at = parts.findIndex(({ text, marker }) => !marker && text.trim() === value);
  const inTag = parts.findIndex(({ text }) => text.includes(key));
  const open = parts[inTag]?.marker ? inTag : inTag - 1;
  return at < 0 || inTag < 0 ? undefined : { open, close: at + 1 };
}

const param = (which: 'open' | 'close', made: Change) => (written: Written) => {
  const found = paramOf(written);
  return found && change(written, found[which], made);
};

/** The section around the calls. */
function sectionOf({ row, parts }: Written): readonly number[] {
  const plain = (template: string): string => template.replace(/\{\w+\}|~/g, '');
  const tags = new Set((row.sections ?? []).flatMap((pair) => pair.map(plain)));
  return parts.flatMap(({ text, marker }, at) => (marker && tags.has(text) ? [at] : []));
}

const bars = /[|｜]/g;
const attribute = /="([^"]*)"/g;
type Change = (marker: string) => string;
const swap =
  (from: RegExp, to: string): Change =>
  (marker) =>
    marker.replace(from, to);
const brackets =
  (open: string, close: string): Change =>
  (marker) =>
    marker.replaceAll('<', open).replaceAll('>', close);
const spaced: Change = (marker) => marker.replace(/^(<\/?)(?=[\w|｜])/, '$1 ').replace(/>$/, ' >');
const renamed: Change = (marker) => marker.replace(/[a-z]+(?:[_▁][a-z]+)+(?!=)/i, 'tool_use');
const other = (closer: string, instead: string) => last((marker) => (marker === closer ? instead : closer));

/** Changes the opener and the closer. */
const outer = (made: Change) => (written: Written) =>
  texts(
    written.parts.map((part, at) =>
      at === firstOf(written) || at === lastOf(written) ? { ...part, text: made(part.text) } : part,
    ),
  );

/** Whether markers contain the name of the tool or of a field, which no fault changes. */
const holdsNames = ({ parts, name, arguments: given }: Written): boolean =>
  parts.some(({ marker, text }) => marker && [name, ...Object.keys(given)].some((word) => text.includes(word)));

/** Changes the opener of the first parameter, if its key isn't part of it. */
const keyOpener = (made: (written: Written) => string) => (written: Written) => {
  const found = paramOf(written);
  const [key = ''] = Object.keys(written.arguments);
  if (!found || written.parts[found.open]?.text.includes(key)) return undefined;
  return change(written, found.open, () => made(written));
};

/** The faults. Each damages one thing. */
export const markerFaults: readonly MarkerFault[] = [
  { name: 'opener missing', apply: first(nothing) },
  { name: 'closer missing', apply: last(nothing) },
  { name: 'opener and closer missing', apply: (one) => (lastOf(one) < 0 ? undefined : outer(nothing)(one)) },
  { name: 'openers of two calls missing', apply: ofEach('find'), pair: true },
  { name: 'closers of two calls missing', apply: ofEach('findLast'), pair: true },
  {
    name: 'section markers missing',
    apply: (written) => {
      const section = sectionOf(written);
      return section.length === 0 ? undefined : texts(written.parts.filter((_, at) => !section.includes(at)));
    },
  },
  {
    name: 'special tokens missing',
    apply: ({ parts }) => texts(parts.filter(({ text }) => !/^<[|｜][^<>]*[|｜]>$|^\[\w+\]$/.test(text))),
  },
  { name: 'opener doubled', apply: first((marker) => marker + marker) },
  { name: 'closer doubled', apply: last((marker) => marker + marker) },
  { name: 'closer without its slash', apply: last(swap(/<\//, '<')) },
  { name: 'closer with a slash', apply: last(swap(/<(?=[a-z])/, '</')) },
  { name: 'opener with a slash', apply: first(swap(/<(?=\w)/, '</')) },
  { name: 'closer of a value for the closer of the call', apply: last(() => '</arg_value>') },
  { name: 'closer of another dialect', apply: other('</function_calls>', '</tool_call>') },
  { name: 'special closer of another dialect', apply: other('<|tool_call_end|>', '<|END_ACTION|>') },
  { name: 'other block name in the opener', apply: first(renamed) },
  { name: 'other block name in opener and closer', apply: outer(renamed) },
  { name: 'closer cut off', apply: last((marker) => marker.slice(0, -2)) },
  { name: 'opener without its first bracket', apply: first(swap(/^[<[]/, '')) },
  { name: 'opener without its last bracket', apply: first(swap(/[>\]]$/, '')) },
  { name: 'bars doubled', apply: all(swap(bars, '$&$&')), all: true },
  { name: 'bars missing', apply: all(swap(bars, '')), all: true },
  { name: 'ASCII bars', apply: all(swap(/｜/g, '|')) },
  { name: 'full-width bars', apply: all(swap(/\|/g, '｜')), all: true },
  { name: 'double-line bars', apply: all(swap(bars, '‖')), all: true },
  { name: 'angle quotes', apply: all(brackets('‹', '›')), all: true },
  { name: 'angle quotes in the opener', apply: first(brackets('‹', '›')) },
  { name: 'full-width brackets', apply: all(brackets('＜', '＞')), all: true },
  { name: 'full-width brackets in the closer', apply: last(brackets('＜', '＞')) },
  { name: 'white space in markers', apply: all(spaced), all: true },
  { name: 'white space in the opener', apply: first(spaced) },
  { name: 'underscores for ▁', apply: all(swap(/▁/g, '_')) },
  { name: '▁ for underscores', apply: (one) => (holdsNames(one) ? first : all)(swap(/_/g, '▁'))(one) },
  { name: 'hyphens for underscores', apply: (one) => (holdsNames(one) ? first : all)(swap(/_/g, '-'))(one) },
  { name: 'backslashes before underscores', apply: first(swap(/_/g, '\\_')) },
  {
    name: 'capital letters in the opener',
    apply: ({ name, ...one }) =>
      first((marker) => marker.replace(/[a-z_]+(?![^=]*")/g, (word) => (word === name ? word : word.toUpperCase())))({
        ...one,
        name,
      }),
  },
  { name: 'typographic quotes in attributes', apply: all(swap(attribute, '=“$1”')) },
  { name: 'single quotes in attributes', apply: all(swap(attribute, "='$1'")) },
  { name: 'no quotes in attributes', apply: all(swap(attribute, '=$1')) },
  {
    name: '= for > after a key',
    apply: param('open', (marker) => (marker.includes('=') ? marker.replace(/>$/, '=') : marker)),
  },
  { name: 'closer of a value missing', apply: param('close', nothing) },
  { name: 'other tag for the closer of a value', apply: param('close', swap(/^<\/.*/, '</value>')) },
  { name: 'closer of a value without its slash', apply: param('close', swap(/<\//, '<')) },
  {
    name: 'opener of a key missing',
    apply: (one) => keyOpener(nothing)(one)?.replace(new RegExp(`(${one.name})\\s+`), '$1'),
  },
  {
    name: 'opener of the call for the opener of a key',
    apply: keyOpener((one) => one.parts[firstOf(one)]?.text ?? ''),
  },
  {
    name: 'closer of a key doubled',
    apply: ({ text }) => (/<\/\w+_key>/.test(text) ? text.replace(/<\/\w+_key>/, '$&$&') : undefined),
  },
  {
    name: 'opener of a value missing',
    apply: ({ text }) => (/<\w+_value>/.test(text) ? text.replace(/<\w+_value>/, '') : undefined),
  },
  { name: 'mixed quotes', apply: ({ row, text }) => row.quote && text.replace(row.quote, "'") },
  { name: 'plain quotes', apply: ({ row, text }) => row.quote && text.replaceAll(row.quote, '"') },
  {
    name: 'parentheses for braces',
    apply: ({ row, text }) => (/[BD]/.test(row.group) ? text.replace(/\{([^{}]*)\}/, '($1)') : undefined),
  },
  { name: 'indented markers', apply: ({ text }) => text.replace(/^(?=[<[\]])/gm, '  ') },
  { name: 'no line breaks', apply: ({ text }) => text.replace(/\n/g, '') },
  { name: 'blank lines between markers', apply: ({ text }) => text.replace(/(?<=>)\n(?=<)/g, '\n\n') },
  {
    name: 'line breaks in JSON strings',
    apply: ({ text }) => (text.includes('"Oslo"') ? text.replace('"Oslo"', '"Oslo\nNorway"') : undefined),
    value: 'Oslo\nNorway',
  },
  { name: 'end token after the call', apply: ({ text }) => `${text}<|im_end|>` },
  { name: 'token of the next turn after the call', apply: ({ text }) => `${text}<|user|>` },
];

/** A faulty text, and the call that it was. */
export interface FaultCase {
  readonly fault: MarkerFault;
  readonly written: Written;
  readonly text: string;
  readonly arguments: Value;
}

/** The cases of the table: those in which the fault changed something. */
export const faultCases: readonly FaultCase[] = markerFaults.flatMap((fault) =>
  (fault.pair ? writtenPairs : writtenCalls).flatMap((written) => {
    const text = fault.apply(written);
    const given = fault.value === undefined ? written.arguments : { ...written.arguments, city: fault.value };
    return text === undefined || text === written.text ? [] : [{ fault, written, text, arguments: given }];
  }),
);

/** What became of a faulty text. */
export type Verdict = 'recovered' | 'refused' | 'text' | 'wrong';

/** Reads a faulty text. Calls that would run must be the one that was written. */
export function verdictOf(
  { text, written, arguments: given }: FaultCase,
  toolbox: Toolbox,
  dialect: string,
  chunk?: number,
): Verdict {
  const { calls } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
  const ran = calls.filter(({ status }) => status !== 'invalid');
  if (ran.length === 0) return calls.length === 0 ? 'text' : 'refused';
  const expected = [given, ...(written.second ? [written.second] : [])].map((one) => JSON.stringify(one));
  const same = ran.filter(({ name, input }, at) => name === written.name && JSON.stringify(input) === expected[at]);
  if (same.length === expected.length && ran.length === expected.length) return 'recovered';
  // One of two calls alone is one that was written, if the other is refused.
  const isOne = ran.every(({ name, input }) => name === written.name && expected.includes(JSON.stringify(input)));
  return isOne && ran.length < expected.length && calls.length === expected.length ? 'refused' : 'wrong';
}
