import type { RestBreaker } from './settings.ts';

const defaults: Required<RestBreaker> = { failures: 5, cooldown: 30_000 };
const most = 1000;

/**
 * Skips a service that keeps failing. Closed: all requests pass. Open: none pass until the cooldown is over. Half-open:
 * one request tries again.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failed = 0;
  #closedUntil = 0;
  #trying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds to wait before a request; 0 lets it pass. */
  enter({ failures, cooldown }: RestBreaker = {}): number {
    if (this.#failed < (failures ?? defaults.failures)) return 0;
    const left = this.#closedUntil - this.#now();
    if (left > 0) return left;
    // The duration of the trial is unknown, so other requests wait for the full cooldown.
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

  /** A request ended without a result that says anything about the service. */
  left(): void {
    this.#trying = false;
  }
}

const breakers = new Map<string, CircuitBreaker>();

/** The circuit breaker of an origin, shared by all tools. */
export function breakerOf(origin: string): CircuitBreaker {
  const kept = breakers.get(origin) ?? new CircuitBreaker();
  // Moves it to the end, so that the least recently used is removed first.
  breakers.delete(origin);
  breakers.set(origin, kept);
  const [oldest] = breakers.keys();
  if (breakers.size > most && oldest !== undefined) breakers.delete(oldest);
  return kept;
}
