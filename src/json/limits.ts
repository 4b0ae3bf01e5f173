/** How much one value may hold before it is refused; hostile or runaway text costs no more than this. */
export interface Limits {
  /** Objects and lists inside each other. */
  readonly depth: number;
  /** Characters of text. */
  readonly size: number;
  /** Keys of all objects together. */
  readonly keys: number;
}

/** What holds where nothing is said: more than any honest call needs. */
export const defaultLimits: Limits = { depth: 256, size: 16 * 1024 * 1024, keys: 100_000 };
