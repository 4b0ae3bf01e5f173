import type { StructuredTool } from '@langchain/core/tools';
import type { InvokeOptions } from '../../run/invocation.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { ToolboxTool } from './toolbox-tool.ts';

/** How a toolbox's tools run where the framework calls them. */
export type ToolsOptions = Pick<
  InvokeOptions,
  'policy' | 'hooks' | 'permissions' | 'approve' | 'record' | 'scope' | 'timeout' | 'results'
>;

/**
 * The tools of a toolbox for LangChain. Each call is mended, checked and run under a deadline, and comes back as one
 * `ToolMessage`, of status `error` where it failed.
 *
 * @example
 * const agent = createAgent({ model, tools: toLangChainTools(toolbox) });
 */
export const toLangChainTools = (toolbox: Toolbox, options: ToolsOptions = {}): StructuredTool[] =>
  toolbox.list().map((tool) => new ToolboxTool(tool, { ...options, toolbox }));
