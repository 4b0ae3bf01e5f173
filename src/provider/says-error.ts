/** Whether a result's text says by itself that something went wrong, for wires that have no mark for it. */
export const saysError = (text: string): boolean => /^\s*(?:error\b|\{\s*"ok"\s*:\s*false)/i.test(text);
