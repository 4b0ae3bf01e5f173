import { isObject, type JsonObject } from '../../../json/value.ts';
import { endedByLength } from '../../../mend/finish-reason.ts';
import type { FinishReason, TurnResponse } from '../../../model/index.ts';
import { ownFields } from './fields.ts';

const reasons: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  content_filter: 'filter',
};

const states: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  failed: 'error',
  incomplete: 'length',
  cancelled: 'other',
  in_progress: 'other',
  queued: 'other',
};

/** Reads the finish reason; undefined for a completed response, where it follows from the parts. */
export function readFinish({ status, incomplete_details: details }: JsonObject): FinishReason | undefined {
  const reason = isObject(details) ? details.reason : undefined;
  if (typeof reason === 'string') return reasons[reason] ?? (endedByLength(reason) ? 'length' : 'other');
  return typeof status === 'string' ? states[status] : undefined;
}

const whole: JsonObject = { status: 'completed', incomplete_details: null };

const endings: Readonly<Record<FinishReason, JsonObject>> = {
  stop: whole,
  tool_calls: whole,
  length: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  filter: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
  other: { status: 'incomplete', incomplete_details: { reason: 'other' } },
  error: { status: 'failed', incomplete_details: null, error: { code: 'server_error', message: 'The turn failed' } },
};

/** Writes the finish reason; empty if the passthrough fields already have the same meaning. */
export function writeFinish(response: TurnResponse): JsonObject {
  const own = ownFields(response);
  const natural = response.message.parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop';
  return own && (readFinish(own) ?? natural) === response.finish ? {} : endings[response.finish];
}
