/** Calls that a wrapped model repeated because they are meant: the tool that runs one is not shown what went before. */
export const confirmedCalls = new WeakSet<object>();
