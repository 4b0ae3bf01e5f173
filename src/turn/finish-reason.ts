/** How a message ended, in one set of words for all providers. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'filter' | 'error' | 'other';

/** How a message ended, in our words or in the provider's own, as its SDK gives them. */
export type WrittenFinishReason =
  | FinishReason
  | 'max_tokens'
  | 'MAX_TOKENS'
  | 'max_output_tokens'
  | 'model_length'
  | 'incomplete'
  | 'model_context_window_exceeded'
  | (string & {})
  | null;
