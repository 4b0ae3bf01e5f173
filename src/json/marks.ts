/** By container, whichever reading made it: a call may be made of thousands of texts that were each read. */
const literals = new WeakMap<object, Map<string | number, Mark>>();

/**
 * What the text said beyond its value: how numbers and literals were written, by container and key, so that a string
 * field can get `1.0` or `007` as it came.
 */
export class Marks {
  /** A scalar was met whose schema must say whether it may stand, and the first of them. */
  unsafe = false;
  first: Mark | undefined;

  set(container: object, key: string | number, mark: Mark): void {
    if (mark.unsafe || mark.other || mark.gap) {
      this.unsafe = true;
      this.first ??= mark;
    }
    const known = literals.get(container);
    if (known) known.set(key, mark);
    else literals.set(container, new Map([[key, mark]]));
  }

  get(container: object, key: string | number): Mark | undefined {
    return literals.get(container)?.get(key);
  }
}

export interface Mark {
  /** The scalar as written. */
  readonly literal: string;
  /** An integer past 2^53, held as its literal text. */
  readonly unsafe?: true;
  /** It is held as text for its leading zeros instead. */
  readonly zeros?: true;
  /** It is a number in a notation that text may have as well (`+49`, `0x1F`). */
  readonly other?: true;
  /** It stands behind another on its line without a comma, or before a comment: it may be a part of text. */
  readonly gap?: true;
}

/** Why a number that may be text is refused where both fit. */
export const mayBeText = (literal: string): string =>
  `may be text or a number as it is written; write "${literal}" or the plain number`;
