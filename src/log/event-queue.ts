/** What came and was not yet taken, for one who reads at his own pace. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #close: () => void;
  #items: T[] = [];
  #head = 0;
  #wake: (() => void) | undefined;
  #ended = false;

  /** @param close called once nobody reads any more */
  constructor(close: () => void = () => {}) {
    this.#close = close;
  }

  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** No more will come; what is there can still be read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#head >= this.#items.length) {
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const value = this.#items[this.#head] as T;
    this.#head += 1;
    // What was read is let go in large pieces, so that taking one stays cheap.
    if (this.#head > 1024) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<T>> {
    this.end();
    this.#items = [];
    this.#head = 0;
    this.#close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
