import type { Contestant } from './contestant.ts';

/** Commas too many, single quotes and a word of Python, as models write them. */
export const oddText = `{"a": [1, 2,], 'b': True,}`;

/** What a contestant makes of it: the value as JSON, or that it throws. */
export async function readsOf({ read }: Contestant): Promise<string> {
  try {
    const value = JSON.stringify(await read(oddText));
    return value === undefined ? 'nothing' : `\`${value}\``;
  } catch {
    return 'throws';
  }
}
