/** Calls that a wrapped model repeated on purpose. The tool that runs one doesn't see the conversation. */
export const confirmedCalls = new WeakSet<object>();
