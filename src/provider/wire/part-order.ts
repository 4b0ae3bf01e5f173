/**
 * Keeps parts in the order in which they started, for API formats that send them once complete. Calls that stream in
 * parallel can finish in another order, and clients run them in the order in which they arrive.
 */
export class PartOrder {
  /** The parts that weren't sent, in order, and what to send once the ones before are. */
  readonly #parts = new Map<number, string | undefined>();

  start(index: number): void {
    this.#parts.set(index, undefined);
  }

  /** Returns what to send now, for this part and for those that waited for it. */
  finish(index: number, text: string): string {
    this.#parts.set(index, text);
    let sent = '';
    for (const [at, ready] of this.#parts) {
      if (ready === undefined) break;
      sent += ready;
      this.#parts.delete(at);
    }
    return sent;
  }

  /** The parts that still wait at the end of the turn. */
  end(): string {
    const left = [...this.#parts.values()].map((text) => text ?? '').join('');
    this.#parts.clear();
    return left;
  }
}
