/** How a message ended, in one set of words for all providers. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'filter' | 'error' | 'other';
