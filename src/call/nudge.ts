/**
 * What a model is told that answered with nothing, or with a call that names nothing.
 *
 * @param names the tools it has, where it called and named none of them
 */
export const nudge = (names?: readonly string[]): string =>
  names
    ? `The last call named no tool. The tools are: ${names.join(', ')}. Call one of them by its name, or answer in words.`
    : 'The last answer was empty. Answer in words, or call a tool.';
