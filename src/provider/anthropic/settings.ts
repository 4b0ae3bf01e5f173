import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OutputForm, ReasoningSetting, ToolChoice, TurnRequest } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { format, lay, lose, ours, type Pen, rest } from './pen.ts';

/** A setting as it was read, and the part of its object that nobody knew. */
interface Read<T> {
  readonly fields: T;
  readonly left: JsonObject;
}

const choices = new Map<JsonValue | undefined, ToolChoice>([
  ['auto', 'auto'],
  ['any', 'required'],
  ['none', 'none'],
]);
const choiceWords = { auto: 'auto', required: 'any', none: 'none' } as const;

export function readToolChoice(wire: JsonObject): Read<Pick<TurnRequest, 'toolChoice' | 'parallelCalls'>> {
  const { type, name, disable_parallel_tool_use: single, ...left } = wire;
  const toolChoice = type === 'tool' && typeof name === 'string' ? { tool: name } : choices.get(type);
  if (toolChoice === undefined) return { fields: {}, left: wire };
  const known = typeof single === 'boolean';
  return {
    fields: { toolChoice, ...(known && { parallelCalls: !single }) },
    left: {
      ...left,
      ...(single !== undefined && !known && { disable_parallel_tool_use: single }),
      ...(type !== 'tool' && name !== undefined && { name }),
    },
  };
}

/** One call at a time is a word of the choice here, so that it takes a choice to say it. */
export function writeToolChoice({ toolChoice, parallelCalls, tools }: TurnRequest): JsonObject | undefined {
  const choice = toolChoice ?? (parallelCalls === false && tools?.length ? 'auto' : undefined);
  if (choice === undefined) return undefined;
  const said = typeof choice === 'string' ? { type: choiceWords[choice] } : { type: 'tool', name: choice.tool };
  const single = parallelCalls === undefined || choice === 'none' ? undefined : !parallelCalls;
  return present({ ...said, disable_parallel_tool_use: single });
}

/** An effort may stand without any word on thinking: then the setting has an extra without fields. */
export function readReasoning(
  thinking: JsonObject | undefined,
  effort: string | undefined,
): ReasoningSetting | undefined {
  const said = effort === undefined ? {} : { effort };
  if (!thinking) return effort === undefined ? undefined : { enabled: true, ...said, extra: { format, fields: {} } };
  const { type, budget_tokens: budget } = thinking;
  if (type === 'disabled') return { enabled: false, ...said, ...rest(thinking, ['type']) };
  if (type === 'enabled' && typeof budget === 'number')
    return { enabled: true, budget, ...said, ...rest(thinking, ['type', 'budget_tokens']) };
  return { enabled: true, ...said, ...rest(thinking, type === 'adaptive' ? ['type'] : []) };
}

/** Thinking is adaptive where no budget is given. */
export function writeThinking(setting: ReasoningSetting | undefined): JsonObject | undefined {
  if (!setting || (ours(setting) && Object.keys(setting.extra?.fields ?? {}).length === 0)) return undefined;
  const { enabled, budget } = setting;
  const on = budget === undefined ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: budget };
  return lay(enabled ? on : { type: 'disabled' }, setting);
}

export function writeEffort(pen: Pen, effort: string | undefined): string | undefined {
  if (effort !== 'minimal') return effort;
  lose(pen, 'reasoning.effort', 'minimal is said as low');
  return 'low';
}

/** `json_schema`, in whichever of its two places it stands. */
export function readOutput(form: JsonValue | undefined): OutputForm | undefined {
  if (!isObject(form) || form.type !== 'json_schema' || !isObject(form.schema)) return undefined;
  return { type: 'schema', schema: form.schema as JsonSchema, ...rest(form, ['type', 'schema']) };
}

export function writeOutput(pen: Pen, output: OutputForm | undefined): JsonObject | undefined {
  if (!output) return undefined;
  if (output.type === 'json') {
    lose(pen, 'output', 'JSON without a schema cannot be asked for, left out');
    return undefined;
  }
  const unsaid = (['name', 'description'] as const).filter((field) => output[field] !== undefined);
  for (const field of unsaid) lose(pen, `output.${field}`, `The form of the answer has no ${field} here`);
  // Schemas are JSON already; their type only says more about the words in them.
  return lay({ type: 'json_schema', schema: output.schema as JsonValue }, output);
}
