/** Lines at the end of a terminal's output that change in place: what is under way now. Draws nothing into a pipe. */
export class LiveLines {
  readonly #write: (text: string) => void;
  readonly #on: boolean;
  #drawn: readonly string[] = [];

  constructor(write: (text: string) => void, on: boolean) {
    this.#write = write;
    this.#on = on;
  }

  /** Takes the lines away, so that something can be written where they stood. */
  clear(): void {
    if (this.#drawn.length > 0) this.#write(`\u001b[${this.#drawn.length}A\u001b[J`);
    this.#drawn = [];
  }

  /** Shows these lines; each must fit the width, because a broken one could not be taken away. */
  draw(lines: readonly string[]): void {
    if (!this.#on || same(lines, this.#drawn)) return;
    this.clear();
    if (lines.length > 0) this.#write(`${lines.join('\n')}\n`);
    this.#drawn = lines;
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);
