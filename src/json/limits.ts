/** Limits for one value, which bound the cost of hostile or runaway text. */
export interface Limits {
  /** Nesting depth. */
  readonly depth: number;
  /** Characters of text. */
  readonly size: number;
  /** Keys of all objects together. */
  readonly keys: number;
}

/** Default limits, which are more than any real call needs. */
export const defaultLimits: Limits = { depth: 256, size: 16 * 1024 * 1024, keys: 100_000 };
