/** Taken before a test can put a clock of its own in its place. */
const { setTimeout: later, performance: clock } = globalThis;
const patience = 40_000;

/**
 * Waits for the thing itself, and gives it: a fixed time in which it should have come is too short on a busy machine and
 * too long on any other.
 *
 * @example
 * const line = await until(() => lines().find((one) => one.includes('ready')));
 */
export async function until<T>(look: () => T | Promise<T>): Promise<Exclude<T, undefined | false>> {
  const end = clock.now() + patience;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Exclude<T, undefined | false>;
    if (clock.now() > end) throw new Error(`It never came to hold: ${look}`);
    await new Promise((resolve) => later(resolve, 5));
  }
}
