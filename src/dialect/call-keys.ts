/** The keys under which models write a tool's name, surest first. */
export const nameKeys = ['name', 'tool_name', 'function_name', 'tool', 'action', 'function', 'recipient_name'] as const;

/** The keys under which they write its arguments. */
export const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'action_input',
  'tool_input',
  'tool_arguments',
  'params',
  'kwargs',
  'input',
] as const;

/** The keys under which they write the call's id. */
export const idKeys = ['id', 'tool_call_id', 'call_id'] as const;

/** Objects that hold a call, or a list of calls, and nothing else of it. */
export const wrapperKeys = ['function', 'tool_call', 'function_call', 'tool_calls', 'function_calls', 'calls'] as const;

/** Every key an object may begin with that is a call. */
export const callKeys = [...new Set<string>([...nameKeys, ...argumentKeys, ...idKeys, ...wrapperKeys, 'type'])];

const beside = new Set<string>(['index', 'type', ...nameKeys, ...argumentKeys, ...idKeys]);

/** The keys beside a call's name and arguments that calls have not, so that nobody knows what they mean for it. */
export const keysBeside = (keys: readonly string[], wrapper?: string): string[] =>
  keys.filter((key) => !beside.has(key) && key !== wrapper);
