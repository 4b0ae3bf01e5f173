import { isObject, type JsonValue } from '../../json/value.ts';
import type { ToolChoice } from '../../turn/turn.ts';
import { isText } from './take.ts';

/** Words for how the model may call; `any` is an imitator's. */
const words: Readonly<Record<string, 'auto' | 'none' | 'required'>> = {
  __proto__: null as never,
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
};

/** Reads `tool_choice` or the deprecated `function_call`; nothing where the middle shape has no word for it. */
export function readToolChoice(wire: JsonValue | undefined): ToolChoice | undefined {
  if (isText(wire)) return words[wire];
  if (!isObject(wire)) return undefined;
  if (isObject(wire.allowed_tools)) return readToolChoice(wire.allowed_tools.mode);
  const name = isObject(wire.function) ? wire.function.name : wire.type === undefined ? wire.name : undefined;
  return isText(name) ? { tool: name } : undefined;
}

/** Writes `tool_choice`. */
export const writeToolChoice = (choice: ToolChoice): JsonValue =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };

/** Whether two choices mean the same. */
export const sameChoice = (one: ToolChoice | undefined, other: ToolChoice | undefined): boolean =>
  typeof one === 'object' && typeof other === 'object' ? one.tool === other.tool : one === other;
