import type { ToolSet } from 'ai';
import { toolFromSpec } from '../../provider/fit/tool-from-spec.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { type Tool, tool } from '../../tool/tool.ts';
import { Toolbox } from '../../tool/toolbox.ts';
import type { ToolSpec } from '../../turn/turn.ts';
import type { MendOptions } from '../mend-options.ts';
import { toolboxOf } from '../toolbox-of.ts';
import type { MiddlewareOptions } from './middleware-options.ts';
import type { CallOptions } from './sdk-types.ts';

/** The tools a model is shown with a question, and how its calls are mended. */
export interface Shown {
  readonly toolbox: Toolbox;
  readonly options: MendOptions;
  /** Whether a call is one of this program's own tools; others, the provider's, are left alone. */
  readonly isOurs: (call: { readonly toolName: string; readonly providerExecuted?: boolean | undefined }) => boolean;
}

/** What a question shows its model; nothing where it shows no tool that this program runs. */
export function toolsShown(params: CallOptions, { tools: own, ...options }: MiddlewareOptions): Shown | undefined {
  const { tools = [], toolChoice, responseFormat } = params;
  const specs = tools.flatMap((one) => (one.type === 'function' ? [specOf(one)] : []));
  if (specs.length === 0) return undefined;
  const theirs = new Set(tools.flatMap((one) => (one.type === 'function' ? [] : [one.name])));
  // Words that are to be JSON are an answer, and where no call is wanted none is meant.
  const wordy = toolChoice?.type !== 'none' && responseFormat?.type !== 'json';
  return {
    toolbox: own ? toolboxWith(own, specs) : toolboxOf(specs),
    options: wordy ? options : { ...options, dialect: 'native' },
    isOurs: ({ toolName, providerExecuted }) => !providerExecuted && !theirs.has(toolName),
  };
}

type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>;

const specOf = ({ name, description, inputSchema }: FunctionTool): ToolSpec => ({
  ...{ type: 'function', name, schema: inputSchema as JsonSchema },
  ...(description !== undefined && { description }),
});

const byTools = new WeakMap<ToolSet, Map<string, Toolbox>>();

/** A toolbox in which the tools' own schemas judge, where these can. */
function toolboxWith(own: ToolSet, specs: readonly ToolSpec[]): Toolbox {
  const kept = byTools.get(own) ?? new Map<string, Toolbox>();
  byTools.set(own, kept);
  const key = JSON.stringify(specs);
  const known = kept.get(key);
  if (known) return known;
  const made = new Toolbox(
    specs.map((spec) => ownTool(spec, own)),
    { definitions: 'given' },
  );
  kept.set(key, made);
  return made;
}

function ownTool(spec: ToolSpec, own: ToolSet): Tool {
  const schema: unknown = Object.hasOwn(own, spec.name) ? own[spec.name]?.inputSchema : undefined;
  const judges = schema !== null && typeof schema === 'object' && '~standard' in schema;
  return judges
    ? tool({ name: spec.name, description: spec.description ?? '', input: schema as unknown })
    : toolFromSpec(spec);
}
