import { plainTag, unclosed } from '../placement/place.ts';
import type { CallForm, Dialect, Frame } from '../types.ts';
import { branchAt, isOpen, type MarkerSet, markerSetOf, nextMarker } from './marker-trie.ts';
import { endAt, leads, matchAt, type Pattern, partAt, patternOf } from './pattern.ts';

/** Kinds of markers. */
export type MarkerKind =
  | 'call'
  | 'frame'
  | 'frameEnd'
  | 'think'
  | 'thinkEnd'
  | 'section'
  | 'sectionEnd'
  | 'drop'
  | 'stray'
  | 'wrap'
  | 'noise'
  | 'end';

export interface Marker {
  readonly kind: MarkerKind;
  readonly pattern: Pattern;
  readonly row: Dialect;
  readonly form?: ReadyForm;
  /** Whether it is a special token of a vocabulary. */
  readonly special: boolean;
  /** For `think`: what ends the block. */
  readonly closes?: readonly Pattern[];
  /** Only valid after nothing but white space and reasoning. */
  readonly start?: boolean;
  /** Whether it occurs within responses and calls, and frames none. */
  readonly inner?: boolean;
  /** Whether it follows the name of a call, and so stands for a call whose opener was lost. */
  readonly middle?: boolean;
}

/** A form with compiled templates. */
export interface ReadyForm extends CallForm {
  readonly row: Dialect;
  /** Whether the opener closes itself, so that the call has no body. */
  readonly empty?: boolean;
  readonly closes: readonly Pattern[];
  readonly paramOpen: Pattern | undefined;
  /** The same with one fault: `=` for its last bracket, a marker of the key twice, or no closer of the key. */
  readonly paramLoose: readonly Pattern[];
  /** The closer of a parameter; a template if it repeats the key. */
  readonly paramClose: Pattern | undefined;
  readonly paramCloseTemplate: string;
  /** Whether it is opened by words that prose may contain too. */
  readonly words: boolean;
  readonly special: boolean;
}

/** Everything the reader needs to know about the dialects. */
export interface Grammar {
  readonly rows: readonly Dialect[];
  readonly text: MarkerSet<Marker>;
  /** The same without markers for the start of a message or a reasoning block. */
  readonly calls: MarkerSet<Marker>;
  readonly starts: readonly Marker[];
  /** What ends reasoning that the prompt opened. */
  readonly thinkEnds: readonly Pattern[];
  readonly frames: readonly Dialect[];
  /** Tags that open sections of calls, with their closing tags; tags of headers have none. */
  readonly sections: ReadonlyMap<string, string>;
}

const priorities: Readonly<Record<MarkerKind, number>> = {
  call: 3,
  frame: 3,
  frameEnd: 3,
  think: 2,
  thinkEnd: 2,
  section: 1,
  sectionEnd: 1,
  drop: 0,
  stray: 0,
  wrap: 0,
  noise: 0,
  end: 0,
};

/** What must follow an opener, by kind of body. Arguments may be encoded as text. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  call: ['~{', '~['],
  args: ['~{', '~"{', '~"\\"'],
  python: [],
  params: [],
  word: [],
};

/** Tokens that mark the start and end of texts and are sometimes left in them. */
const noise = ['<bos>', '<eos>'];

/** End-of-turn tokens of any model. They aren't text at the very end and after calls. */
const endTokens = [
  '<|im_end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_turn|>',
  '</s>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
  '<|END_OF_TURN_TOKEN|>',
  '<|return|>',
  '<|end|>',
  '[EOS]',
  '<eos>',
  '<|eot|>',
  '<|eom|>',
  '<|content_model_end_sampling|>',
  '<|end_message|>',
  '<seed:eos>',
  '<turn|>',
  '<|role_end|>',
  '[|endofturn|]',
  '<end_of_utterance>',
  '<|eod|>',
  '<|endofresponse|>',
];

const ends = `^(?:\\s*(?:${endTokens.map((one) => one.replace(/[|[\]]/g, '\\$&')).join('|')}))*\\s*`;
const leadingEnds = new RegExp(ends);
/** Matches text that only consists of such tokens. */
export const onlyEnds = new RegExp(`${ends}$`);

/** A text without such tokens at its end. */
export function withoutEnds(text: string): string {
  const from = Math.max(0, text.length - 200);
  for (const { index } of text.slice(from).matchAll(/[<[]/g))
    if (onlyEnds.test(text.slice(from + index))) return text.slice(0, from + index);
  return text;
}

/** Whether a text consists of such tokens, and maybe the start of another one. */
export function mayOnlyEnd(text: string): boolean {
  const rest = text.replace(leadingEnds, '');
  return endTokens.some((token) => token.startsWith(rest));
}

/** The same tokens as tags. */
export const endTags: ReadonlySet<string> = new Set(endTokens.map((one) => tagOf(one)));

/** How models spell the tag of a reasoning block. Other markers have one spelling. */
const spellings = (tag: string): readonly string[] =>
  /^<\/?think(?:ing)?>$/.test(tag) ? [tag, tag.toUpperCase(), tag.replace('t', 'T')] : [tag];

/** Cached per list of rows, and per list of tools if their names matter. */
const kept = new WeakMap<readonly Dialect[], { readonly named: boolean; readonly byTools: Map<string, Grammar> }>();

/** Compiles rows. Tool names are markers if a row writes them as tags. */
export function grammarOf(rows: readonly Dialect[], tools: readonly string[]): Grammar {
  const { named, byTools } = kept.get(rows) ?? keep(rows);
  const key = named ? tools.join('\n') : '';
  const known = byTools.get(key);
  if (known) return known;
  const made = make(rows, named ? tools : []);
  if (byTools.size > 100) byTools.delete(byTools.keys().next().value as string);
  byTools.set(key, made);
  return made;
}

function keep(rows: readonly Dialect[]) {
  const named = rows.some(({ forms }) => forms.some(({ open }) => open.includes('{tool}')));
  const room = { named, byTools: new Map<string, Grammar>() };
  kept.set(rows, room);
  return room;
}

function make(rows: readonly Dialect[], tools: readonly string[]): Grammar {
  const alone = rows.length === 1;
  const all = rows.flatMap((row) => [...markersOf(row, tools), ...strays(row)]);
  const [row] = rows;
  if (row) for (const end of endTokens) all.push({ kind: 'end', pattern: patternOf(end), row, special: false });
  const starts = all.filter(({ form, start }) => form?.start || start);
  // A label that ends reasoning is an ordinary word if there is no reasoning.
  const isLabel = ({ kind, pattern }: Marker): boolean => kind === 'thinkEnd' && pattern.head[0] === '\n';
  // In a named dialect, a sentence may precede calls without markers.
  const isElsewhere = (marker: Marker): boolean => !starts.includes(marker) || (alone && marker.form?.bare === true);
  const anywhere = all.filter((marker) => isElsewhere(marker) && !isLabel(marker)).map(alone ? same : wrapping);
  return {
    rows,
    starts,
    text: markerSetOf(anywhere),
    calls: markerSetOf(anywhere.filter(({ kind }) => kind !== 'think')),
    thinkEnds: all.filter(({ kind }) => kind === 'thinkEnd').map(({ pattern }) => pattern),
    frames: rows.filter(({ frame }) => frame),
    sections: new Map(
      rows.flatMap(({ sections = [], frame, forms }) =>
        [...forms.flatMap(elementOf), ...sections, ...beginsOf(frame)].map(tagsOf),
      ),
    ),
  };
}

const beginsOf = (frame: Frame | undefined): readonly (readonly [string, string])[] =>
  frame?.open.map((open) => [open, ''] as const) ?? [];

/** A call that one tag opens is also a section. */
const elementOf = ({ open, close: [close = unclosed] = [] }: CallForm): readonly (readonly [string, string])[] =>
  /^<[^{}<>]+>$/.test(open) ? [[open, close]] : [];

/** The tags of a section without their brackets and optional suffix. */
const tagsOf = ([open, close]: readonly [string, string]): [string, string] => [tagOf(open), tagOf(close)];
export function tagOf(template: string): string {
  return plainTag(template.slice(template.lastIndexOf('<') + 1).replace(/(?:\{sfx\})?>$/, '')).toLowerCase();
}

function* markersOf(row: Dialect, tools: readonly string[]): Generator<Marker> {
  for (const form of row.forms) {
    const ready = readyForm(row, form);
    const { special } = ready;
    const then = form.next ?? beginnings[form.body] ?? [];
    if (form.body === 'params' && form.open.endsWith('"{name}">')) {
      yield {
        kind: 'call',
        pattern: patternOf(`${form.open.slice(0, -1)}~/>`),
        row,
        form: { ...ready, empty: true },
        special,
      };
    }
    const opens = form.open.includes('{tool}')
      ? tools.map((tool) => [tool, patternOf(form.open, then, { tool })] as const)
      : [];
    if (opens.length)
      for (const [tool, pattern] of opens)
        yield { kind: 'call', pattern: named(pattern, tool), row, form: filled(ready, tool), special };
    else if (!form.open.includes('{tool}'))
      yield { kind: 'call', pattern: patternOf(form.open, then), row, form: ready, special };
    const head = /^(?:[^{]|\{sfx\})*/.exec(form.open)?.[0]?.replace(/~+$/, '') ?? '';
    if (!form.bare && !form.start && head.length > 3 && isMarked(head) && !row.drop?.includes(head))
      yield { kind: 'drop', pattern: patternOf(head), row, special };
    for (const close of ready.closes)
      if (close.head.length > 3 && !form.bare && !row.drop?.includes(close.head))
        yield { kind: 'sectionEnd', pattern: close, row, special };
  }
  for (const [open, close] of row.sections ?? []) {
    yield { kind: 'section', pattern: patternOf(open), row, special: row.special === true };
    yield { kind: 'sectionEnd', pattern: patternOf(close), row, special: row.special === true };
  }
  for (const [open, ...ends] of row.think ?? []) {
    const closes = ends.flatMap(spellings).map((end) => patternOf(end));
    const start = open.startsWith('^');
    const special = row.special === true && !start && !/^<\w+>$/.test(open);
    for (const one of spellings(start ? open.slice(1) : open))
      yield { kind: 'think', pattern: patternOf(one), row, closes, start, special };
    for (const pattern of closes) yield { kind: 'thinkEnd', pattern, row, special: false };
  }
  for (const drop of [...noise, ...(row.drop ?? [])])
    yield { kind: 'noise', pattern: patternOf(drop), row, special: false };
  for (const inner of row.inner ?? [])
    yield { kind: 'noise', pattern: patternOf(inner), row, special: false, inner: true };
  for (const open of row.frame?.open ?? []) yield { kind: 'frame', pattern: patternOf(open), row, special: true };
  for (const end of row.frame?.end ?? []) yield { kind: 'frameEnd', pattern: patternOf(end), row, special: true };
  if (row.frame)
    yield { kind: 'frame', pattern: patternOf('to={word}~', headerParts(row.frame)), row, start: true, special: true };
}

const same = (marker: Marker): Marker => marker;

/** A plain tag is an ordinary word if the dialect is unknown, unless it wraps the complete response. */
const wrapping = (marker: Marker): Marker =>
  marker.kind === 'noise' && /^<\/?[a-z]{4,}>$/.test(marker.pattern.head) ? { ...marker, kind: 'wrap' } : marker;

/** Parts of parameters outside calls. They count only if the dialect is known or a call was opened. */
function* strays(row: Dialect): Generator<Marker> {
  for (const { open, param } of row.forms) {
    const [, middle] = /\{name\}~*([[<][^~{\s]+)/.exec(open) ?? [];
    if (middle) yield { kind: 'stray', pattern: patternOf(middle), row, special: row.special === true, middle: true };
    for (const part of param?.split(/\{\w+\}/) ?? []) {
      const head = part.replace(/^["'>\s]+|[="'\s]+$/g, '');
      if (/\w{3}/.test(head)) yield { kind: 'stray', pattern: patternOf(head), row, special: row.special === true };
    }
  }
}

/** What follows in a header that lost its first marker. */
const headerParts = ({ open, message }: Frame): string[] => [...open, message, '<|constrain|>'];

/** The tool's name is part of the marker, and is returned like a hole's value. */
const named = (pattern: Pattern, tool: string): Pattern => ({ ...pattern, fixed: { name: tool } });

const filled = (form: ReadyForm, tool: string): ReadyForm => ({
  ...form,
  closes: (form.close ?? []).map((close) => patternOf(close, [], { tool })),
});

/** Whether a template contains characters that words don't have. */
const isMarked = (template: string): boolean => /[^\w\s:`.,~{}-]/.test(template);

/** Templates for the opener of a parameter with one fault. */
function looseOf(open: string): readonly string[] {
  if (/="?\{key\}.*>$/.test(open)) return [`${open.slice(0, -1)}~=`];
  const [, begin, end, value] = /^(<[^{}]+>)\{key\}(<\/[^{}]+>)(<[^{}]+>)$/.exec(open) ?? [];
  if (!begin || !end || !value) return [];
  return [`${begin}~${begin}{key}${end}~${value}`, `${begin}{key}${end}~${end}~${value}`, `${begin}{key}${value}`];
}

function readyForm(row: Dialect, form: CallForm): ReadyForm {
  const [open = '', close = ''] = (form.param ?? '').split('{value}');
  return {
    ...form,
    row,
    closes: (form.close ?? []).filter((one) => !one.includes('{tool}')).map((one) => patternOf(one)),
    paramOpen: open ? patternOf(open) : undefined,
    paramLoose: looseOf(open).map((one) => patternOf(one)),
    paramClose: close && !close.includes('{key}') ? patternOf(close) : undefined,
    paramCloseTemplate: close,
    words: !isMarked(form.open.replace(/\{\w+\}/g, '')),
    special: !form.bare && (form.special ?? row.special ?? false),
  };
}

/** Whether a row writes calls like this form, so that it also ends its calls. */
export function isKin(row: Dialect, form: ReadyForm): boolean {
  if (row === form.row) return true;
  // A loop, because this is asked of every marker that starts like the text.
  for (const { open } of row.forms) if (open === form.open && open !== '') return true;
  return false;
}

/** A marker, or a place where one may start if more text arrives. */
export type MarkerMatch =
  | {
      readonly at: number;
      readonly marker: Marker;
      readonly end: number;
      readonly holes: Readonly<Record<string, string>>;
    }
  | { readonly at: number; readonly marker: undefined };

const nearby = 4;

/** Whether a marker counts at an offset. With `begun`, it isn't complete yet. */
type Wanted = (marker: Marker, at: number, begun?: boolean) => boolean;

/** The first marker at or after an offset that `wanted` accepts. */
export function findMarker(
  set: MarkerSet<Marker>,
  text: string,
  from: number,
  ended: boolean,
  wanted: Wanted,
): MarkerMatch | undefined {
  for (let at = nextMarker(set, text, from); at < text.length; at = nextMarker(set, text, at + 1)) {
    const branch = branchAt(set, text, at);
    const open = isOpen(branch, text, at);
    const markers = open ? branch.all : branch.fit;
    if (markers.length === 0) continue;
    // While only literal characters have arrived, nothing can be decided.
    if (open && !ended && branch.fit.length === 0) {
      if (markers.some((marker) => wanted(marker, at, true))) return { at, marker: undefined };
      continue;
    }
    const found = bestAt(markers, text, at, ended, wanted);
    if (found) return found;
  }
  return undefined;
}

/** The marker at an offset: the most important one, then the longest. Undefined while a better one may follow. */
export function bestAt(
  markers: readonly Marker[],
  text: string,
  at: number,
  ended: boolean,
  wanted: Wanted,
): MarkerMatch | undefined {
  let best: Marker | undefined;
  let bestEnd = -1;
  let top = -1;
  let waiting = -1;
  const left = text.length - at;
  // With so few characters, a longer marker may still match.
  if (
    !ended &&
    left < nearby &&
    markers.some((one) => one.pattern.lead.length > left && leads(one.pattern, text, at) && wanted(one, at, true))
  ) {
    return { at, marker: undefined };
  }
  for (const marker of markers) {
    const { kind, pattern } = marker;
    const priority = priorities[kind];
    if (priority < top || !leads(pattern, text, at) || !partAt(pattern, text, at)) continue;
    const end = endAt(pattern, text, at, ended);
    const begun = end < 0;
    if ((begun && ended) || !wanted(marker, at, begun)) continue;
    // No other marker is more important than one that may be a call.
    if (begun && priority === 3) return { at, marker: undefined };
    if (begun) waiting = Math.max(waiting, priority);
    else if (!best || priority > top || end > bestEnd) {
      top = priority;
      best = marker;
      bestEnd = end;
    }
  }
  if (waiting >= 0 && !ended && waiting >= top) return { at, marker: undefined };
  if (!best) return undefined;
  const { pattern } = best;
  return { at, marker: best, end: bestEnd, holes: { ...matchAt(pattern, text, at, ended)?.holes, ...pattern.fixed } };
}
