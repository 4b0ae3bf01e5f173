import type { ToolSpec } from '../../model/index.ts';
import { copySchema, schemaText } from '../../schema/strips.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { isStandard, type StandardLike } from '../../schema/vendors/standard.ts';
import { type Tool, toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { isHostedModel } from '../is-hosted-model.ts';
import type { ResponseOptions } from '../mend-turn.ts';
import { effectsOfSchema } from '../tool-effects.ts';
import { checkedBy, toolWithSchema } from '../tool-with-schema.ts';
import type { CallOptions, MiddlewareOptions } from './options.ts';
import { promptContext } from './prompt-context.ts';

/** The tools of a request, and how its calls are mended. */
export interface VisibleTools {
  readonly toolbox: Toolbox;
  readonly options: ResponseOptions;
  /** Whether a call is for one of the program's own tools. Others belong to the provider. */
  readonly isOurs: (call: { readonly toolName: string; readonly providerExecuted?: boolean | undefined }) => boolean;
}

/** The tools of a request; undefined if the program runs none of them. */
export function visibleTools(
  params: CallOptions,
  { tools: own = {}, ...settings }: MiddlewareOptions,
  model?: unknown,
): VisibleTools | undefined {
  const { tools = [], toolChoice, responseFormat, prompt } = params;
  const options = { hosted: isHostedModel(model), ...settings, context: () => promptContext(prompt) };
  const specs = tools.flatMap((one) => (one.type === 'function' ? [specOf(one)] : []));
  if (specs.length === 0) return undefined;
  const theirs = new Set(tools.flatMap((one) => (one.type === 'function' ? [] : [one.name])));
  // With JSON output, text is the response; with `none`, no call is intended.
  const wordy = toolChoice?.type !== 'none' && responseFormat?.type !== 'json';
  const given = (name: string): unknown => (Object.hasOwn(own, name) ? own[name]?.inputSchema : undefined);
  return {
    toolbox: visibleToolbox(specs, given),
    options: wordy ? options : { ...options, dialect: 'native' },
    isOurs: ({ toolName, providerExecuted }) => !providerExecuted && !theirs.has(toolName),
  };
}

type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>;

const specOf = ({ name, description, inputSchema }: FunctionTool): ToolSpec => ({
  type: 'function',
  name,
  schema: inputSchema as JsonSchema,
  ...(description !== undefined && { description }),
});

/** A toolbox, and what it was created from. */
interface Kept {
  readonly text: string;
  readonly checks: readonly unknown[];
  readonly toolbox: Toolbox;
}

const most = 100;
let kept: readonly Kept[] = [];

/**
 * The toolbox of a request's tools. Each request has the same ones with new schema objects, so the last ones are
 * cached: by text, and by their validators.
 *
 * @param own schemas by tool name, if available
 */
export function visibleToolbox(specs: readonly ToolSpec[], own: (name: string) => unknown): Toolbox {
  const effects = specs.map(({ schema }) => effectsOfSchema(schema));
  const text = schemaText([specs, effects]);
  const judges = specs.map(({ name, schema }) => [own(name), schema].find(isStandard));
  const checks = judges.map((one) => one?.['~standard'].validate);
  const known = kept.find((one) => one.text === text && one.checks.every((check, at) => check === checks[at]));
  if (known) return known.toolbox;
  // Validators that a schema object contains are only used through their own interface.
  const plain = copySchema(specs);
  const tools = plain.map((spec, at) => ({ ...toolOf(spec, judges[at], own(spec.name)), ...effects[at] }));
  const toolbox = new Toolbox(tools, { validate: false });
  kept = [{ text, checks, toolbox }, ...kept.slice(0, most - 1)];
  return toolbox;
}

/** A tool whose own validator decides, while its JSON Schema guides mending. */
function toolOf(spec: ToolSpec, validator: StandardLike | undefined, given: unknown): Tool {
  if (validator && validator === given) return toolWithSchema(spec.name, spec.description ?? '', validator);
  const tool = toolFromSpec(spec);
  // Zod includes its validator in the JSON Schema object.
  return validator ? { ...tool, schema: checkedBy(validator, tool.schema) } : tool;
}
