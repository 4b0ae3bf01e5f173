/** What is counted: look-ups and marks of what was worked out, parts gone through, characters compared. */
const counted: readonly (readonly [object, readonly string[]])[] = [
  [Map.prototype, ['get', 'set', 'has']],
  [WeakMap.prototype, ['get', 'set', 'has']],
  [Set.prototype, ['has', 'add']],
  [String.prototype, ['charCodeAt', 'replace', 'slice']],
  [RegExp.prototype, ['exec', 'test']],
  [Array.prototype, ['push', 'map', 'filter', 'includes', 'some', 'every', 'flatMap']],
  [Object, ['keys', 'entries', 'hasOwn']],
];

/**
 * Counts steps of work while something runs, the same on every machine however busy, and throws as soon as there are
 * more than `most`: what grows without bound fails at once and does not hang the test.
 */
export function stepsOf(run: () => unknown, most = 20_000_000): number {
  let steps = 0;
  const undo = counted.flatMap(([owner, names]) =>
    names.map((name) => {
      const real = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        steps += Array.isArray(this) && name !== 'push' ? this.length + 1 : 1;
        if (steps > most) throw new Error(`more than ${most} steps`);
        return Reflect.apply(real, this, args);
      });
      return () => Reflect.set(owner, name, real);
    }),
  );
  try {
    run();
  } finally {
    for (const one of undo) one();
  }
  return steps;
}
