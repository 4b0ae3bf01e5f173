import { hasOwn } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import { schemaFor } from '../call/arguments.ts';
import { argumentKeys } from '../call/call-shape.ts';
import { beginsCloser, closerAt } from '../grammar/foreign-closers.ts';
import { isKin, type Marker, type MarkerMatch, type ReadyForm } from '../grammar/grammar.ts';
import { branchAt, isOpen, markersAt } from '../grammar/marker-trie.ts';
import { isAt, leads, type Pattern, partAt } from '../grammar/pattern.ts';
import { newPythonSpan } from '../python/span.ts';
import { newJsonBody } from './json-scanner.ts';
import { noteLack } from './marker-faults.ts';
import { closeCall, openCall, plainName } from './open-call.ts';
import { type Machine, newBatch, type TaggedBody } from './state.ts';

const isArgumentKey = (key: string): boolean => (argumentKeys as readonly string[]).includes(key);
const always = (): boolean => true;

/** Starts a call that a marker opened. */
export function openForm(m: Machine, { marker, end, holes }: Exclude<MarkerMatch, { marker: undefined }>): void {
  const form = marker.form as ReadyForm;
  const name = holes.name === undefined ? undefined : plainName(form.row, entitiesIn(form, holes.name));
  const source = m.buffer.slice(m.at, end);
  m.at = end;
  m.lastForm = form;
  m.formFrom = m.count;
  if (form.lacks !== undefined) noteLack(m, form.lacks);
  if (form.empty) {
    openCall(m, name ?? '', holes.id);
    closeCall(m, { name: name ?? '', arguments: {} }, form.row, false);
    return;
  }
  if (form.body === 'call' || form.body === 'args') openJson(m, form, name, holes.id, source);
  else if (form.body === 'python') {
    m.mode = 'python';
    if (!form.bare) m.batch = newBatch();
    m.body = {
      kind: 'python',
      form,
      span: newPythonSpan(),
      source,
      found: 0,
      signs: '',
      fault: undefined,
      quote: '',
      openQuote: '',
    };
  } else if (form.body === 'word') {
    m.mode = 'word';
    const called = form.calls?.[0] ?? name ?? '';
    m.body = { kind: 'word', form, name: called, value: '', rest: undefined };
    openCall(m, called, holes.id, () => undefined);
  } else openTagged(m, form, name ?? '', holes.id);
}

/** Starts a JSON body. */
export function openJson(
  m: Machine,
  form: ReadyForm,
  name: string | undefined,
  id: string | undefined,
  source: string,
): void {
  const kind = form.body === 'args' || name !== undefined ? 'args' : 'call';
  const json = newJsonBody(kind, {
    argumentKeys: form.row.keyed ? always : isArgumentKey,
    quote: form.row.quote,
    stop: (text, at) => stopsAt(m, form, text, at),
    ends: (text, at, ended, object) => endsAt(m, form, text, at, ended, object),
  });
  m.mode = 'json';
  if (kind === 'call' && !form.bare) m.batch ??= newBatch();
  m.body = {
    kind: 'json',
    form,
    json,
    name,
    id,
    found: 0,
    cutOff: false,
    source,
    other: '',
    early: '',
    stray: undefined,
  };
  if (kind === 'args' && name !== undefined && !form.bare) openCall(m, name, id);
}

function openTagged(m: Machine, form: ReadyForm, name: string, id: string | undefined): void {
  const body: TaggedBody = {
    kind: 'tagged',
    form,
    params: {},
    types: {},
    key: undefined,
    ends: undefined,
    opener: '',
    value: '',
    cdata: undefined,
    junk: '',
    separator: undefined,
    gap: '',
    spoken: false,
    problems: [],
    read: [],
    lacks: undefined,
  };
  m.mode = 'tagged';
  m.body = body;
  openCall(m, name, id, () => (body.key === undefined ? body.params : { ...body.params, [body.key]: body.value }));
}

/** A marker that may follow arguments: any except part of a parameter, which would belong to the same call. */
const endsBody = ({ kind, form }: Marker): boolean => kind !== 'stray' && !form?.bare;

/** Whether there is enough text for a pattern, and it starts like it. */
const fits = (pattern: Pattern, text: string, at: number): boolean =>
  text.length - at >= pattern.lead.length && leads(pattern, text, at);

/** Whether the pattern matches, or may match with more text. */
const isBegun = (pattern: Pattern, text: string, at: number): boolean =>
  leads(pattern, text, at) && partAt(pattern, text, at);

/** Outside of strings, JSON contains no markers, so one that ends the call or starts the next also ends the body. */
function stopsAt(m: Machine, form: ReadyForm, text: string, at: number): 'yes' | 'no' | 'wait' {
  let wait = false;
  for (const pattern of form.closes) {
    if (!isBegun(pattern, text, at)) continue;
    if (isAt(pattern, text, at)) return 'yes';
    wait = true;
  }
  const branch = branchAt(m.grammar.text, text, at);
  // While only literal characters have arrived, all of these markers start like the text, and none is complete.
  if (isOpen(branch, text, at) && branch.fit.length === 0)
    return wait || branch.all.some((one) => endsBody(one) && isKin(one.row, form)) ? 'wait' : 'no';
  for (const marker of isOpen(branch, text, at) ? branch.all : branch.fit) {
    if (wait && !fits(marker.pattern, text, at)) continue;
    if (!endsBody(marker) || !isBegun(marker.pattern, text, at) || !isKin(marker.row, form)) continue;
    if (isAt(marker.pattern, text, at)) return 'yes';
    wait = true;
  }
  return wait ? 'wait' : 'no';
}

const another = /[;,]?\s{0,99}(?:\{|\[(?!\/[A-Z_]{2,24}\]))/y;
/** A bracket that may start a marker. */
const maybeMarker = /[;,]?\s{0,99}\[(?:\/[A-Z_]{0,24})?$/y;
/** Closers of other dialects that models write after JSON. */
const tags = '</(?:parameters?|arguments|args|arg_value|function|invoke|input|tool_input)>';
const strayClosers = new RegExp(`(?:\\]|\\}|${tags})`, 'y');

/** A bracket, or a closer of another dialect in any spelling, that may follow arguments. */
export function strayAt(text: string, at: number): string | undefined {
  strayClosers.lastIndex = at;
  const [stray] = strayClosers.exec(text) ?? [];
  return stray ?? (text.slice(at, closerAt(text, at) ?? at) || undefined);
}

const closing = new Set<string>(['sectionEnd', 'drop']);
const space = /\s{0,999}/y;
const tagBegun = /^(?:[<‹＜〈⟨][ \t]{0,3}[^\s<>‹›＜＞〈〉⟨⟩"'{}]{0,40}[ \t]{0,3}|[[［]\/?[A-Za-z_]{0,24})$/;

/** Whether the text may become an opener, of which it has only the beginning so far. */
const mayOpen = (markers: readonly Marker[], text: string, at: number): boolean =>
  markers.some(({ kind, pattern }) => kind === 'call' && partAt(pattern, text, at));

/** Whether calls in Python end at a tag, and the closer of another dialect there. */
export function endsAtTag(
  m: Machine,
  form: ReadyForm,
): { readonly ends: 'yes' | 'no' | 'wait'; readonly stray?: string } {
  const { buffer, at } = m;
  const ends = stopsAt(m, form, buffer, at);
  if (ends === 'yes') return { ends };
  const tag = strayAt(buffer, at);
  const markers = markersAt(m.grammar.text, buffer, at).filter(endsBody);
  const found = markers.find(({ pattern }) => isAt(pattern, buffer, at));
  if (!m.ended && found?.kind === 'drop' && mayOpen(markers, buffer, at)) return { ends: 'wait' };
  const stray = tag ?? (found && closing.has(found.kind) ? found.pattern.head : undefined);
  if (stray !== undefined) return { ends: 'yes', stray };
  if (found) return { ends: 'yes' };
  const wait =
    ends === 'wait' ||
    tagBegun.test(buffer.slice(at)) ||
    beginsCloser(buffer, at) ||
    markers.some(({ pattern }) => partAt(pattern, buffer, at));
  return { ends: wait && !m.ended ? 'wait' : 'no' };
}

/**
 * Arguments end at a bracket that is followed by the dialect's closer, the next call or the end. Otherwise the bracket
 * is part of a value.
 */
function endsAt(
  m: Machine,
  form: ReadyForm,
  text: string,
  from: number,
  ended: boolean,
  object: () => string,
): 'yes' | 'no' | 'wait' {
  const body = m.body?.kind === 'json' ? m.body : undefined;
  const isCall = body?.json.kind === 'call';
  if (body) body.stray = undefined;
  let at = from;
  let stop: 'yes' | 'no' | 'wait' = 'no';
  for (let passed = 0; passed < 9; passed++) {
    space.lastIndex = at;
    if (space.test(text)) at = space.lastIndex;
    if (at >= text.length) return ended ? 'yes' : 'wait';
    stop = stopsAt(m, form, text, at);
    if (stop === 'yes') return 'yes';
    const stray = strayAt(text, at);
    if (stray === undefined) break;
    at += stray.length;
    if (body && stray.length > 1) body.stray ??= stray;
  }
  maybeMarker.lastIndex = at;
  if (!ended && isCall && !form.single && maybeMarker.test(text)) return 'wait';
  another.lastIndex = at;
  if (isCall && !form.single && another.test(text)) return 'yes';
  const branch = branchAt(m.grammar.text, text, at);
  const isLiteral = isOpen(branch, text, at) && branch.fit.length === 0;
  const markers = isOpen(branch, text, at) ? branch.all : branch.fit;
  const found = isLiteral
    ? undefined
    : markers.find((one) => fits(one.pattern, text, at) && endsBody(one) && isAt(one.pattern, text, at));
  if (!ended && found?.kind === 'drop' && mayOpen(markers, text, at)) return 'wait';
  if (body && found && closing.has(found.kind)) body.stray ??= found.pattern.head;
  if (found) return 'yes';
  if (!ended && (tagBegun.test(text.slice(at, at + 50)) || beginsCloser(text, at))) return 'wait';
  if (
    !ended &&
    (stop === 'wait' ||
      text.length - at < 3 ||
      markers.some((one) => endsBody(one) && (isLiteral || partAt(one.pattern, text, at))))
  )
    return 'wait';
  // The end of the text cut the closer off.
  if (ended && stop === 'wait') return 'yes';
  if (form.closes.length > 0 && !form.bare) return 'no';
  return isProse(m, text, at, ended, text.slice(from, at).includes('\n') ? object : undefined);
}

const longestLine = 400;
/** Includes the next line if this one is only a comma. */
const restOfLine = new RegExp(`(?:[,;]\\s{0,99})?([^\\n]{0,${longestLine}})`, 'y');
/** A quoted phrase followed by words, which isn't a field, an item, or the end of an object or string. */
const quotedProse = /^(?:"[^"[\]{}]+"|'[^'[\]{}]+')(?=\P{L}*\p{L})[^"[\]{}:](?:[^"[\]{}]|"[^"[\]{}]*"(?!\s*:))*$/u;
/** More of the arguments: a bracket, tag, operator, option, comment or field, or the end of a string and its object. */
const moreOfCall = /^(?:[{<:=&|+]|\[(?!\/?[A-Z_]{2,24}\])|--?\w|\/[/*]|[\w-]+\s*=)|["'][\s)\]]*\}[\s\]}]*$/;

/** Whether the line after arguments that need no closer is prose and not more of them. A quote may only start a new line. */
function isProse(
  m: Machine,
  text: string,
  at: number,
  ended: boolean,
  object: (() => string) | undefined,
): 'yes' | 'no' | 'wait' {
  restOfLine.lastIndex = at;
  const line = restOfLine.exec(text)?.[1] ?? '';
  const isOpen = !ended && restOfLine.lastIndex === text.length;
  if (/^["']/.test(line)) {
    if (!object || line.length === longestLine) return 'no';
    return isOpen ? 'wait' : quotedProse.test(line) && isJson(object()) ? 'yes' : 'no';
  }
  if (isOpen && line.length < longestLine) return 'wait';
  if (moreOfCall.test(line)) return 'no';
  const [, key = ''] = /^([\w-]+)\s*:/.exec(line) ?? [];
  return hasOwn(propertiesOf(schemaFor(m, m.call?.name ?? '')), key) ? 'no' : 'yes';
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Decodes the entities that some dialects use in attributes. */
export const entitiesIn = (form: ReadyForm, text: string): string =>
  form.row.entities && text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, word: string) => entities[word] as string)
    : text;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };
