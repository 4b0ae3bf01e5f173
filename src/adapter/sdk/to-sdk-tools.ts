import { checkArgument } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { type Fitted, fitRequest } from '../../provider/compat/fit-request.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { withExplicitStrict } from '../../provider/wire/openai-responses/request.ts';
import { wires } from '../../provider/wire/route.ts';
import { specOf, type Tool } from '../../tools/tool.ts';
import { offeredTools, type Toolbox, toolboxOf } from '../../tools/toolbox.ts';
import type { AnthropicTool, GeminiTool, OllamaTool, OpenAIResponsesTool, OpenAITool } from './sdk-types.ts';

/** Tools for an SDK: a toolbox or a list of tools. */
export type SdkTools<T extends Tool = Tool> = Toolbox<T> | readonly T[];

/** How tools are written for a provider. */
export interface SdkToolsOptions {
  /** Let the provider enforce the schemas (`strict: true`), if its strict mode can express them. */
  readonly strict?: boolean;
  /**
   * What the server accepts. Use `plain` for local servers with OpenAI's API, such as vLLM or llama-server.
   * @default the provider of the SDK; 'plain' for Ollama
   */
  readonly target?: LoweringTarget;
}

/**
 * Writes tools for `openai`'s Chat Completions, with names and schemas that the API accepts.
 *
 * @example client.chat.completions.create({ model, messages, tools: toOpenAITools(toolbox) })
 */
export const toOpenAITools = (tools: SdkTools, options?: SdkToolsOptions): OpenAITool[] =>
  write(tools, 'openai-chat', options) as OpenAITool[];

/** Writes tools for `openai`'s Responses. */
export const toOpenAIResponsesTools = (tools: SdkTools, options?: SdkToolsOptions): OpenAIResponsesTool[] =>
  write(tools, 'openai-responses', options) as OpenAIResponsesTool[];

/** Writes tools for `@anthropic-ai/sdk`. */
export const toAnthropicTools = (tools: SdkTools, options?: SdkToolsOptions): AnthropicTool[] =>
  write(tools, 'anthropic', options) as AnthropicTool[];

/** Writes tools for `@google/genai`: the `tools` of its `config`. */
export const toGeminiTools = (tools: SdkTools, options?: SdkToolsOptions): GeminiTool[] =>
  write(tools, 'gemini', options) as GeminiTool[];

/** Writes tools for `ollama`. */
export const toOllamaTools = (tools: SdkTools, options?: SdkToolsOptions): OllamaTool[] =>
  write(tools, 'ollama', options) as OllamaTool[];

/** How a toolbox was written for an API. */
export interface SdkFitting {
  readonly target: LoweringTarget;
  /** Restores names and shapes in a response. */
  readonly undoResponse: Fitted['undoResponse'];
}

const targets: Readonly<Record<Format, LoweringTarget>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
  ollama: 'plain',
};

const toolboxes = new WeakMap<object, Toolbox>();

/** The toolbox of a list of tools, the same for the same list, which is made again if the list has changed. */
export function sdkToolbox(tools: SdkTools): Toolbox {
  if (!Array.isArray(tools)) return toolboxOf(tools);
  let toolbox = toolboxes.get(tools);
  if (toolbox?.size !== tools.length || !tools.every((tool) => toolbox?.get(tool?.name) === tool)) {
    toolbox = toolboxOf(tools);
    toolboxes.set(tools, toolbox);
  }
  return toolbox;
}

/** How each toolbox was written last, because its calls return in the same form. */
const fittings = new WeakMap<Toolbox, Map<Format, SdkFitting>>();

/** How the tools of a toolbox were written for an API; as they would be by default if they were not. */
export function fittingOf(toolbox: Toolbox, format: Format): SdkFitting {
  return fittings.get(toolbox)?.get(format) ?? fitTools(toolbox, format, {}).fitting;
}

function write(tools: SdkTools, format: Format, options: SdkToolsOptions = {}): unknown[] {
  const toolbox = sdkToolbox(tools);
  checkArgument(typeof options === 'object' && options !== null, 'options', '{ strict, target }', options);
  const { fitted, fitting } = fitTools(toolbox, format, options);
  fittings.set(toolbox, (fittings.get(toolbox) ?? new Map<Format, SdkFitting>()).set(format, fitting));
  const request = format === 'openai-responses' ? withExplicitStrict(fitted.request) : fitted.request;
  return wires[format].writeTools(request.tools ?? []);
}

function fitTools(
  toolbox: Toolbox,
  format: Format,
  { strict, target = targets[format] }: SdkToolsOptions,
): { readonly fitted: Fitted; readonly fitting: SdkFitting } {
  const tools = offeredTools(toolbox).map((tool) => ({ ...specOf(tool), ...(strict && { strict }) }));
  const fitted = fitRequest({ model: '', messages: [], tools }, target, format);
  return { fitted, fitting: { target, undoResponse: fitted.undoResponse } };
}
