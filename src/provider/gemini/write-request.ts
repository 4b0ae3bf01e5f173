import { equal } from '../../json/equal.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import { isEmpty } from '../rest.ts';
import { unsayable } from '../unsayable.ts';
import type { Warning, Written } from '../wire.ts';
import { own } from './carried.ts';
import { writeGenerationConfig } from './generation-config.ts';
import { writeToolChoice } from './tool-choice.ts';
import { readTools, writeTools } from './tools.ts';
import { writeMessages } from './write-messages.ts';

/** A request for the wire. The model and whether it is to stream go into the address (`pathOf`). */
export function writeRequest(request: TurnRequest): Written {
  const losses: Warning[] = [...foreignFieldWarnings('gemini', request), ...unsayable(request)];
  const { tools, toolConfig, generationConfig, ...left } = own(request) ?? {};
  const config = { ...writeGenerationConfig(request), ...(isObject(generationConfig) && generationConfig) };
  const choice = writeToolChoice(request.toolChoice, toolConfig);
  const wire: JsonObject = {
    ...writeMessages(request.messages, losses),
    ...(request.tools && { tools: toolList(request.tools, tools) }),
    ...(choice && { toolConfig: choice }),
    ...((!isEmpty(config) || generationConfig !== undefined) && { generationConfig: config }),
    ...left,
  };
  return { wire, losses };
}

/** The tools as they were put together, for as long as they are the same. */
function toolList(tools: NonNullable<TurnRequest['tools']>, before: JsonValue | undefined): JsonValue[] {
  return Array.isArray(before) && equal(readTools(before), tools) ? before : writeTools(tools);
}
