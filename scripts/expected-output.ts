const arrow = /\/\/ → ?(.*)$/;

/**
 * The expected output of an example: the text after each `// → `, in order. Undefined if there is none.
 *
 * @example expectedOutput("console.log(1 + 1) // → 2") // ['2']
 */
export const expectedOutput = (code: string): string[] | undefined => {
  const lines = code.split('\n').flatMap((line) => arrow.exec(line)?.[1]?.trimEnd() ?? []);
  return lines.length > 0 ? lines : undefined;
};
