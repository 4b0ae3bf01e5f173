import { equal } from '../../json/equal.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { ToolChoice } from '../../turn/turn.ts';
import { proto } from './proto.ts';

/** The words the wire has for it; `VALIDATED` is `AUTO` held to the schemas. */
const modes: Readonly<Record<string, ToolChoice>> = { AUTO: 'auto', VALIDATED: 'auto', ANY: 'required', NONE: 'none' };

/** What `toolConfig` says of calling; nothing where it says nothing. */
export function readToolChoice(toolConfig: unknown): ToolChoice | undefined {
  const { functionCallingConfig } = proto(toolConfig ?? {}, 'toolConfig');
  const { mode, allowedFunctionNames } = proto(functionCallingConfig ?? {}, 'toolConfig.functionCallingConfig');
  const choice = typeof mode === 'string' ? modes[mode.toUpperCase()] : undefined;
  const [tool, ...others] = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  return choice === 'required' && typeof tool === 'string' && others.length === 0 ? { tool } : choice;
}

/** `toolConfig` for a choice, as it came (`before`) where that still says the same. */
export function writeToolChoice(choice: ToolChoice | undefined, before: unknown): JsonObject | undefined {
  const carried = isObject(before) ? before : undefined;
  if (carried && equal(readToolChoice(carried), choice)) return carried;
  const functionCallingConfig = choice === undefined ? undefined : written(choice);
  const { functionCallingConfig: _, ...left } = carried ?? {};
  return functionCallingConfig ? { ...left, functionCallingConfig } : carried && left;
}

function written(choice: ToolChoice): JsonObject {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.tool] };
  return { mode: { auto: 'AUTO', required: 'ANY', none: 'NONE' }[choice] };
}
