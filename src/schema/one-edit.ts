/** The single edit between two texts: what was done to `meant`, and where. */
export interface Edit {
  readonly kind: 'insert' | 'delete' | 'replace' | 'swap';
  readonly at: number;
}

/**
 * The edit that turns `meant` into `written`: one inserted, missing or replaced character, or two swapped ones.
 * Undefined if there is none.
 */
export function oneEdit(written: string, meant: string): Edit | undefined {
  const more = written.length - meant.length;
  if (Math.abs(more) > 1) return undefined;
  let at = 0;
  while (at < meant.length && written[at] === meant[at]) at++;
  const rest = (from: number, of: number): boolean => written.slice(from) === meant.slice(of);
  if (more === 1) return rest(at + 1, at) ? { kind: 'insert', at } : undefined;
  if (more === -1) return rest(at, at + 1) ? { kind: 'delete', at } : undefined;
  if (at === meant.length) return undefined;
  if (rest(at + 1, at + 1)) return { kind: 'replace', at };
  const swapped = written[at] === meant[at + 1] && written[at + 1] === meant[at] && rest(at + 2, at + 2);
  return swapped ? { kind: 'swap', at } : undefined;
}

/**
 * The words of `meant` that an edit is in, with its offset in each. A character inserted between two words may belong to
 * either.
 */
export function* editedWords({ kind, at }: Edit, words: readonly string[]): Generator<readonly [string, number]> {
  const last = at + (kind === 'swap' ? 1 : 0);
  let start = 0;
  for (const word of words) {
    const end = start + word.length;
    if (kind === 'insert' ? start <= at && at <= end : start <= last && at < end) yield [word, at - start];
    start = end;
  }
}
