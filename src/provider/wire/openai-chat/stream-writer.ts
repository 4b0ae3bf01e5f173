import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, TurnEvent, TurnResponse, TurnStarted } from '../../../model/index.ts';
import { argumentsText } from '../arguments.ts';
import { sseWriter } from '../turn-assembler.ts';
import type { StreamWriter } from '../types.ts';
import {
  fieldsOf,
  isFunctionCall,
  isOpaqueCall,
  nameAndArguments,
  reasoningFields,
  signedDetails,
  writeCall,
} from './calls.ts';
import { format, ownFields } from './fields.ts';
import { wireFinishReason } from './map-finish-reason.ts';
import { now, writeError, writeUsage } from './response.ts';

/** A part that is being sent: its index among the calls, and the length of the text already sent. */
interface Open {
  readonly part: AssistantPart;
  readonly call: number;
  /** Whether it was received as frames that are forwarded, with the details of reasoning. */
  readonly passed: boolean;
  sent: number;
}

/** Writes the events of a response as chunks. */
export const writeStream = (): StreamWriter =>
  sseWriter(({ head, fields }: Chunk) => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`, writing);

/** The fields of a chunk, joined only if it is sent. */
interface Chunk {
  readonly head?: JsonObject | undefined;
  readonly fields: JsonObject;
}

function writing(frame: (data: Chunk) => string, passes: () => boolean): (event: TurnEvent) => string {
  let head: JsonObject | undefined;
  let calls = 0;
  const open = new Map<number, Open>();
  const chunk = (fields: JsonObject): string => frame({ head, fields });
  const delta = (fields: JsonObject): string =>
    chunk({ choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: null }] });

  const start = (event?: TurnStarted): string => {
    if (head) return '';
    head = headOf(event);
    return delta({ role: 'assistant', content: null });
  };
  const begin = (index: number, part: AssistantPart): string => {
    const isCall = part.type === 'call' ? !isFunctionCall(part) : isOpaqueCall(part);
    const one: Open = { part, call: isCall ? calls++ : -1, passed: passes(), sent: textOf(part).length };
    open.set(index, one);
    const fields = firstDelta(one);
    return fields ? delta(fields) : '';
  };
  const grow = (index: number, text: string): string => {
    const one = open.get(index);
    if (!one || text === '') return '';
    one.sent += text.length;
    return delta(moreDelta(one, text));
  };
  const end = (index: number, part: AssistantPart): string => {
    const one = open.get(index);
    if (!one) return '';
    if (isOpaqueCall(part)) return delta(opaqueDelta(part.value, one.call));
    const late = grow(index, textOf(part).slice(one.sent));
    const details = part.type === 'reasoning' && !one.passed ? signedDetails(part) : [];
    return late + (details.length > 0 ? delta({ reasoning_details: details }) : '');
  };

  return (event) => {
    switch (event.type) {
      case 'turn.started':
        return start(event);
      case 'part.started':
        return start() + begin(event.index, event.part);
      case 'part.delta':
        return grow(event.index, event.text);
      case 'part.finished':
        return end(event.index, event.part);
      case 'provider.unknown':
        return event.format === format && isObject(event.value) ? start() + chunk(event.value) : '';
      case 'turn.finished':
        return `${start()}${lastChunks(chunk, event.response)}data: [DONE]\n\n`;
      case 'turn.failed':
        return frame({ fields: writeError(event.error) });
      default:
        return '';
    }
  };
}

/** The fields that every chunk repeats. */
function headOf(event: TurnStarted | undefined): JsonObject {
  const own = (event && ownFields(event)) ?? {};
  return {
    id: event?.id ?? makeId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: now(own),
    model: event?.model ?? '',
    ...own,
  };
}

/** The chunk with the finish reason, and the chunk with the usage. */
function lastChunks(chunk: (fields: JsonObject) => string, response: TurnResponse): string {
  const choices = ownFields(response)?.choices;
  const own = Array.isArray(choices) && isObject(choices[0]) ? choices[0].finish_reason : undefined;
  const finish = chunk({
    choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: wireFinishReason(response, own) }],
  });
  return response.usage ? finish + chunk({ choices: [], usage: writeUsage(response.usage) }) : finish;
}

const textOf = (part: AssistantPart): string =>
  part.type === 'call' ? argumentsAtStart(part.arguments) : 'text' in part ? part.text : '';

/** Arguments that haven't arrived are empty text; a value is complete. */
const argumentsAtStart = (given: unknown): string => (given === undefined ? '' : argumentsText(given));

function firstDelta(one: Open): JsonObject | undefined {
  const { part } = one;
  if (part.type === 'call' && isFunctionCall(part))
    return { function_call: nameAndArguments({ ...part, arguments: textOf(part) }) };
  if (part.type === 'call')
    return { tool_calls: [{ index: one.call, ...writeCall({ ...part, arguments: textOf(part) }) }] };
  // A custom call is written once complete, because its text isn't available before.
  if (isOpaqueCall(part)) return undefined;
  const text = textOf(part);
  return text === '' ? undefined : moreDelta(one, text);
}

const opaqueDelta = (value: JsonValue, index: number): JsonObject => ({
  tool_calls: [{ index, ...(isObject(value) && value) }],
});

function moreDelta({ part, call }: Open, text: string): JsonObject {
  if (part.type === 'call' && isFunctionCall(part)) return { function_call: { arguments: text } };
  if (part.type === 'call') return { tool_calls: [{ index: call, function: { arguments: text } }] };
  if (part.type === 'refusal') return { refusal: text };
  if (part.type !== 'reasoning') return { content: text };
  const fields = fieldsOf(part) ?? [reasoningFields[0]];
  return Object.fromEntries(fields.map((field) => [field, text]));
}
