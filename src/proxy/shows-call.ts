/** The words by which each API format shows a call or a piece of one. */
const words = /tool_?calls?|function_?call|tool_?use|_call\b|input_json_delta|partial_?(?:json|args)/i;

/** Whether bytes that no reader understood may show a call: they must not be passed on unread. */
export const showsCall = (text: string): boolean => words.test(text);
