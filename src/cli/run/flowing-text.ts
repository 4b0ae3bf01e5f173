import { columnsOf } from '../columns.ts';

/** Breaks text that comes in pieces between words, so that no line of a terminal ends inside one. */
export class FlowingText {
  readonly #width: number;
  #column = 0;
  #word = '';

  constructor(width: number) {
    this.#width = width;
  }

  /** What can be written now; a word that may go on waits for its end. */
  take(text: string): string {
    let out = '';
    for (const piece of text.split(/(\s)/)) {
      if (!/^\s$/.test(piece)) {
        this.#word += piece;
        continue;
      }
      out += this.#place();
      const isFull = piece !== '\n' && this.#column >= this.#width;
      // At the edge the space itself would stand at the beginning of the next line.
      if (isFull) continue;
      out += piece;
      this.#column = piece === '\n' ? 0 : this.#column + 1;
    }
    return out;
  }

  /** What waited, and a line break where a line is open. */
  end(): string {
    const out = this.#place();
    const isOpen = this.#column > 0;
    this.#column = 0;
    return isOpen ? `${out}\n` : out;
  }

  #place(): string {
    const word = this.#word;
    const columns = columnsOf(word);
    this.#word = '';
    const breaks = this.#column > 0 && this.#column + columns > this.#width;
    this.#column = breaks ? columns : this.#column + columns;
    return breaks ? `\n${word}` : word;
  }
}
