import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { ToolSpec } from '../../turn/turn.ts';
import { isHostedModel } from '../address-of.ts';
import type { AnswerOptions } from '../mend-options.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import { promptContext } from './prompt-context.ts';
import type { CallOptions } from './sdk-types.ts';
import { shownToolbox } from './shown-toolbox.ts';

/** The tools a model is shown with a question, and how its calls are mended. */
export interface Shown {
  readonly toolbox: Toolbox;
  readonly options: AnswerOptions;
  /** Whether a call is one of this program's own tools; others, the provider's, are left alone. */
  readonly isOurs: (call: { readonly toolName: string; readonly providerExecuted?: boolean | undefined }) => boolean;
}

/** What a question shows its model; nothing where it shows no tool that this program runs. */
export function toolsShown(
  params: CallOptions,
  { tools: own = {}, ...settings }: MiddlewareOptions,
  model?: unknown,
): Shown | undefined {
  const { tools = [], toolChoice, responseFormat, prompt } = params;
  const options = { hosted: isHostedModel(model), ...settings, context: () => promptContext(prompt) };
  const specs = tools.flatMap((one) => (one.type === 'function' ? [specOf(one)] : []));
  if (specs.length === 0) return undefined;
  const theirs = new Set(tools.flatMap((one) => (one.type === 'function' ? [] : [one.name])));
  // Words that are to be JSON are an answer, and where no call is wanted none is meant.
  const wordy = toolChoice?.type !== 'none' && responseFormat?.type !== 'json';
  const given = (name: string): unknown => (Object.hasOwn(own, name) ? own[name]?.inputSchema : undefined);
  return {
    toolbox: shownToolbox(specs, given),
    options: wordy ? options : { ...options, dialect: 'native' },
    isOurs: ({ toolName, providerExecuted }) => !providerExecuted && !theirs.has(toolName),
  };
}

type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>;

const specOf = ({ name, description, inputSchema }: FunctionTool): ToolSpec => ({
  ...{ type: 'function', name, schema: inputSchema as JsonSchema },
  ...(description !== undefined && { description }),
});
