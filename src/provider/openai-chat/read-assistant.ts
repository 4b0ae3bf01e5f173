import { isObject, type JsonObject } from '../../json/value.ts';
import type { AssistantMessage, AssistantPart } from '../../turn/turn.ts';
import { readCall, readFunctionCall } from './call.ts';
import { leftOfMessage, readContent } from './read-content.ts';
import { readReasoning } from './reasoning.ts';
import { isText, take } from './take.ts';

/** Reads what the model said, in a history or in an answer. */
export function readAssistant(wire: JsonObject, where: string, functionCallId: () => string): AssistantMessage {
  const rest = { ...wire };
  if (rest.role === 'assistant') delete rest.role;
  const thoughts = readReasoning(rest);
  const content = readContent(rest, where, false);
  const refusal = take(rest, 'refusal', isText);
  const calls = readCalls(rest, where, functionCallId);
  const refused: AssistantPart[] = refusal === undefined ? [] : [{ type: 'refusal', text: refusal }];
  return {
    role: 'assistant',
    parts: [...thoughts, ...content, ...refused, ...calls],
    ...leftOfMessage(rest, content, null),
  };
}

function readCalls(rest: JsonObject, where: string, functionCallId: () => string): AssistantPart[] {
  const { tool_calls: listed, function_call: one } = rest;
  const calls: AssistantPart[] = [];
  if (Array.isArray(listed) && listed.length > 0) {
    calls.push(...listed.map((call, index) => readCall(call, `${where}.tool_calls.${index}`)));
    delete rest.tool_calls;
  }
  if (isObject(one)) {
    calls.push(readFunctionCall(one, functionCallId()));
    delete rest.function_call;
  }
  return calls;
}
