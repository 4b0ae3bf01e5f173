import type { FunctionTool, RunContext, ToolCallStructuredOutput } from '@openai/agents-core';
import { resultText } from '../../execute/result-part.ts';
import { checkArgument } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import { mend } from '../../mend/mend.ts';
import { LastCalls } from '../../mend/mend-call.ts';
import type { ResultPart } from '../../model/index.ts';
import { invoke } from '../../run/invoke/invoke.ts';
import type { InvokeOptions } from '../../run/invoke/types.ts';
import { type Tool, tool, toolFingerprint } from '../../tools/tool.ts';
import { checkIsToolbox, offeredTools, Toolbox } from '../../tools/toolbox.ts';
import { schemaWithEffects } from '../tool-effects.ts';
import { isFixed } from './history.ts';
import { confirmedCalls } from './items.ts';
import { fillNulls, looseSchema } from './tool-schema.ts';

/** How the tools of a toolbox run in an agent of the SDK. */
export type AgentToolOptions = Pick<
  InvokeOptions,
  'policy' | 'hooks' | 'permissions' | 'approve' | 'record' | 'timeout' | 'results'
>;

/** A tool of the SDK for any context. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types say `any` where a tool fits every agent
export type AgentTool = FunctionTool<any, any, unknown>;

/**
 * Converts a toolbox to tools of the SDK. Calls are mended, validated and run with a timeout, and failures give helpful
 * messages. A call that needs approval becomes an interruption of the SDK's run, unless there is an approver.
 *
 * @example
 * const agent = new Agent({ name: 'Files', tools: toAgentTools(toolbox) });
 */
export function toAgentTools(toolbox: Toolbox, options: AgentToolOptions = {}): AgentTool[] {
  checkIsToolbox(toolbox);
  return offeredTools(toolbox).map((tool) => agentTool(tool, toolbox, options));
}

/** The last calls of each run. */
const runs = new WeakMap<object, LastCalls>();

function lastOf(run: object): LastCalls {
  const known = runs.get(run) ?? new LastCalls();
  runs.set(run, known);
  return known;
}

function agentTool(tool: Tool, toolbox: Toolbox, options: AgentToolOptions): AgentTool {
  const { name, description } = tool;
  // Approval is requested before it is known whether a call is refused for doubtful values.
  const asks = (id: string, given: unknown): boolean => {
    const outcome = mend({ id, name, arguments: given, repeated: true }, toolbox, options.policy);
    if (outcome.status === 'invalid' || options.approve) return false;
    return options.permissions?.decide({ callId: id, tool: outcome.tool, name, input: outcome.input }).type === 'ask';
  };
  /** What the SDK was told about calls in this process: the fingerprint of the definition to approve, or false. */
  const told = new Map<string, string | false>();
  const tell = (id: string, given: unknown): boolean => {
    const isAsked = asks(id, given);
    if (!told.has(id)) told.set(id, isAsked && fingerprint());
    if (told.size > most) told.delete(told.keys().next().value as string);
    return isAsked;
  };
  const fingerprint = (): string => toolFingerprint(toolbox.get(name) ?? tool);
  return {
    type: 'function',
    name,
    description,
    strict: false,
    parameters: parametersOf(tool),
    isEnabled: async () => true,
    needsApproval: async (_, input, callId = '') => tell(callId, input),
    async invoke(run, input, details) {
      const id = details?.toolCall?.callId ?? makeId();
      // The SDK runs such a call only after approval, which applies to this definition only.
      const isAllowed = asks(id, input) && (told.get(id) ?? fingerprint()) === fingerprint();
      const decision = isAllowed ? ({ type: 'allow' } as const) : undefined;
      told.delete(id);
      const { signal } = details ?? {};
      const repeated = details?.toolCall !== undefined && confirmedCalls.has(details.toolCall);
      const call = { id, name, arguments: input, ...(repeated && { repeated }) };
      const { before } = lastOf(run);
      // The approval applies to what the model wrote, so inferred repairs aren't covered.
      const policy = isAllowed ? { ...options.policy, minCertainty: 'lossless' as const } : options.policy;
      const { result, outcome } = await invoke(call, { ...options, policy, toolbox, signal, decision, before });
      lastOf(run).note(call, outcome);
      return outputOf(result);
    },
  };
}

/** Maximum number of pending calls to remember. */
const most = 1000;

const parametersOf = (tool: Tool): AgentTool['parameters'] => schemaWithEffects(tool) as AgentTool['parameters'];

/** Converts a result: to text, or to a list if there is other content. */
function outputOf(result: ResultPart | undefined): string | ToolCallStructuredOutput[] {
  if (!result) return 'The call is waiting for approval';
  const { content } = result;
  const pieces = content.flatMap((part): ToolCallStructuredOutput[] => {
    if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
    if (part.type !== 'media') return [];
    const { source, mediaType } = part;
    const url = 'url' in source ? source.url : 'data' in source ? `data:${mediaType};base64,${source.data}` : undefined;
    const image = url ?? { id: 'file' in source ? source.file : '' };
    return [mediaType.startsWith('image/') ? { type: 'input_image', image } : { type: 'input_file', file: image }];
  });
  return resultText(content) ?? pieces;
}

/**
 * Creates a toolbox from the SDK's function tools. Provider tools are omitted.
 *
 * @param context passed to each tool by the SDK
 * @example
 * const toolbox = fromAgentTools(agent.tools, new RunContext());
 */
export function fromAgentTools(
  tools: readonly ({ readonly type: string } | AgentTool)[],
  // biome-ignore lint/suspicious/noExplicitAny: a tool's context is whatever its program made it
  context: RunContext<any>,
): Toolbox {
  checkArgument(Array.isArray(tools), 'tools', 'a list of tools of the SDK', tools);
  const functions = tools.flatMap((one) => (isFunction(one) ? toolOf(one, context) : []));
  return new Toolbox(functions, { validate: false });
}

const isFunction = (one: { readonly type: string }): one is AgentTool => one.type === 'function';

// biome-ignore lint/suspicious/noExplicitAny: as above
function toolOf(one: AgentTool, context: RunContext<any>): Tool {
  const { name, description, parameters, strict } = one;
  const input: unknown = strict ? looseSchema(parameters) : parameters;
  return tool({
    name,
    description,
    inputSchema: input,
    async execute(given: unknown, { signal, callId = '' }) {
      const filled = strict ? fillNulls(given, parameters) : given;
      if (await one.needsApproval(context, filled, callId))
        return failed('It needs approval, which is only possible in a run of the SDK', 'logical');
      const text = JSON.stringify(filled);
      const toolCall = { type: 'function_call', callId, name, arguments: text } as const;
      const output = await one.invoke(context, text, { signal, toolCall });
      return isFixed(output) ? failed(output, 'runtime') : output;
    },
  });
}

const failed = (error: string, errorType: 'logical' | 'runtime') => ({ ok: false, error, errorType }) as const;
