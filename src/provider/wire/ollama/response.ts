import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason, TurnError, TurnResponse, Usage } from '../../../model/index.ts';
import { statusKind, WireError } from '../errors.ts';
import { present } from '../passthrough-fields.ts';
import { completeTurn, type TurnEnd } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { rawCallInError } from '../unparsed-call.ts';
import { mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { asPassthrough, ownFields, passthroughOf, readAssistant, writeAssistant } from './messages.ts';

/** Reads a complete response. */
export function readResponse(value: unknown): TurnResponse {
  const wire = mustBeObject(value, '');
  const failed = errorText(wire);
  if (failed !== undefined) throw new WireError('error', `reports that the request failed: ${failed}`);
  const said = mustBeObject(wire.message, 'message');
  const { parts, passthrough } = readAssistant(said, 'message');
  const aside: JsonObject = {};
  takeMetadata(aside, wire);
  const response = completeTurn('ollama', startOf(wire), parts, endOf(wire, aside));
  const left = { ...passthrough?.fields, ...(said.role !== 'assistant' && { role: said.role ?? null }) };
  return { ...response, message: { ...response.message, ...passthroughOf(left) } };
}

/** Reads the model of a response or a line. The API has no response id. */
export const startOf = ({ model }: JsonObject): { model?: string } => (typeof model === 'string' ? { model } : {});

/** Writes a complete response. */
export function writeResponse(response: TurnResponse): Written {
  const warnings: Warning[] = foreignFieldWarnings('ollama', response);
  const { message, finish, usage, model = '' } = response;
  if (finish === 'filter')
    warnings.push({ where: 'finish', what: 'This API format cannot express a filtered response' });
  const { done_reason: before, done, ...left } = ownFields(response) ?? {};
  const word = writeFinish(finish, before);
  const role = ownFields(message)?.role;
  const { role: plain, ...said } = writeAssistant(message, 'message', warnings, '');
  const wire: JsonObject = {
    model,
    created_at: new Date().toISOString(),
    message: { ...(role !== null && { role: role ?? plain ?? 'assistant' }), ...said },
    ...(done !== null && { done: done ?? true }),
    ...(word !== undefined && { done_reason: word }),
    ...(usage && writeUsage(usage)),
    ...left,
  };
  return { wire, warnings };
}

const counts = {
  prompt_eval_count: 'input',
  eval_count: 'output',
  prompt_eval_cached_count: 'cached',
} as const satisfies Record<string, keyof Usage>;

/** Fields that are read, and `__proto__`, which must never be copied. */
const known = new Set(['__proto__', 'model', 'message', 'done', 'done_reason', ...Object.keys(counts)]);

/** Collects the other fields of a response or a line, such as durations. */
export function takeMetadata(aside: JsonObject, wire: JsonObject, except: readonly string[] = []): void {
  for (const key in wire) if (!known.has(key) && !except.includes(key)) aside[key] = wire[key] as JsonValue;
}

/** Reads the end of a response, with passthrough fields. */
export function endOf(wire: JsonObject, aside: JsonObject): TurnEnd {
  return {
    finish: readFinish(wire.done_reason),
    usage: readUsage(wire),
    passthrough: passthroughOf({
      ...aside,
      ...oddReason(wire.done_reason),
      ...(wire.done !== true && { done: wire.done ?? null }),
    }).passthrough,
  };
}

/** Reads token usage. */
export function readUsage(wire: JsonObject): Usage | undefined {
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const [field, count] of Object.entries(counts)) {
    const given = wire[field];
    if (typeof given === 'number') usage[count] = given;
  }
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Writes token usage, without reasoning tokens. */
export const writeUsage = ({ input, output, cached }: Usage): JsonObject =>
  present({ prompt_eval_count: input, prompt_eval_cached_count: cached, eval_count: output });

/** The error message: in `error`, or on older servers in a field that starts with `error `. */
export function errorText(wire: JsonObject): string | undefined {
  if (isObject(wire.error))
    return typeof wire.error.message === 'string' ? wire.error.message : JSON.stringify(wire.error);
  if (typeof wire.error === 'string') return wire.error;
  const key = Object.keys(wire).find((name) => name.startsWith('error '));
  return key === undefined ? undefined : `${key}: ${String(wire[key])}`;
}

/**
 * Reads an error response. If the server couldn't parse the model's call, keeps the model's text as `raw` (see
 * `rawCallText`).
 */
export function readError(status: number, body: unknown): TurnError {
  const wire = isObject(body) ? body : undefined;
  const text = wire ? errorText(wire) : typeof body === 'string' ? body.slice(0, 1000) : undefined;
  const raw = text === undefined ? undefined : rawCallInError(text);
  return {
    ...statusKind(status),
    message: text || `The server responded with status ${status}`,
    ...(wire && asPassthrough({ ...wire, ...(raw !== undefined && { raw }) })),
  };
}

/** Writes an error response. */
export function writeError(error: TurnError): JsonObject {
  const before = ownFields(error);
  if (!before) return { error: error.message };
  const { raw: _, ...wire } = before;
  return wire;
}

const words: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  tool_calls: 'stop',
  length: 'length',
  filter: 'stop',
  error: 'error',
  other: 'other',
};

/**
 * Reads the finish reason; undefined for a normal end, where it follows from the parts. `load` and `unload` are not
 * responses to a prompt.
 */
export function readFinish(word: JsonValue | undefined): FinishReason | undefined {
  if (typeof word !== 'string' || word === '' || word === 'stop') return undefined;
  return endedByLength(word) ? 'length' : word === 'error' ? word : 'other';
}

/**
 * Writes the finish reason; keeps the received one (`before`) if it has the same meaning. `before` is null if none was
 * received.
 */
export function writeFinish(finish: FinishReason, before: JsonValue | undefined): string | undefined {
  if (before === null && words[finish] === 'stop') return undefined;
  return typeof before === 'string' && readFinish(before) === finish ? before : words[finish];
}

/** A finish reason that must be passed through because ours doesn't map back to it. */
export function oddReason(word: JsonValue | undefined): { done_reason?: JsonValue } {
  if (word === undefined || word === null) return { done_reason: null };
  return words[readFinish(word) ?? 'stop'] === word ? {} : { done_reason: word };
}
