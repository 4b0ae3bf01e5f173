/** By container, whichever reading made it: a call may be made of thousands of texts that were each read. */
const literals = new WeakMap<object, Map<string | number, Mark>>();

/**
 * What the text said beyond its value: how numbers and literals were written, by container and key, so that a string
 * field can get `1.0` or `007` as it came.
 */
export class Marks {
  /** A number was met that is held as its literal text. */
  unsafe = false;

  set(container: object, key: string | number, mark: Mark): void {
    if (mark.unsafe) this.unsafe = true;
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
}
