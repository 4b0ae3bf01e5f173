import type { Problem } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/types.ts';
import { bindText, schemaFor } from '../call/arguments.ts';
import { type CallNotes, newCallNotes } from '../call/call-notes.ts';
import { encodedObject } from '../call/call-shape.ts';
import { applyTypes } from '../call/typing.ts';
import { recordCloser } from '../grammar/closers.ts';
import { endAt, partAt } from '../grammar/pattern.ts';
import { addArguments, closeCall } from './open-call.ts';
import { isJson } from './open-form.ts';
import type { Candidate, Machine, PlainBody } from './state.ts';

/** Reads plain text arguments up to the closer or, if there is none, the end of the line. */
export function stepPlainBody(m: Machine): boolean {
  const body = m.body as PlainBody;
  const { closes } = body.form;
  const { buffer } = m;
  let end = -1;
  let upTo = buffer.length;
  const { calls } = body.form;
  if (closes.length === 0 && !calls) {
    end = buffer.indexOf('\n', m.at);
    if (end >= 0) upTo = end;
  }
  for (const close of closes) {
    const char = close.head[0] as string;
    for (let at = buffer.indexOf(char, m.at); at >= 0 && at < upTo; at = buffer.indexOf(char, at + 1)) {
      if (!partAt(close, buffer, at)) continue;
      const after = endAt(close, buffer, at);
      if (after < 0 && m.ended) continue;
      upTo = at;
      end = after;
      break;
    }
  }
  const piece = buffer.slice(m.at, upTo);
  body.value += piece;
  addArguments(m, piece);
  m.at = upTo;
  if (end < 0 && !m.ended) return false;
  if (end >= 0) m.at = end;
  m.mode = 'text';
  m.body = undefined;
  for (const close of closes) if (close.head.startsWith('</')) recordCloser(m, close);
  const value = body.value.trim();
  const spoken = calls
    ? m.candidate && isSpoken(m.candidate, body.value)
    : closes.length === 0 && standsFor.test(value);
  if (spoken && m.candidate) m.candidate.data = true;
  const found = newCallNotes();
  const { row } = body.form;
  // In a dialect with JSON, words aren't arguments. In a dialect with only text, they are.
  const isWords = row.frame !== undefined && !body.raw && !isJson(value);
  const certainty = row.group === 'B' ? 'lossless' : 'inferred';
  const bound = calls
    ? { [calls[1]]: value }
    : isWords || encodedObject.test(value)
      ? undefined
      : (bindText(m, body.name, value, found, certainty) ?? bindRequired(m, body, value, found));
  const typed = bound && applyTypes(bound, schemaFor(m, body.name), undefined, found);
  closeCall(
    m,
    { name: body.name, arguments: typed ?? value, read: found.read },
    row,
    end < 0 && (m.cut || value === '' || (closes.length > 0 && !calls)),
    typed || value.startsWith('[') || encodedObject.test(value) ? [] : [noFields(value)],
  );
  return true;
}

/** A JSON string in labelled lines of a named dialect stands for the only required field, if that takes text alone. */
function bindRequired(m: Machine, { form, name }: PlainBody, value: string, found: CallNotes): JsonObject | undefined {
  const { required = [], properties = {} } = (schemaFor(m, name) || {}) as SchemaObject;
  const [only, another] = required;
  if (form.row.group !== 'F' || !m.named || m.whole || only === undefined || another !== undefined) return undefined;
  const { value: text } = readJson(/^"(?:[^"\\\n]|\\.)*"$/.test(value) ? value : 'null');
  if ((properties[only] as SchemaObject | undefined)?.type !== 'string' || typeof text !== 'string') return undefined;
  if (!/\S/.test(text) || /^\s*[[{<]|[=:(]/.test(text)) return undefined;
  found.read.push({ path: [only], kind: 'object', before: value.slice(0, 80), certainty: 'inferred' });
  return { [only]: text };
}

/** A placeholder in a description of the format. */
const standsFor = /^(?:<[^<>\n]{1,60}>|\.{3}|…)$/;

/** Whether the token is part of a sentence. Otherwise code directly follows it. */
const isSpoken = ({ startsLine, behindSentence }: Candidate, code: string): boolean =>
  !(startsLine || behindSentence) || /^[ \t]/.test(code) || !isPython(code.trimStart().split('\n', 1)[0] as string);

const pythonString = /[rbf]*("|')(?:\\.|(?!\1)[^\\])*\1/gi;
const statement =
  /^(?:#|@\w|import \w+(?: as \w+)?(?:,|$)|from [\w.]+ import |(?:async )?def \w+\s*\(|class \w+\s*[(:]|try:|(?:(?:async )?for\b.* in|while|if|(?:async )?with) [^,]+:$|(?:return|await|del|raise|assert|global|print) [\w"([{-][^ ]*$)/;
const operators = /\b(?:and|await|else|for|if|in|is|lambda|not|or)\b/g;

/** Whether a line may be Python: a statement, or an expression without words next to each other. */
function isPython(line: string): boolean {
  if (/^[rbf]*("""|''')/i.test(line)) return true;
  const code = line
    .replace(pythonString, '""')
    .replace(/(?<=.)#.*/, '')
    .trimEnd();
  if (statement.test(code)) return true;
  const terms = code.replace(operators, '+');
  return /^[\w"([{+~-]/.test(terms) && !/[^ -~]|['`$?!]|[\w")\]}]\s+[\w"]|[.,;:]$|^\w*$/.test(terms);
}

/** The problem for text if the tool doesn't have exactly one text parameter. */
const noFields = (value: string): Problem => ({
  path: [],
  code: 'syntax',
  received: value.slice(0, 500),
  message: 'Root object is written as plain text; send a JSON object with the fields by name',
});
