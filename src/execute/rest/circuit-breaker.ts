import type { RestBreaker } from './settings.ts';

const defaults: Required<RestBreaker> = { failures: 5, cooldown: 30_000 };
const most = 1000;

/**
 * Leaves a service alone that keeps failing. Closed: everything passes. Open: nothing passes until the cooldown is over.
 * Half-open: one request tries whether it is back.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failed = 0;
  #closedUntil = 0;
  #trying = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** How long to wait before the service may be asked, in milliseconds; 0 lets the request pass. */
  enter({ failures, cooldown }: RestBreaker = {}): number {
    if (this.#failed < (failures ?? defaults.failures)) return 0;
    const left = this.#closedUntil - this.#now();
    if (left > 0) return left;
    // How long the try takes nobody knows, so that the others wait as long as it may be.
    if (this.#trying) return cooldown ?? defaults.cooldown;
    this.#trying = true;
    return 0;
  }

  succeeded(): void {
    this.#failed = 0;
    this.#trying = false;
  }

  failed({ cooldown }: RestBreaker = {}): void {
    this.#failed += 1;
    this.#trying = false;
    this.#closedUntil = this.#now() + (cooldown ?? defaults.cooldown);
  }

  /** A request ended that says nothing of the service. */
  left(): void {
    this.#trying = false;
  }
}

const breakers = new Map<string, CircuitBreaker>();

/** The breaker of an origin, shared by all tools that ask it. */
export function breakerOf(origin: string): CircuitBreaker {
  const kept = breakers.get(origin) ?? new CircuitBreaker();
  // The one that was asked last stands last, so that the first is the one to forget.
  breakers.delete(origin);
  breakers.set(origin, kept);
  const [oldest] = breakers.keys();
  if (breakers.size > most && oldest !== undefined) breakers.delete(oldest);
  return kept;
}
