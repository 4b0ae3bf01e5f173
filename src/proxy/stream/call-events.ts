import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnEvent } from '../../model/index.ts';
import { isNameable } from '../../provider/wire/turn-assembler.ts';

/** Whether a call begins. */
export const startsCall = (event: TurnEvent): boolean => event.type === 'part.started' && event.part.type === 'call';

/** Whether a part goes on. */
export const isDelta = (event: TurnEvent): boolean => event.type === 'part.delta';

/** What a chunk says of a call that comes in pieces, in chat's manner or Gemini's: the reader may wait before it says so. */
export type ChunkHead = 'name' | 'piece' | undefined;

export function headOf(chunk: unknown): ChunkHead {
  if (isObject(chunk) && Array.isArray(chunk.candidates)) return pieceHead(chunk.candidates);
  const choices = isObject(chunk) && Array.isArray(chunk.choices) ? chunk.choices : [];
  const calls = choices.flatMap((choice) =>
    isObject(choice) && isObject(choice.delta) && Array.isArray(choice.delta.tool_calls) ? choice.delta.tool_calls : [],
  );
  // Calls in free text begin at once.
  const functions = calls.filter((call) => isObject(call) && call.type !== 'custom' && !isObject(call.custom));
  if (functions.length === 0) return undefined;
  return functions.some((call) => isObject(call) && (call.id || (isObject(call.function) && call.function.name)))
    ? 'name'
    : 'piece';
}

/** Calls of Gemini whose arguments come in pieces, each with its place. */
function pieceHead(candidates: readonly unknown[]): ChunkHead {
  const calls = candidates.flatMap((one) => {
    const parts = isObject(one) && isObject(one.content) ? one.content.parts : undefined;
    return Array.isArray(parts) ? parts.map((part) => isObject(part) && (part.functionCall ?? part.function_call)) : [];
  });
  const pieces = calls.filter(isObject).filter((one) => one.willContinue === true || one.partialArgs !== undefined);
  if (pieces.length === 0) return undefined;
  return pieces.some(({ name }) => name) ? 'name' : 'piece';
}

/** Whether a frame begins a call that names nothing. Chat may name it later. */
export function isNameless(frame: unknown): boolean {
  const calls = begunIn(frame);
  return calls.length > 0 && calls.some(({ name }) => typeof name !== 'string' || !isNameable(name));
}

/** The calls that a frame of any format begins. */
function begunIn(frame: unknown): JsonObject[] {
  const { choices, candidates, content_block: block, item, message } = fieldsOf(frame);
  if (fieldsOf(block).type === 'tool_use') return [fieldsOf(block)];
  if (fieldsOf(item).type === 'function_call') return [fieldsOf(item)];
  const listed = [
    ...listOf(choices).flatMap((one) =>
      listOf(fieldsOf(fieldsOf(one).delta).tool_calls).filter((call) => fieldsOf(call).id),
    ),
    ...listOf(fieldsOf(message).tool_calls),
  ];
  const whole = listOf(candidates).flatMap((one) => listOf(fieldsOf(fieldsOf(one).content).parts));
  return [
    ...listed.filter((call) => isObject(fieldsOf(call).function)).map((call) => fieldsOf(fieldsOf(call).function)),
    ...whole.flatMap((part) => {
      const { functionCall: called } = fieldsOf(part);
      return isObject(called) && called.partialArgs === undefined && called.willContinue === undefined ? [called] : [];
    }),
  ];
}

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
