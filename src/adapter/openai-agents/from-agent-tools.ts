import type { RunContext } from '@openai/agents-core';
import { checkArgument } from '../../json/value.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { isFixed } from './history.ts';
import type { AgentTool } from './to-agent-tools.ts';
import { fillNulls, looseSchema } from './tool-schema.ts';

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
    ...{ name, description, inputSchema: input },
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
