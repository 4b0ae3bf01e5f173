import type { Problem } from '../../json/problem.ts';
import { schemaFor } from '../call/arguments.ts';
import { missingCloser, newCallNotes, tooMany } from '../call/call-notes.ts';
import { applyTypes } from '../call/typing.ts';
import { endAt, isAt, partAt } from '../grammar/pattern.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { isColon, type PythonCall, readPythonCall } from '../python/parse-call.ts';
import { scanPython } from '../python/span.ts';
import { faultAfter } from './json-scanner.ts';
import { noteMissing } from './marker-faults.ts';
import { addArguments, closeCall, openCall, plainName } from './open-call.ts';
import { endsAtTag } from './open-form.ts';
import { addText, endBatch, faultList, leaveList } from './output.ts';
import type { Machine, PythonBody } from './state.ts';
import { hasTool } from './text.ts';

const opener = /(?:[\p{L}_][\p{L}\p{N}_]{0,63}\s{0,8}=\s{0,8})?([\p{L}_][\p{L}\p{N}_.\\:-]{0,127})\s{0,8}\(/uy;
const maybe = /[\p{L}_][\p{L}\p{N}_.\\:-]{0,127}(?:\s{0,8}=?\s{0,8}(?:[\p{L}_][\p{L}\p{N}_.\\:-]{0,127}\s{0,8})?)?$/uy;

/** Continues Python calls. Each is checked as soon as it is closed. */
export function stepPython(m: Machine): boolean {
  const body = m.body as PythonBody;
  return body.span.depth > 0 ? inCall(m, body) : between(m, body);
}

/** Between calls: separators, brackets of the list, the closer, the next call. */
function between(m: Machine, body: PythonBody): boolean {
  const { form, span } = body;
  const char = m.buffer[m.at];
  if (char === undefined) {
    if (m.ended) leave(m, body);
    return m.ended;
  }
  for (const close of form.closes) {
    const end = endAt(close, m.buffer, m.at);
    if (end >= 0) {
      m.at = end;
      leave(m, body, true);
      return true;
    }
  }
  if (!m.ended && form.closes.some((close) => partAt(close, m.buffer, m.at))) return false;
  const isPrinted = body.printed === body.found && char > ' ';
  if (isPrinted && char === ')') {
    body.printed = 0;
    m.at += 1;
    return true;
  }
  // More than a call is printed, so this is code that is shown.
  if (isPrinted && m.candidate && body.printed) m.candidate.data = true;
  if (/[\s,;[\]]/.test(char)) {
    if (char === '[') span.list = true;
    body.source += char;
    body.signs += char;
    m.at += 1;
    if (char === ']' && span.list) {
      if (signsIn(body).length > 1) body.fault = 'hole';
      span.list = false;
      if (form.closes.length === 0) leave(m, body);
    }
    return true;
  }
  opener.lastIndex = m.at;
  const found = opener.exec(m.buffer);
  if (found) return begin(m, body, found[1] as string, opener.lastIndex);
  maybe.lastIndex = m.at;
  if (!m.ended && maybe.test(m.buffer)) return false;
  if (m.batch && form.closes.length > 0) {
    const { ends, stray } = endsAtTag(m, form);
    if (ends === 'wait') return false;
    if (stray !== undefined) m.batch.stray = tooMany(stray);
    m.batch.foreign ||= span.list || ends === 'no';
  } else if (m.batch && span.list) m.batch.foreign = true;
  leave(m, body);
  return true;
}

function begin(m: Machine, body: PythonBody, written: string, at: number): boolean {
  const name = plainName(body.form.row, written.replaceAll('\\_', '_'));
  if (written === 'print' && body.form.bare && !body.printed && !m.toolbox?.get('print')) {
    body.printed = body.found + 1;
    m.at = at;
    return true;
  }
  if (body.form.bare && !hasTool(m, name)) {
    leave(m, body);
    return true;
  }
  noteGap(body);
  body.span.text = `${written}(`;
  body.span.depth = 1;
  m.at = at;
  openCall(m, name, undefined, soFar(body));
  return true;
}

const signsIn = ({ signs }: PythonBody): string => signs.replace(/[^,;]/g, '');

/**
 * Notes what is wrong before a call: in a list, anything but one comma; in a row, more than one sign, or none on one line.
 * Without its comma, the text between may belong to the text of the call before, with a quote that isn't escaped.
 */
function noteGap(body: PythonBody): void {
  const { signs, span, found } = body;
  const isRow = !span.list && found > 0 && /[\n;,]/.test(signs);
  const due = found > 0 ? ',' : '';
  const fault = faultAfter(body.fault, signsIn(body), due);
  if (!isRow || fault === 'hole') body.fault = fault;
  if (span.list && found > 0 && signsIn(body) !== due) body.openQuote ||= body.quote;
  body.signs = '';
}

/**
 * The arguments so far. They are parsed again only after growing by an eighth, so that frequent access stays linear.
 */
function soFar({ span }: PythonBody): () => ReturnType<typeof bindArguments> | undefined {
  let read = 0;
  let value: ReturnType<typeof bindArguments> | undefined;
  return () => {
    if (span.text.length >= read * 1.125) {
      const call = readPythonCall(span.text, 0);
      read = span.text.length;
      value = call && bindArguments(call, undefined);
    }
    return value;
  };
}

function inCall(m: Machine, body: PythonBody): boolean {
  const { span } = body;
  const { at, closed } = scanPython(span, m.buffer, m.at, m.ended);
  const piece = m.buffer.slice(m.at, at);
  span.text += piece;
  addArguments(m, closed ? piece.slice(0, -1) : piece);
  m.at = at;
  if (!closed && !m.ended) return false;
  const lost = !closed && !backToCloser(m, body);
  span.depth = 0;
  span.quote = '';
  judge(m, body, lost);
  return true;
}

/**
 * An unclosed string contains the closer: the call ends there, and the rest is text. Returns false if there is none.
 */
function backToCloser(m: Machine, { form, span }: PythonBody): boolean {
  for (const close of form.closes) {
    for (
      let at = span.text.indexOf(close.head[0] as string);
      at >= 0;
      at = span.text.indexOf(close.head[0] as string, at + 1)
    ) {
      if (!isAt(close, span.text, at)) continue;
      m.buffer = span.text.slice(at);
      m.at = 0;
      span.text = span.text.slice(0, at).replace(/\]?\s*$/, '');
      return true;
    }
  }
  return false;
}

/** The call in `print(…)`, if there is nothing else. */
function printed(written: string): PythonCall | undefined {
  const [, inner] = /^print\(([\s\S]*)\)$/.exec(written) ?? [];
  const call = inner === undefined ? undefined : readPythonCall(inner.trim(), 0);
  return call?.closed && call.end === inner?.trim().length ? call : undefined;
}

function judge(m: Machine, body: PythonBody, lost: boolean): void {
  const { row } = body.form;
  const written = body.span.text;
  const inner = m.toolbox?.has('print') ? undefined : printed(written);
  const call = inner ?? readPythonCall(written, 0);
  const name = call && written.startsWith('print(') ? call.name : (m.call?.name ?? '');
  body.found += 1;
  body.source = '';
  body.quote = /(["'])\s*\)\s*$/.exec(written.slice(-64))?.[1] ?? '';
  if (body.openQuote && body.openQuote === body.quote) body.fault = 'open';
  if (!call) {
    closeCall(m, { name, arguments: {} }, row, true);
    return;
  }
  const schema = schemaFor(m, name);
  const found = newCallNotes(call.problems);
  const values = applyTypes(bindArguments(call, schema, found), schema, call.marks, found);
  if (!call.closed) found.read.push(missingCloser(')'));
  if (m.candidate && (m.whole || !m.named) && call.inferred.some(isColon)) m.candidate.data = true;
  if (!inner && /[^\s\]]/.test(written.slice(call.end))) found.problems.push(leftOver);
  closeCall(m, { name, arguments: values, read: found.read }, row, lost || !call.whole, found.problems);
}

const leftOver: Problem = {
  path: [],
  code: 'syntax',
  message: 'Root object ends before the call does: escape every quote inside its strings',
};

/** Ends the calls; the rest is text. */
function leave(m: Machine, body: PythonBody, isClosed = false): void {
  if (!isClosed) noteMissing(m, body.form);
  if (body.printed && m.candidate) m.candidate.data = true;
  m.mode = 'text';
  m.body = undefined;
  // At the length limit, what is lost is only the next call.
  if (body.span.list) leaveList(m, body.found, !m.cut && body.source.includes(','));
  faultList(m, body.found, body.fault);
  endBatch(m);
  if (body.found === 0 && body.form.bare) addText(m, body.source);
}
