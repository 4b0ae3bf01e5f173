import { equal } from '../../json/equal.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { isEmpty, rest } from '../rest.ts';
import type { Address } from '../wire.ts';
import { carried } from './carried.ts';
import { readGenerationConfig } from './generation-config.ts';
import { proto } from './proto.ts';
import { readMessages, readSystem } from './read-messages.ts';
import { readToolChoice, writeToolChoice } from './tool-choice.ts';
import { readTools, regrouped } from './tools.ts';

const known = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'];

/** A request of the wire; the model and whether it is to stream stand in its address. */
export function readRequest(value: unknown, address: Address = {}): TurnRequest {
  const wire = proto(value, '');
  const { settings, left } = readGenerationConfig(wire.generationConfig ?? {});
  const toolChoice = readToolChoice(wire.toolConfig);
  const tools = readTools(wire.tools);
  const fields: JsonObject = {
    ...rest(wire, known),
    ...asTheyCame(wire, toolChoice),
    ...((!isEmpty(left) || emptied(wire.generationConfig)) && { generationConfig: left }),
  };
  return {
    model: address.model ?? (typeof wire.model === 'string' ? wire.model : ''),
    messages: [...readSystem(wire.systemInstruction), ...readMessages(wire.contents)],
    ...(Array.isArray(wire.tools) && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...settings,
    ...(address.stream !== undefined && { stream: address.stream }),
    ...carried(fields),
  };
}

/** What would be written otherwise than it came. */
function asTheyCame({ tools, toolConfig }: JsonObject, choice: TurnRequest['toolChoice']): JsonObject {
  return {
    ...(Array.isArray(tools) && regrouped(tools) && { tools }),
    ...(isObject(toolConfig) && !equal(writeToolChoice(choice, undefined), toolConfig) && { toolConfig }),
  };
}

const emptied = (value: unknown): boolean => isObject(value) && isEmpty(value);
