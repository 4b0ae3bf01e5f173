/** The `toolmend/sdk` entry: tools and calls for the SDKs of the model providers, without importing them. */

export { type MendedToolCalls, type MendToolCallsOptions, mendToolCalls } from './mend-tool-calls.ts';
export type {
  AnthropicResultMessage,
  AnthropicTool,
  GeminiTool,
  OllamaTool,
  OpenAIAssistantMessage,
  OpenAICallOutput,
  OpenAIResponsesTool,
  OpenAITool,
  OpenAIToolMessage,
  SdkMessage,
} from './sdk-types.ts';
export {
  type SdkTools,
  type SdkToolsOptions,
  toAnthropicTools,
  toGeminiTools,
  toOllamaTools,
  toOpenAIResponsesTools,
  toOpenAITools,
} from './to-sdk-tools.ts';
