import type { Problem } from '../../json/problem.ts';
import { hasOwn, type JsonValue } from '../../json/value.ts';
import { propertiesOf } from '../../schema/lookup.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { schemaFor } from '../call/arguments.ts';
import { missingCloser, newCallNotes } from '../call/call-notes.ts';
import { readTagged, takesText } from '../call/typing.ts';
import { closesInside, holdsCloser, isInner, mayContinue, recordCloser, recordUnclosed } from '../grammar/closers.ts';
import { otherClosers } from '../grammar/foreign-closers.ts';
import { isKin, type ReadyForm } from '../grammar/grammar.ts';
import { branchAt, isOpen, nextMarker } from '../grammar/marker-trie.ts';
import { afterParam, glance, type TaggedEnds, taggedEnds } from '../grammar/parameter-ends.ts';
import { endAt, isAt, matchAt, type Pattern, partAt } from '../grammar/pattern.ts';
import { isFormat } from '../placement/candidate.ts';
import { isTemplate } from '../placement/template.ts';
import { addArguments, closeCall, confirmCall } from './open-call.ts';
import { entitiesIn, openJson } from './open-form.ts';
import type { Machine, OpenCall, TaggedBody } from './state.ts';
import {
  betweenLines,
  closedInside,
  closerInside,
  endsInCloser,
  fieldInside,
  isCertain,
  isOneSided,
  openedInside,
  openerInside,
  opensInside,
  startsInOpener,
  taggedValue,
  trimUnclosed,
} from './tagged-value.ts';

/** Continues tagged parameters. */
export function stepTagged(m: Machine): boolean {
  const body = m.body as TaggedBody;
  return body.key === undefined ? between(m, body) : inValue(m, body);
}

type Seen = 'yes' | 'no' | 'wait';

/** Between parameters: the next one, the end of the call, or other text, which is collected. */
function between(m: Machine, body: TaggedBody): boolean {
  const { form } = body;
  const from = m.at;
  while (m.at < m.buffer.length && m.buffer.charCodeAt(m.at) <= 32) m.at += 1;
  if (body.gap.length < 9) body.gap += m.buffer.slice(from, m.at);
  if (body.junk !== '') body.junk += m.buffer.slice(from, m.at);
  if (m.at === m.buffer.length) {
    if (m.ended) end(m, body);
    return m.ended;
  }
  const near = glance(afterParam(form), m.buffer, m.at);
  if (near === 'wait' && !m.ended) return false;
  const param = near === 'look' && form.paramOpen ? matchAt(form.paramOpen, m.buffer, m.at) : undefined;
  if (param) {
    // An opener of two tags has between them what the call has between parameters.
    body.separator ??= body.gap || (betweenTags.exec(m.buffer.slice(m.at, param.end))?.[1] ?? '');
    openParam(m, body, param);
    return true;
  }
  for (const close of near === 'look' ? form.closes : []) {
    const end = endAt(close, m.buffer, m.at);
    // Longer closers come first, so that a short one waits for them.
    if (end < 0 && !m.ended && partAt(close, m.buffer, m.at)) return false;
    if (end < 0) continue;
    if (body.junk === '' && Object.keys(body.params).length === 0) {
      const rest = m.buffer.slice(end, end + 2);
      if (rest.length < 2 && !m.ended && /^[ \t]?$/.test(rest)) return false;
      body.spoken = /^[ \t]\p{Ll}/u.test(rest);
    }
    m.at = end;
    m.loose = isInner(form.closes, close);
    finish(m, body, false);
    return true;
  }
  const other = rowMarker(m, body, m.at);
  if (other === 'wait' || (near === 'look' && !m.ended && begins([form.paramOpen, ...form.closes], m.buffer, m.at)))
    return false;
  const fault = other === 'no' ? faultAt(m, body) : undefined;
  if (fault) return fault === 'read';
  if (other === 'yes') {
    body.lacks ??= form.closes[0]?.head;
    finish(m, body, body.junk !== '' || (m.ended && m.cut));
    return true;
  }
  if (m.buffer[m.at] === '{' && body.junk === '' && Object.keys(body.params).length === 0 && m.call) {
    openJson(m, { ...form, body: 'args' }, m.call.name, m.call.id, '');
    return true;
  }
  const char = m.buffer[m.at] as string;
  if (body.junk === '' && Object.keys(body.params).length === 0) body.spoken = goesOn(body.gap, char);
  body.junk += char;
  m.at += 1;
  return true;
}

const betweenTags = />(\s+)</;

function openParam(m: Machine, body: TaggedBody, { holes, end }: NonNullable<ReturnType<typeof matchAt>>): void {
  const { form } = body;
  if (!body.spoken) confirmCall(m);
  body.key = entitiesIn(form, holes.key ?? '').trim();
  body.ends = taggedEnds(form, body.key);
  body.value = '';
  body.opener = m.buffer.slice(m.at, end);
  body.cdata = undefined;
  if (holes.type !== undefined) body.types[body.key] = holes.type;
  m.at = end;
}

/** Ends a call without its closer: complete if it has every field of its tool. Otherwise some may be lost. */
function end(m: Machine, body: TaggedBody): void {
  const { form, params, junk } = body;
  const fields = Object.keys(propertiesOf(schemaFor(m, (m.call as OpenCall).name)));
  const isComplete = fields.length > 0 && fields.every((key) => hasOwn(params, key));
  if (isComplete) body.lacks ??= form.closes[0]?.head;
  finish(m, body, m.cut || junk !== '' || (form.closes.length > 0 && !isComplete));
}

/** A faulty marker between parameters: `read` if it is read, `wait` if more text is needed. */
function faultAt(m: Machine, body: TaggedBody): 'read' | 'wait' | undefined {
  const { form } = body;
  const { buffer, at } = m;
  const loose = form.paramLoose.find((one) => isAt(one, buffer, at));
  const param = loose && matchAt(loose, buffer, at);
  if (param && isKey(m, param.holes.key ?? '')) {
    const isPair = buffer[param.end - 1] === '>';
    const next = isPair ? param.end : buffer.indexOf('<', param.end);
    if (next < 0 && !m.ended) return 'wait';
    if (next > 0 && !buffer.slice(param.end, next).includes('>')) {
      body.lacks ??= (isPair && keyCloser.exec(form.param ?? '')?.[0]) || '>';
      openParam(m, body, param);
      return 'read';
    }
  }
  if (param === undefined && !m.ended && form.paramLoose.some((one) => partAt(one, buffer, at))) return 'wait';
  if (body.junk !== '') return undefined;
  const closed = otherClosers(buffer, at, m.ended);
  if (closed === 'wait') return 'wait';
  // The end of the text cut off a closer, and no opener of a parameter.
  const isCut = m.ended && begins(form.closes, buffer, at) && !begins([form.paramOpen], buffer, at);
  if (closed === undefined && !isCut) return undefined;
  body.lacks ??= form.closes[0]?.head;
  m.at = closed ?? buffer.length;
  finish(m, body, m.cut);
  return 'read';
}

const keyCloser = /<\/[^<>{}]+>/;

/** Whether a sentence continues after an opener, or an escape shows that it is in a string. */
const goesOn = (gap: string, char: string): boolean =>
  gap === '' ? /[\\,.;:)]/.test(char) : /^[ \t]+$/.test(gap) && /\p{Ll}/u.test(char);

/**
 * In a value: it ends at its closer if a parameter or the end of the call follows, or where one of these implies its
 * end.
 */
function inValue(m: Machine, body: TaggedBody): boolean {
  if (passCdata(m, body)) return false;
  const { buffer } = m;
  const { set } = body.ends as TaggedEnds;
  for (let at = nextMarker(set, buffer, m.at); at < buffer.length; at = nextMarker(set, buffer, at + 1)) {
    const seen = endsHere(m, body, at);
    if (seen === 'no') continue;
    flow(m, body, at);
    if (seen === 'wait') return false;
    const { close, closer } = body.ends as TaggedEnds;
    const implied = seen.end === at;
    if (implied) body.lacks ??= closer;
    const isParam = implied && body.form.paramOpen && matchAt(body.form.paramOpen, buffer, at);
    // Within a line after words, an opener is only mentioned.
    if (isParam && /[^\s][ \t]+$/.test(body.value.slice(-200))) m.twice = true;
    m.at = seen.end;
    if (implied && trimUnclosed(body, closer, Boolean(isParam))) m.twice = true;
    keepValue(m, body, implied);
    if (implied && !isParam) recordUnclosed(m, close);
    if (implied && !isParam && closesAgain(m, body, at)) m.twice = true;
    return true;
  }
  flow(m, body, buffer.length);
  if (!m.ended) return false;
  keepValue(m, body, true);
  finish(m, body, true);
  return true;
}

const cdataStart = '<![CDATA[';

/** Passes over a CDATA section, in which nothing ends the value. Returns true if more text is needed. */
function passCdata(m: Machine, body: TaggedBody): boolean {
  if (!body.form.row.cdata) return false;
  if (body.cdata === undefined) {
    const start = (body.value + m.buffer.slice(m.at, m.at + 99)).trimStart().slice(0, cdataStart.length);
    if (start !== cdataStart && cdataStart.startsWith(start)) return false;
    body.cdata = start === cdataStart;
  }
  if (!body.cdata) return false;
  const kept = body.value.slice(-2);
  const end = (kept + m.buffer.slice(m.at)).indexOf(']]>');
  flow(m, body, end < 0 ? m.buffer.length : m.at + end + 3 - kept.length);
  body.cdata = end < 0;
  return end < 0 && !m.ended;
}

/** Whether the open value ends at an offset, and where reading continues. */
function endsHere(m: Machine, body: TaggedBody, at: number): 'no' | 'wait' | { end: number } {
  const { form } = body;
  const { buffer } = m;
  const ends = body.ends as TaggedEnds;
  const near = glance(ends.set, buffer, at);
  if (near !== 'look') return m.ended ? 'no' : near;
  const end = endAt(ends.close, buffer, at);
  if (end >= 0) {
    const next = follows(m, body, end);
    return next === 'yes' ? { end } : next;
  }
  const param = form.paramOpen && matchAt(form.paramOpen, buffer, at);
  if (param && form.paramClose) return isKey(m, param.holes.key ?? '') ? { end: at } : 'no';
  const over = firstMatch(form.closes, buffer, at);
  if (over !== undefined) {
    const next = endFollows(m, body, over);
    return next === 'yes' ? { end: at } : next;
  }
  return !m.ended && begins([ends.close, form.paramOpen, ...form.closes], buffer, at) ? 'wait' : 'no';
}

/** More white space than any call has after a closer. */
const mostSpace = 1000;

/** What follows a value's closer: another parameter or the end of the call. */
function follows(m: Machine, body: TaggedBody, from: number): Seen {
  const { form } = body;
  const at = nonSpace(m.buffer, from);
  if (at - from > mostSpace) return 'no';
  if (at === m.buffer.length) return m.ended ? 'yes' : 'wait';
  const near = glance(afterParam(form), m.buffer, at);
  if (near === 'look') {
    const param = form.paramOpen && matchAt(form.paramOpen, m.buffer, at);
    if (param) return 'yes';
    const over = firstMatch(form.closes, m.buffer, at);
    if (over !== undefined) return isOver(m, body, over);
  }
  const other = rowMarker(m, body, at);
  if (other === 'no' && near !== 'no' && !m.ended && begins([form.paramOpen, ...form.closes], m.buffer, at))
    return 'wait';
  if (other === 'no' && m.ended && isTail(m, body, at)) return 'yes';
  return other;
}

/** After a call's closer in an unclosed value, only what occurs outside of calls makes it the end. */
function endFollows(m: Machine, body: TaggedBody, from: number): Seen {
  const at = nonSpace(m.buffer, from);
  if (at - from > mostSpace) return 'no';
  if (at === m.buffer.length) return m.ended ? 'yes' : 'wait';
  const other = rowMarker(m, body, at);
  return other === 'yes' ? isOver(m, body, from) : other;
}

/**
 * Whether a call that closes here is over. Not if the closer of the open value follows, because all of this is then
 * part of the value.
 */
function isOver(m: Machine, body: TaggedBody, from: number): Seen {
  const { close } = body.ends as TaggedEnds;
  let at = nonSpace(m.buffer, from);
  for (let closers = 0; closers < 8 && at < m.buffer.length; closers++) {
    if (at - from > mostSpace) return 'yes';
    if (isAt(close, m.buffer, at)) return 'no';
    if (!m.ended && partAt(close, m.buffer, at)) return 'wait';
    const next = sectionEnd(m, body, at);
    if (next === undefined) return 'yes';
    if (next === 'wait') return next;
    at = nonSpace(m.buffer, next);
  }
  return m.ended || at < m.buffer.length || at - from > mostSpace ? 'yes' : 'wait';
}

/** Whether the closer of the call occurs again after an offset, so that the first one may be part of an open value. */
function closesAgain(m: Machine, body: TaggedBody, from: number): boolean {
  const first = body.form.closes.find((close) => isAt(close, m.buffer, from));
  let next: number | 'wait' | undefined = first && endAt(first, m.buffer, from);
  for (let closers = 0; first && closers < 8 && typeof next === 'number'; closers++) {
    const at = nonSpace(m.buffer, next);
    if (at - next > mostSpace) return false;
    if (body.form.closes.some((close) => close.head === first.head && isAt(close, m.buffer, at))) return true;
    next = sectionEnd(m, body, at);
  }
  return false;
}

/** The end of a marker that ends a section, or a call of this dialect. */
function sectionEnd(m: Machine, { form }: TaggedBody, at: number): number | 'wait' | undefined {
  const ends = branchAt(m.grammar.text, m.buffer, at).all.filter(({ kind }) => kind === 'sectionEnd');
  const patterns = [...form.closes, ...ends.map(({ pattern }) => pattern)];
  const over = firstMatch(patterns, m.buffer, at);
  return over ?? (!m.ended && begins(patterns, m.buffer, at) ? 'wait' : undefined);
}

/** Whether the end of the text cut a closer off. */
const isTail = (m: Machine, { form }: TaggedBody, at: number): boolean =>
  m.buffer.length - at < 100 && begins(form.closes, m.buffer, at);

/** Whether a marker is at an offset that may follow a call: the next one of this dialect, or the end of any section. */
function rowMarker(m: Machine, { form }: TaggedBody, at: number): Seen {
  const branch = branchAt(m.grammar.text, m.buffer, at);
  const open = isOpen(branch, m.buffer, at);
  let wait = false;
  for (const { pattern, row, kind } of open ? branch.all : branch.fit) {
    if (kind === 'noise' || kind === 'stray' || !(kind === 'sectionEnd' || isKin(row, form))) continue;
    // While only literal characters have arrived, there is nothing to match.
    if (open && branch.fit.length === 0) return m.ended ? 'no' : 'wait';
    if (!partAt(pattern, m.buffer, at)) continue;
    if (isAt(pattern, m.buffer, at)) return 'yes';
    wait = true;
  }
  return wait && !m.ended ? 'wait' : 'no';
}

/** An opener in a value starts a parameter only if the tool declares it. */
function isKey(m: Machine, key: string): boolean {
  const schema = schemaFor(m, (m.call as OpenCall).name) as { properties?: object } | undefined;
  return schema?.properties === undefined || hasOwn(schema.properties, key.trim());
}

/** Whether a field accepts text, in which a line break counts. */
function isText(m: Machine, key: string): boolean {
  const schema = (schemaFor(m, (m.call as OpenCall).name) || {}) as SchemaObject;
  return takesText(propertiesOf(schema)[key] as JsonSchema | undefined, schema);
}

const declares = (m: Machine, key: string): boolean =>
  hasOwn(propertiesOf(schemaFor(m, (m.call as OpenCall).name)), key);

function flow(m: Machine, body: TaggedBody, upTo: number): void {
  const piece = m.buffer.slice(m.at, upTo);
  body.value += piece;
  addArguments(m, piece);
  m.at = upTo;
}

function keepValue(m: Machine, body: TaggedBody, implied: boolean): void {
  const key = body.key as string;
  const ends = body.ends as TaggedEnds;
  const { close, closer } = ends;
  const { paramOpen, closes } = body.form;
  const next = implied ? undefined : [...(paramOpen ? [paramOpen] : []), ...closes];
  // Text between two sections may belong to the value.
  const isSplit = body.form.row.cdata && /\]\]>\s+<!\[CDATA\[/.test(body.value);
  if (isSplit || holdsCloser(body.value, ends, next) || mayContinue(m, body.value, close, before(m, body, key)))
    m.twice = true;
  recordCloser(m, close);
  const plain = taggedValue(body.value, body.form);
  const inner = plain === body.value && isText(m, key) ? betweenLines(plain, body.form) : undefined;
  const value = inner === undefined || /[\r\n]/.test(inner) ? plain : inner;
  const isDoubtful = isOneSided(body.value, body.form) && !isCertain(value, body.form) && isText(m, key);
  if (inner !== undefined || isDoubtful)
    body.read.push({ path: [key], kind: 'newline', before: '\n', after: value, certainty: 'inferred' });
  if (opensInside(body.value, closer)) body.problems.push(openedInside(key, closer));
  else if (implied && (holdsField(m, body, key) || holdsTag(value, body.form)))
    body.problems.push(fieldInside(key, closer));
  else if (closesInside(body.value, ends)) body.problems.push(closedInside(key, closer));
  else if (endsInCloser(body.value, closer, implied)) body.problems.push(closerInside(key, closer));
  else if (startsInOpener(body.value, body.opener) || (body.lacks && body.value.trimStart().startsWith(body.lacks)))
    body.problems.push(openerInside(key));
  if (hasOwn(body.params, key) && body.params[key] !== value) {
    body.problems.push({
      path: [key],
      code: 'duplicate_key',
      message: `Field '${key}' is given twice with different values`,
    });
  }
  Object.defineProperty(body.params, key, { value, enumerable: true, writable: true, configurable: true });
  body.key = undefined;
}

/** Whether a value without a closer holds the opener of another field, in a dialect whose tags are keys. */
function holdsField(m: Machine, { form, value }: TaggedBody, key: string): boolean {
  const { paramOpen, paramClose } = form;
  if (!paramOpen || paramClose) return false;
  const set = afterParam(form);
  for (let at = nextMarker(set, value, 0); at < value.length; at = nextMarker(set, value, at + 1)) {
    const inside = matchAt(paramOpen, value, at)?.holes.key?.trim();
    if (inside !== undefined && inside !== key && declares(m, inside)) return true;
  }
  return false;
}

/** Whether the text of a value holds tags of a dialect whose values are trees. */
const holdsTag = (value: JsonValue, { row: { nested } }: ReadyForm): boolean =>
  nested !== undefined && typeof value === 'string' && value.includes(nested);

/** The closers of the values that this parameter may be part of. A required parameter isn't part of a value. */
function before(m: Machine, { form, params }: TaggedBody, key: string): readonly Pattern[] {
  const keys = Object.keys(params);
  if (keys.length === 0) return [];
  const { required } = (schemaFor(m, (m.call as OpenCall).name) ?? {}) as { required?: readonly string[] };
  if (required?.includes(key)) return [];
  return form.paramClose ? [form.paramClose] : keys.slice(0, 20).map((one) => taggedEnds(form, one).close);
}

/** Text between parameters may be intended as one, so it is reported. */
const noParameter = (junk: string): Problem => ({
  path: [],
  code: 'syntax',
  received: junk.slice(0, 500),
  message: `Root object has text that is not a parameter: ${JSON.stringify(junk.slice(0, 80))}`,
});

/** Ends the call: types its values and checks it. */
function finish(m: Machine, body: TaggedBody, cut: boolean): void {
  const { name, id } = m.call as OpenCall;
  const schema = schemaFor(m, name);
  const found = newCallNotes(body.problems);
  found.read.push(...body.read);
  const typed = readTagged(body.params, body.types, schema, found);
  if (body.lacks !== undefined) found.read.push(missingCloser(body.lacks));
  // If tags are keys, an undeclared one may belong to the previous value.
  const strange = body.form.paramClose ? [] : Object.keys(body.params).filter((key) => !isKey(m, key));
  for (const key of strange) {
    found.read.push({ path: [key], kind: 'object', before: `<${key}>`, certainty: 'inferred' });
    // The opener of the parameters may stand for their closer.
    if (body.form.open?.includes(`<${key}>`)) found.problems.push(noParameter(`<${key}>`));
  }
  const junk = body.junk.replace(/[ĠĊ]|<[be]os>/g, '').trimEnd();
  // Signs count too: an ellipsis represents omitted parameters.
  if (/\S/.test(junk)) found.problems.push(noParameter(junk));
  // Text after an unclosed opener: it is only mentioned. Signs instead of parameters: it only shows the form.
  const words = cut ? /^\s*[^\s<]/.test(junk) : !m.named && /\S/.test(junk) && !/[\p{L}\p{N}]/u.test(junk);
  if (words && m.candidate && Object.keys(body.params).length === 0) m.candidate.data = true;
  if (body.spoken && m.candidate && !m.candidate.confirmed) m.candidate.data = true;
  else confirmCall(m);
  if (
    m.candidate &&
    (body.form.code
      ? isTemplate(body.params, schema, m.named && !m.whole) || isMarkup(m, body, strange, junk)
      : isFormat(m, body.params, schema))
  )
    m.candidate.data = true;
  m.mode = 'text';
  m.body = undefined;
  closeCall(m, { name, id, arguments: typed, read: found.read }, body.form.row, cut, found.problems);
}

/**
 * Whether an element with a tool's name is other markup: it contains text, or tags that aren't fields of the tool. If
 * the dialect is named, they may be a mistake, unless such tags are indented as in documents, or none of several, or with
 * attributes, is a field.
 */
function isMarkup(m: Machine, { params, gap, lacks }: TaggedBody, strange: readonly string[], junk: string): boolean {
  const keys = Object.keys(params).length;
  const none = strange.length === keys && (keys > 1 || junk.trim() !== '' || lacks !== undefined);
  const isOther = strange.length > 0 || /\S/.test(junk);
  const [, element] = elementIn.exec(junk) ?? [];
  const hasTags = strange.length > 0 || (element !== undefined && !declares(m, element));
  return isOther && (!m.named || m.whole || (hasTags && (/\n[ \t]/.test(gap) || none)));
}

/** A tag with attributes, which no parameter has. */
const elementIn = /<([A-Za-z][\w:.-]{0,60})\s+[\w:-]{1,60}\s*=\s*["']/;

function nonSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

function firstMatch(patterns: readonly Pattern[], text: string, at: number): number | undefined {
  for (const pattern of patterns) {
    const end = endAt(pattern, text, at);
    if (end >= 0) return end;
  }
  return undefined;
}

const begins = (patterns: readonly (Pattern | undefined)[], text: string, at: number): boolean =>
  patterns.some((pattern) => pattern && partAt(pattern, text, at));
