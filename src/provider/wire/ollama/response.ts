import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { TurnResponse } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { completeTurn, type TurnEnd } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { errorText } from './errors.ts';
import { ownFields, passthroughOf } from './fields.ts';
import { oddReason, readFinish, writeFinish } from './map-finish-reason.ts';
import { readAssistant, writeAssistant } from './messages.ts';
import { readUsage, usageFields, writeUsage } from './usage.ts';

/** A whole answer of the wire. */
export function readResponse(value: unknown): TurnResponse {
  const wire = mustBeObject(value, '');
  const failed = errorText(wire);
  if (failed !== undefined) throw new WireError('error', `tells that the request failed: ${failed}`);
  const said = mustBeObject(wire.message, 'message');
  const { parts, passthrough } = readAssistant(said, 'message');
  const aside: JsonObject = {};
  takeMetadata(aside, wire);
  const response = completeTurn('ollama', startOf(wire), parts, endOf(wire, aside));
  const left = { ...passthrough?.fields, ...(said.role !== 'assistant' && { role: said.role ?? null }) };
  return { ...response, message: { ...response.message, ...passthroughOf(left) } };
}

/** What a body or frame says of the answer as a whole: the wire has no id for it. */
export const startOf = ({ model }: JsonObject): { model?: string } => (typeof model === 'string' ? { model } : {});

/** A whole answer for the wire. */
export function writeResponse(response: TurnResponse): Written {
  const losses: Warning[] = foreignFieldWarnings('ollama', response);
  const { message, finish, usage, model = '' } = response;
  if (finish === 'filter') losses.push({ where: 'finish', what: 'An answer that was held back looks like any other' });
  const { done_reason: before, done, ...left } = ownFields(response) ?? {};
  const word = writeFinish(finish, before);
  const role = ownFields(message)?.role;
  const { role: plain, ...said } = writeAssistant(message, 'message', losses);
  const wire: JsonObject = {
    model,
    created_at: new Date().toISOString(),
    message: { ...(role !== null && { role: role ?? plain ?? 'assistant' }), ...said },
    ...(done !== null && { done: done ?? true }),
    ...(word !== undefined && { done_reason: word }),
    ...(usage && writeUsage(usage)),
    ...left,
  };
  return { wire, losses };
}

/** What is read, and the one key that is never carried: it would be a prototype. */
const known = new Set(['__proto__', 'model', 'message', 'done', 'done_reason', ...usageFields]);

/** Takes from a body or frame what it says besides: times, durations, whatever comes tomorrow. */
export function takeMetadata(aside: JsonObject, wire: JsonObject, except: readonly string[] = []): void {
  for (const key in wire) if (!known.has(key) && !except.includes(key)) aside[key] = wire[key] as JsonValue;
}

/** How the answer ended, by its last frame or its whole body, and what is carried along with it. */
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
