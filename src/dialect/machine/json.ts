import type { Problem } from '../../json/problem.ts';
import { asWritten, type Reading, readJson } from '../../json/read-json.ts';
import { keepWritten } from '../../json/reading.ts';
import type { Repair } from '../../json/repair.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import { encodedFaults, freeText, inputOf, isJsonObject, schemaFor } from '../call/arguments.ts';
import { missingCloser, missingComma, newCallNotes, tooMany } from '../call/call-notes.ts';
import {
  callFaults,
  callsIn,
  envelopeOf,
  hasOther,
  isData,
  isPlainCall,
  nameKeys,
  plainCall,
} from '../call/call-shape.ts';
import { closerProblems } from '../call/check-call.ts';
import { isInner, recordCloser } from '../grammar/closers.ts';
import { beginsCloser } from '../grammar/foreign-closers.ts';
import type { ReadyForm } from '../grammar/grammar.ts';
import { endAt, isAt, partAt, patternOf } from '../grammar/pattern.ts';
import { isFormat } from '../placement/candidate.ts';
import { isDefinition, isTemplate } from '../placement/template.ts';
import type { Dialect } from '../types.ts';
import { endJson, type Member, type ObjectEnd, type Sink, scanJson, unquoted } from './json-scanner.ts';
import { noteMissing, noteStrayCloser } from './marker-faults.ts';
import { addArguments, closeCall, isTool, openCall, plainName } from './open-call.ts';
import { isJson, openJson, strayAt } from './open-form.ts';
import { addText, endBatch, faultList, leaveList } from './output.ts';
import type { Machine, OpenBody } from './state.ts';
import { hasTool } from './text.ts';

type Body = Extract<OpenBody, { kind: 'json' }>;

/** Continues a JSON body. */
export function stepJson(m: Machine): boolean {
  const body = m.body as Body;
  body.sink ??= sinkOf(m, body);
  const { sink } = body;
  const from = m.at;
  const { at, done } = scanJson(body.json, m.buffer, from, m.ended, sink);
  if (returns(m, body.form)) body.source += m.buffer.slice(from, at);
  m.at = at;
  if (!done && !m.ended) return false;
  body.cutOff = !done;
  // An opener directly after a quote may be part of the string.
  if (body.json.stack.length > 0 && done && /["']/.test(body.json.text.at(-1) ?? '') && !closesAt(m, body))
    m.tail = true;
  if (body.json.stack.length > 0) endJson(body.json, sink);
  else if (m.call && body.found === 0 && body.name !== undefined) {
    // Arguments that aren't an object may contain one as text.
    const { text } = body.json;
    closeObject(m, body, text, [], isJson(text) ? 'whole' : 'open');
  }
  const { kind, level, stack, last } = body.json;
  // At the length limit, only the next call is lost.
  if (kind === 'call' && level > 1 && stack.length > 0) leaveList(m, body.found, !m.cut && last === comma);
  faultList(m, body.found, body.json.fault);
  m.body = undefined;
  m.mode = 'after';
  if (m.batch && body.stray && body.json.level > 1) m.batch.stray ??= tooMany(body.stray);
  if (body.found === 0) giveBack(m, body);
  else addText(m, body.other);
  return true;
}

const closesAt = ({ buffer, at }: Machine, { form }: Body): boolean =>
  form.closes.some((close) => isAt(close, buffer, at));

const comma = 44;

/** Returned as written if it contains no call, because only a call would distinguish it from prose. */
const returns = (m: Machine, { bare, words }: ReadyForm): boolean => bare === true || (words && !m.named);

/** It contained no call, so it is text for the user, without its marker. */
function giveBack(m: Machine, body: Body): void {
  if (!returns(m, body.form)) return;
  m.mode = 'text';
  m.call = undefined;
  addText(m, body.source);
}

function sinkOf(m: Machine, body: Body): Sink {
  const { form, json } = body;
  return {
    member(key, value) {
      if (m.call || form.row.keyed || !(nameKeys as readonly string[]).includes(key) || !/^["']/.test(value)) return;
      const name = plainName(form.row, unquoted(value));
      if (form.bare ? !hasTool(m, name) : name === '') return;
      openCall(m, name, undefined);
      addArguments(m, body.early);
      body.early = '';
    },
    delta(text) {
      if (!m.call && form.row.keyed) openCall(m, plainName(form.row, json.key), undefined);
      if (m.call) addArguments(m, text);
      else body.early += text;
    },
    object(text, members, end) {
      const closed = closeObject(m, body, text, members, end);
      if (!closed) beside(m, body, text);
      if (!closed && returns(m, form)) body.other += text;
      else if (!closed) addText(m, text);
      body.early = '';
    },
    other(text) {
      beside(m, body, text);
      if (returns(m, form)) body.other += text;
      else addText(m, text);
    },
  };
}

/** Something next to calls isn't a call: all of it is data, unless it is an unreadable line of its own. */
function beside(m: Machine, { form, json }: Body, text: string): void {
  if (form.bare && m.candidate) m.candidate.data = true;
  if (m.batch) m.batch.foreign ||= json.level > 1 || isJson(text);
}

const syntax = (message: string): Problem => ({ path: [], code: 'syntax', message });
const tooEarly: Partial<Record<ObjectEnd, Problem>> = {
  field: syntax('Root object is closed too early: a field follows it'),
  keyless: syntax('Root object has text without a key; put every field inside the arguments'),
  text: syntax('Root object is followed by other text; escape quotes inside strings, and write nothing after the call'),
};

const otherType: Problem = {
  path: ['type'],
  code: 'ambiguous',
  message: "Field 'type' names something other than a call; leave it out",
};

const definition = syntax('Root object is the schema of the arguments; send values for its fields');

/** What has two readings in strings that another quote than the dialect's own opened. */
function doubts({ doubt }: Body['json'], quote: string): readonly Problem[] {
  const ambiguous = (message: string): Problem => ({ path: [], code: 'ambiguous', message });
  return [
    doubt.escape === 'open'
      ? ambiguous(`Root object has backslashes in other quotes; write ${quote} around strings`)
      : [],
    doubt.opener
      ? ambiguous(`Root object has a string that opens with another quote; write ${quote} around strings`)
      : [],
  ].flat();
}

/**
 * Whether arguments lack their last brace and nothing else. Servers remove the token that ends a frame, so the end of a
 * message that wasn't truncated stands for it.
 */
function lacksOne(text: string): boolean {
  if (!/["}]\s*$/.test(text)) return false;
  const { value, problems, repairs } = readJson(`${text}}`);
  return isObject(value) && problems.length === 0 && repairs.length === 0;
}

/** Whether arguments without markers are a call: in JSON, or after a word for calls in the row's own notation. */
const isAlone = ({ form, source }: Body, text: string): boolean =>
  (form.row.quote !== undefined && form.open.startsWith('call:')) ||
  isJsonObject(text, /^\s*(?:[\w-]+\s+){1,2}$/.test(source));

/** Checks the content of an object. Returns false if it contains no call. */
function closeObject(m: Machine, body: Body, text: string, members: readonly Member[], end: ObjectEnd): boolean {
  const { form, json } = body;
  const { row } = form;
  // A marker implies missing closers. If the text ends inside the arguments, the rest is lost.
  const lost = (end === 'open' && !(row.frame && lacksOne(text))) || end === 'keyless' || m.cut;
  const cut = body.cutOff && end !== 'whole' && lost;
  const early = [tooEarly[end] ?? []].flat();
  const strayed = [...(body.stray ? [tooMany(body.stray)] : []), ...(json.mixed ? [tooMany(row.quote ?? '')] : [])];
  // Its values have no escapes.
  if (row.quote !== undefined) recordCloser(m, patternOf(row.quote));
  if (json.kind === 'args') {
    body.found += 1;
    const name = body.name ?? '';
    const found = newCallNotes([...early, ...doubts(json, row.quote ?? '')]);
    const input = inputOf(m, name, text, row, found);
    found.read.push(...strayed);
    if (json.doubt.escape === 'inferred')
      found.read.push({ path: [], kind: 'escape', before: '\\', certainty: 'inferred' });
    const schema = schemaFor(m, name);
    if (form.bare && !isAlone(body, text) && m.candidate) m.candidate.data = true;
    if (
      (form.bare ? isTemplate : isDefinition)(input, schema, m.named && !m.whole) ||
      (!form.bare && isFormat(m, input, schema))
    ) {
      if (m.candidate) m.candidate.data = true;
      found.problems.push(definition);
    }
    const called = nameFor(m, name, text);
    if (called !== name)
      found.read.push({ path: [], kind: 'name', before: name, after: called, certainty: 'inferred' });
    const raw = { name: called, arguments: input, ...idOf(body.id), read: found.read };
    closeCall(m, raw, row, cut, found.problems);
    return true;
  }
  const plain = end === 'whole' && !row.keyed ? plainCall(text, members) : undefined;
  const envelope = plain ?? (row.keyed ? nothing : readEnvelope(envelopeOf(text, members)));
  if (m.whole && !isPlainCall(envelope.value)) {
    m.call = undefined;
    return false;
  }
  const all = plain ? [plain.call] : callsIn(text, members, row.keyed === true, envelope.value);
  const held = all.filter(({ name }) => !form.bare || hasTool(m, plainName(row, name)));
  const isMarked = !form.bare || row.keyed;
  const isExample = (call: (typeof held)[number]): boolean => {
    const schema = schemaFor(m, plainName(row, call.name));
    return isMarked
      ? isDefinition(call.arguments, schema) || isFormat(m, call.arguments, schema)
      : isTemplate(call.arguments, schema, m.named && !m.whole);
  };
  const other = hasOther(envelope.value);
  const example = !row.keyed && held.some(isExample);
  const data = !isMarked && held.length > 0 && (example || held.length < all.length || isData(envelope.value));
  // Calls next to data, in one list or one after the other, are data too.
  if ((data || example || other) && m.candidate) m.candidate.data = true;
  if (data || (held.length === 0 && m.call)) {
    m.call = undefined;
    return false;
  }
  // The keys are names. A name that no tool has is data.
  if (m.batch && json.level > 1 && held.some((call) => !row.keyed && !isGiven(m, row, call))) m.batch.foreign = true;
  if (row.keyed && m.batch && !held.every(({ name }) => isTool(m, plainName(row, name)))) m.batch.foreign = true;
  // The text ended before the arguments started, so they are unknown.
  const missing =
    (end === 'open' || end === 'given') && !row.keyed && !members.some(({ key }) => json.argumentKeys(key));
  const repeated = plain ? [] : row.keyed && callFaults(text, members);
  for (const call of held) {
    const name = plainName(row, call.name);
    const declared = call.flat ? propertiesOf(schemaFor(m, name)) : {};
    const others = (call.others ?? []).filter((key) => !hasOwn(declared, key));
    const faults = [...early, ...(repeated || callFaults(text, members, call.beside, others))];
    if (example) faults.push(definition);
    if (other) faults.push(otherType);
    const { problems, repairs } = readingOf(call.arguments, envelope);
    // A marker ended it, and its arguments are closed.
    if (faults.length === 0) faults.push(...problems.filter(({ code }) => end !== 'given' || code !== 'truncated'));
    if (faults.length === 0 && end === 'given') faults.push(...closerProblems(name, call.arguments, m.toolbox));
    if (!plain && faults.length === 0) faults.push(...encodedFaults(call.arguments, text));
    const found = newCallNotes();
    const free = call.free ? freeText(m, name, call.arguments, found) : undefined;
    const read = [
      ...repairs,
      ...found.read,
      ...(call.flat ? [flat] : []),
      ...(end === 'given' && !repairs.some(({ kind }) => kind === 'closer') ? [missingCloser('}')] : []),
      ...strayed,
    ];
    keepWritten(call.arguments);
    const raw = {
      name,
      arguments: free ?? inputOf(m, name, call.arguments, row),
      ...idOf(call.id),
      ...(read.length > 0 && { read }),
    };
    const { sure } = m;
    // Without arguments, it may be other data with this name.
    m.sure &&= isMarked || !call.named;
    closeCall(m, raw, row, cut || missing, faults);
    m.sure = sure;
    body.found += 1;
  }
  return held.length > 0;
}

/** Keeps the notation of numbers, for arguments that are read with the object. */
const readEnvelope = (text: string): Reading => asWritten(readJson(text), text);

const nothing: Pick<Reading, 'value' | 'problems' | 'repairs'> = { value: undefined, problems: [], repairs: [] };

/** The problems in the object that is the call. Arguments as text are checked with the call. */
function readingOf(given: unknown, { problems, repairs }: typeof nothing): typeof nothing {
  const found = typeof given === 'string' && !/^\{[\s\S]*\}$/.test(given) ? readJson(given).repairs : [];
  return {
    value: undefined,
    problems: [...found, ...repairs].some(({ kind }) => kind === 'prose') ? [tooEarly.keyless as Problem] : problems,
    // A comment beside the arguments may be about the call, on its own line too.
    repairs: repairs.flatMap((repair) =>
      repair.kind === 'comment'
        ? [{ ...repair, certainty: 'inferred' as const }]
        : repair.certainty === 'lossless'
          ? []
          : [repair],
    ),
  };
}

/** Whether an item of a list has its own arguments, only a tool's name, or parameters that the tool declares. */
function isGiven(
  m: Machine,
  row: Dialect,
  { name, flat, named, arguments: given }: ReturnType<typeof callsIn>[number],
): boolean {
  if (!flat && !named) return true;
  const schema = schemaFor(m, plainName(row, name));
  const properties = propertiesOf(schema);
  return hasTool(m, plainName(row, name)) && Object.keys(given as object).every((key) => hasOwn(properties, key));
}

/** Used as the arguments, because there is nothing else. */
const flat: Repair = { path: [], kind: 'wrapper', before: undefined, certainty: 'inferred' };

const idOf = (id: string | undefined): { id?: string } => (id ? { id } : {});

/** A number instead of the name: the only tool that these arguments match, if there is one. */
function nameFor(m: Machine, name: string, text: string): string {
  if (!/^\d+$/.test(name) || !m.toolbox || m.toolbox.has(name)) return name;
  const keys = [...text.matchAll(/"(\w+)"\s*:/g)].map(([, key]) => key as string);
  const fits = m.toolbox.list().filter(({ schema }) => {
    const properties = propertiesOf(schema.json);
    return keys.length > 0 && keys.every((key) => Object.hasOwn(properties, key));
  });
  return fits.length === 1 ? (fits[0] as { name: string }).name : name;
}

const another = /[;,]?\s{0,99}(?=[[{]\s{0,99}["'{])/y;
const maybeAnother = /[;,]?\s{0,99}(?:[[{]\s{0,99})?$/y;
/** Between markers, everything in brackets belongs to the calls. The rest stays text. */
const anyJson = /[;,]?\s{0,99}(?=\{|\[(?!\/?[a-z_]{2,24}[\] =]))/iy;
/** A bracket that may start a marker. */
const maybeMarker = /[;,]?\s{0,99}\[\/?[a-z_]{0,24}$/iy;

/** After a body: reads its closers, remaining brackets, and the next body if there are several. */
export function stepAfter(m: Machine): boolean {
  const form = m.lastForm as ReadyForm;
  const from = m.at;
  let at = from;
  while (at < m.buffer.length && m.buffer.charCodeAt(at) <= 32) at += 1;
  m.gap += m.buffer.slice(from, at);
  m.at = at;
  if (at === m.buffer.length) return false;
  for (const close of form.closes) {
    const end = endAt(close, m.buffer, at);
    if (end >= 0) {
      m.at = end;
      m.gap = '';
      m.outside = '';
      m.mode = 'text';
      m.loose = isInner(form.closes, close);
      endBatch(m);
      return true;
    }
    // Longer closers come first, so that a short one waits for them.
    if (!m.ended && partAt(close, m.buffer, at)) return false;
  }
  if (form.body === 'call' && !form.single) {
    const more = form.closes.length > 0 && !form.bare ? anyJson : another;
    maybeMarker.lastIndex = at;
    if (!m.ended && maybeMarker.test(m.buffer)) return false;
    more.lastIndex = at;
    if (more.test(m.buffer)) {
      const source = m.buffer.slice(at, more.lastIndex);
      m.at = more.lastIndex;
      if (m.batch && form.closes.length > 0 && !form.lines) m.batch.stray ??= missingComma;
      leaveGap(m);
      openJson(m, form, undefined, undefined, source);
      return true;
    }
    maybeAnother.lastIndex = at;
    if (!m.ended && maybeAnother.test(m.buffer)) return false;
  }
  if (!m.ended && beginsCloser(m.buffer, at)) return false;
  const stray = strayAt(m.buffer, at);
  if (stray !== undefined) {
    if (stray.length === 1) {
      noteStrayCloser(m, stray);
      // It closes what is open around the call.
      if (m.candidate?.enclosed) m.candidate.data = true;
    }
    m.at += stray.length;
    // White space before it belongs to the call too, also if it arrived earlier.
    m.outside = '';
    return true;
  }
  m.mode = 'text';
  noteMissing(m, form);
  endBatch(m);
  leaveGap(m);
  return true;
}

/** White space without a closer is text if text follows. */
function leaveGap(m: Machine): void {
  const { gap } = m;
  m.gap = '';
  if (m.candidate && !m.candidate.confirmed) addText(m, gap);
  else m.space = (m.space ?? '') + gap;
}
