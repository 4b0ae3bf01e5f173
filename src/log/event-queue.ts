/**
 * What came and was not yet taken, for one who reads at his own pace. Where more waits than there is room for, what comes
 * is left out: reading ends after what is there, and `behind` tells that something is missing.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #limit: number;
  readonly #close: () => void;
  #items: T[] = [];
  #head = 0;
  /** What must be told though it came after the gap. */
  #kept: T[] = [];
  #wake: (() => void) | undefined;
  #behind = false;
  #ended = false;

  /** @param close called once nobody reads any more */
  constructor(limit = Number.POSITIVE_INFINITY, close: () => void = () => {}) {
    this.#limit = limit;
    this.#close = close;
  }

  /** Whether something was left out since the last `catchUp`. */
  get behind(): boolean {
    return this.#behind;
  }

  /** @param must it is kept, however much waits */
  push(item: T, must = false): void {
    if (this.#ended) return;
    if (this.#items.length - this.#head >= this.#limit) this.#behind = true;
    if (!this.#behind) this.#items.push(item);
    else if (must) this.#kept.push(item);
    this.#wake?.();
  }

  /** From now on what comes is kept again; whoever calls this fetches what is missing. */
  catchUp(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.#items.push(...this.#kept.splice(0));
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#head >= this.#items.length) {
      if (this.#ended || this.#behind) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const value = this.#items[this.#head] as T;
    this.#head += 1;
    // What was read is let go when all is, or in large pieces, so that taking one stays cheap.
    if (this.#head === this.#items.length || this.#head > 1024) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<T>> {
    this.#ended = true;
    this.#behind = false;
    this.#items = [];
    this.#kept = [];
    this.#head = 0;
    this.#wake?.();
    this.#close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
