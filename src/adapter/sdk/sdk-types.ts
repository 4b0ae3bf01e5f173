/** The shapes of the SDKs' tools and messages, so that their packages aren't needed. */

/** A tool for `openai`'s Chat Completions. */
export interface OpenAITool {
  type: 'function';
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean };
}

/** A tool for `openai`'s Responses. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description?: string;
  parameters: Record<string, unknown> | null;
  strict: boolean;
}

/** A tool for `@anthropic-ai/sdk`. */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [key: string]: unknown };
  strict?: boolean;
}

/** The tools for `@google/genai`. */
export interface GeminiTool {
  functionDeclarations: { name: string; description?: string; parametersJsonSchema?: unknown }[];
}

/** A tool for `ollama`. */
export interface OllamaTool {
  type: 'function';
  function: {
    name: string;
    description?: string;
    parameters?: {
      type?: string;
      required?: string[];
      properties?: Record<
        string,
        { type?: string | string[]; description?: string; enum?: unknown[]; items?: unknown }
      >;
    };
  };
}

/** The result of a call in Chat Completions. */
export interface OpenAIToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** An assistant message of Chat Completions, assembled from a stream. */
export interface OpenAIAssistantMessage {
  role: 'assistant';
  content: string | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

/** The result of a call in Responses. */
export interface OpenAICallOutput {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** The results of the calls of one response, for Anthropic. */
export interface AnthropicResultMessage {
  role: 'user';
  content: { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean }[];
}

/**
 * The messages that an SDK takes back, by its response or by the events of its stream. The types of `openai` don't let you
 * send all items that they say you receive, so those are left out here.
 */
export type SdkMessage<R> = R extends { readonly choices: readonly (infer Choice)[] }
  ? OpenAIToolMessage | (Choice extends { readonly message: infer Message } ? Message : OpenAIAssistantMessage)
  : R extends
        | { readonly object: 'response'; readonly output: readonly (infer Item)[] }
        | { readonly response: { readonly output: readonly (infer Item)[] } }
    ? OpenAICallOutput | Exclude<Item, { readonly type: 'additional_tools' | 'computer_call_output' }>
    : R extends { readonly role: 'assistant'; readonly content: infer Content extends readonly unknown[] }
      ? AnthropicMessage<Content>
      : R extends { readonly type: 'message_start'; readonly message: { readonly content: infer Content } }
        ? AnthropicMessage<Content>
        : R extends { readonly message: infer Message extends { role: string; content: string } }
          ? Message
          : 'candidates' extends keyof R
            ? GeminiContent<NonNullable<R['candidates']>>
            : never;

type AnthropicMessage<Content> = AnthropicResultMessage | { role: 'assistant'; content: Content };

type GeminiContent<Candidates> = Candidates extends readonly { readonly content?: infer Content }[]
  ? NonNullable<Content>
  : never;
