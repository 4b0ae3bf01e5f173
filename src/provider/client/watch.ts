/**
 * Says when something has been waited for too long. One timer serves any number of waits, because a stream has one for
 * every piece.
 */
export class Watch {
  readonly #late: (limit: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the wait that is on ends; infinite where nothing is waited for. */
  #deadline = Number.POSITIVE_INFINITY;
  #limit = 0;
  /** When the timer looks next. */
  #rings = 0;

  constructor(late: (limit: number) => void) {
    this.#late = late;
  }

  /** A wait begins. */
  start(limit: number): void {
    this.#limit = limit;
    this.#deadline = performance.now() + limit;
    if (this.#timer === undefined || this.#rings > this.#deadline) this.#arm();
  }

  /** What was waited for is there. */
  pause(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  stop(): void {
    this.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const left = this.#deadline - performance.now();
    if (!Number.isFinite(left)) return;
    this.#rings = this.#deadline;
    // Longer waits than a timer holds are taken in steps.
    this.#timer = setTimeout(() => this.#fire(), Math.min(Math.max(left, 0), 2 ** 31 - 1));
  }

  #fire(): void {
    this.#timer = undefined;
    if (performance.now() >= this.#deadline - 1) {
      this.pause();
      this.#late(this.#limit);
    } else this.#arm();
  }
}
