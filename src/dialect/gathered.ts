const most = 1024;

/** Text put together from small pieces: joined now and then, so that a long one is few large pieces and not a chain of all. */
export class Gathered {
  #text = '';
  #tail = '';

  add(piece: string): void {
    this.#tail += piece;
    if (this.#tail.length < most) return;
    // Looking at a character joins the pieces while they are few.
    this.#tail.charCodeAt(0);
    this.#text += this.#tail;
    this.#tail = '';
  }

  get text(): string {
    return this.#text + this.#tail;
  }
}
