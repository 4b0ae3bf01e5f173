import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { ReasoningSetting, TurnRequest } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import type { Warning, Written } from '../wire.ts';
import { writeOutputForm } from './output-form.ts';
import { format, isNumber, isString, ownFields } from './take.ts';
import { readToolChoice, sameChoice, writeToolChoice } from './tool-choice.ts';
import { isFunctions, writeFunctions, writeTools } from './tools.ts';
import { writeMessages } from './write-messages.ts';

/** Writes a request's body. */
export function writeRequest(request: TurnRequest): Written {
  const losses: Warning[] = foreignFieldWarnings(format, request);
  const own = ownFields(request);
  const { output, reasoning, stream } = request;
  const wire: JsonObject = {
    ...present({
      model: request.model,
      messages: writeMessages(request.messages, losses),
      parallel_tool_calls: request.parallelCalls,
      response_format: output && writeOutputForm(output),
      reasoning_effort: reasoning && writeEffort(reasoning, losses),
      temperature: request.temperature,
      top_p: request.topP,
      stream,
      stream_options: stream && !own ? { include_usage: true } : undefined,
    }),
    ...own,
    ...writeToolFields(request, own),
    ...writeMaxTokens(request.maxTokens, own),
    ...writeStop(request.stop, own),
  };
  return { wire, losses };
}

/** Tools and the choice among them, each in the field it was read from. */
function writeToolFields({ tools, toolChoice }: TurnRequest, own: JsonObject = {}): JsonObject {
  const functions = tools?.filter(isFunctions) ?? [];
  const others = tools?.filter((tool) => !isFunctions(tool));
  const carried = own.tool_choice ?? own.function_call;
  const choice = toolChoice !== undefined && !sameChoice(readToolChoice(carried), toolChoice);
  return {
    ...(others && (others.length > 0 || functions.length === 0) && { tools: writeTools(others) }),
    ...(functions.length > 0 && { functions: writeFunctions(functions) }),
    ...(choice && { tool_choice: writeToolChoice(toolChoice) }),
  };
}

function writeEffort({ enabled, effort, budget }: ReasoningSetting, losses: Warning[]): JsonValue | undefined {
  if (!enabled) return 'none';
  if (budget !== undefined)
    losses.push({
      where: 'reasoning.budget',
      what: 'This wire counts thought by words, not tokens, so it was left out',
    });
  return effort;
}

function writeMaxTokens(maxTokens: number | undefined, own: JsonObject = {}): JsonObject {
  if (maxTokens === undefined) return {};
  if (!isNumber(own.max_tokens)) return { max_completion_tokens: maxTokens };
  return isNumber(own.max_completion_tokens) ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
}

function writeStop(stop: readonly string[] | undefined, own: JsonObject = {}): JsonObject {
  if (!stop) return {};
  return { stop: isString(own.stop) && stop.length === 1 ? (stop[0] ?? '') : [...stop] };
}
