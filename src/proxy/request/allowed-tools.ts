import { isObject, type JsonObject } from '../../json/value.ts';

/** Whether a request lets the model call a tool. */
export type Allows = (name: string) => boolean;

/**
 * The tools that a request's tool choice allows, in the client's API format: one forced tool, or a list. Without such a
 * choice, all are allowed.
 */
export function allowedTools(body: unknown): Allows {
  if (!isObject(body)) return () => true;
  const choice = at(body, 'tool_choice') ?? at(body, 'function_call') ?? {};
  const config = at(at(body, 'toolConfig', 'tool_config'), 'functionCallingConfig', 'function_calling_config');
  const listed = config?.allowedFunctionNames ?? config?.allowed_function_names ?? [];
  const { tools } = at(choice, 'allowed_tools') ?? choice;
  const names = new Set(Array.isArray(listed) ? listed : [listed]);
  for (const one of [choice, ...(Array.isArray(tools) ? tools : [])]) {
    const name = isObject(one) ? (at(one, 'function') ?? one).name : undefined;
    if (typeof name === 'string') names.add(name);
  }
  return (name) => names.size === 0 || names.has(name);
}

/** The object under the first of these keys that has one. */
function at(value: JsonObject | undefined, ...keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) if (isObject(value?.[key])) return value[key];
  return undefined;
}
