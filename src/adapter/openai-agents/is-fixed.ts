const sentence =
  /^(An error occurred while (running the tool|parsing tool arguments)\. Please try again( with valid JSON)?\.|Tool '.*' not found\.)$/;

/** Whether this is what the SDK tells of every tool that threw, of arguments that it can't parse and of tools it does not know. */
export const isFixed = (output: unknown): output is string => typeof output === 'string' && sentence.test(output);
