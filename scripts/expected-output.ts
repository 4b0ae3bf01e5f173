const arrow = /\/\/ → ?(.*)$/;

/**
 * The lines an example says it prints: what follows each `// → `, in order. Nothing where it says none.
 *
 * @example expectedOutput("console.log(1 + 1) // → 2") // ['2']
 */
export const expectedOutput = (code: string): string[] | undefined => {
  const lines = code.split('\n').flatMap((line) => arrow.exec(line)?.[1]?.trimEnd() ?? []);
  return lines.length > 0 ? lines : undefined;
};
