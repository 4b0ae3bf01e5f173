import { equal } from '../../json/equal.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { OpaqueTool, ReasoningSetting, ToolSpec, TurnRequest } from '../../turn/turn.ts';
import type { Address } from '../wire.ts';
import { WireError } from '../wire-error.ts';
import { readOutputForm } from './output-form.ts';
import { readMessages } from './read-messages.ts';
import { carrying, isBoolean, isNumber, isString, isText, leave, objectAt, take } from './take.ts';
import { readToolChoice, writeToolChoice } from './tool-choice.ts';
import { readFunctions, readTools } from './tools.ts';

/** Reads a request's body. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const rest = objectAt(wire, '');
  const model = take(rest, 'model', isText) ?? address.model;
  if (model === undefined) throw new WireError('model', 'must be a name');
  const messages = readMessages(rest.messages);
  delete rest.messages;
  const request: TurnRequest = {
    model,
    messages,
    ...field('tools', takeTools(rest)),
    ...field('toolChoice', takeToolChoice(rest)),
    ...field('parallelCalls', take(rest, 'parallel_tool_calls', isBoolean)),
    ...field('output', takeOutput(rest)),
    ...field('reasoning', takeReasoning(rest)),
    ...field('maxTokens', takeMaxTokens(rest)),
    ...field('temperature', take(rest, 'temperature', isNumber)),
    ...field('topP', take(rest, 'top_p', isNumber)),
    ...field('stop', takeStop(rest)),
    ...field('stream', take(rest, 'stream', isBoolean) ?? address.stream),
  };
  return { ...request, ...leftOfRequest(rest, request.stream) };
}

const field = <K extends keyof TurnRequest>(
  key: K,
  value: TurnRequest[K] | undefined,
): Pick<TurnRequest, K> | object => (value === undefined ? {} : { [key]: value });

function takeTools(rest: JsonObject): (ToolSpec | OpaqueTool)[] | undefined {
  const tools = Array.isArray(rest.tools) ? readTools(rest.tools) : undefined;
  const functions = Array.isArray(rest.functions) ? readFunctions(rest.functions) : undefined;
  if (tools) delete rest.tools;
  // An empty list is no tool of the deprecated kind that could bring it back, so it is carried.
  if (functions?.length) delete rest.functions;
  return tools || functions?.length ? [...(tools ?? []), ...(functions ?? [])] : undefined;
}

/** A choice that ours leads back to is taken; another is read as far as it goes, and carried. */
function takeToolChoice(rest: JsonObject): TurnRequest['toolChoice'] {
  const choice = readToolChoice(rest.tool_choice);
  if (choice === undefined) return readToolChoice(rest.function_call);
  if (equal(rest.tool_choice, writeToolChoice(choice))) delete rest.tool_choice;
  return choice;
}

function takeOutput(rest: JsonObject): TurnRequest['output'] {
  const output = readOutputForm(rest.response_format);
  if (output) delete rest.response_format;
  return output;
}

function takeReasoning(rest: JsonObject): ReasoningSetting | undefined {
  const effort = take(rest, 'reasoning_effort', isText);
  if (effort === undefined) return undefined;
  return effort === 'none' ? { enabled: false } : { enabled: true, effort };
}

/** The deprecated name is carried with its value, which says where to write it. */
function takeMaxTokens(rest: JsonObject): number | undefined {
  if (isNumber(rest.max_tokens))
    return isNumber(rest.max_completion_tokens) ? rest.max_completion_tokens : rest.max_tokens;
  return take(rest, 'max_completion_tokens', isNumber);
}

/** One text instead of a list is carried, which says to write it so. */
function takeStop(rest: JsonObject): readonly string[] | undefined {
  if (isString(rest.stop)) return [rest.stop];
  const { stop } = rest;
  if (!Array.isArray(stop) || !stop.every(isString)) return undefined;
  delete rest.stop;
  return stop;
}

/** Streams ask for their usage as a rule, so that is left unsaid; an extra that is there says what was asked. */
function leftOfRequest(rest: JsonObject, stream: boolean | undefined): Pick<TurnRequest, 'extra'> {
  if (!stream) return leave(rest);
  const { stream_options: options } = rest;
  const usual = isObject(options) && options.include_usage === true && Object.keys(options).length === 1;
  return usual && Object.keys(rest).length === 1 ? {} : carrying(rest);
}
