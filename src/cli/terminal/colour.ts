const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Functions that color text, or leave it unchanged. */
export type Colours = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/** Whether to color a stream: `NO_COLOR` disables it, `FORCE_COLOR` enables it, otherwise if it is a terminal. */
export function takesColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** The colors for a stream. */
export function colour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Colours {
  const on = takesColour(stream, env);
  const paint = (code: number) => (text: string) => (on && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text);
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, paint(code)])) as Colours;
}
