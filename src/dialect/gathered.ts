const most = 1024;
const anything = /^/;

/** Text put together from small pieces: joined now and then, so that a long one is few large pieces and not a chain of all. */
export class Gathered {
  #text = '';
  #tail = '';

  add(piece: string): void {
    this.#tail += piece;
    if (this.#tail.length < most) return;
    // A pattern is matched in one piece of memory, so that this joins the pieces while they are few.
    anything.test(this.#tail);
    this.#text += this.#tail;
    this.#tail = '';
  }

  get text(): string {
    return this.#text + this.#tail;
  }
}
