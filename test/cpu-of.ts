/**
 * Milliseconds of work that this process did for something: what others did on the machine meanwhile is left out. A
 * process runs one file of tests at a time. The thread's clock would be nearer still, but it moves in steps of milliseconds.
 */
export function cpuOf(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How the work grew from the one to the other. */
export interface Growth {
  /** Milliseconds, of the smaller and of the larger. */
  readonly times: readonly [number, number];
  readonly ratio: number;
}

/** How often both are measured before a growth is believed. */
const rounds = 12;

/**
 * How many times the work of the one the other is. Noise only ever adds, so the least of several measurements is nearest
 * the truth; as soon as that is below the bar it is enough, and what truly grows faster never gets there.
 *
 * @param floor Milliseconds below which a measurement says nothing.
 */
export function growthOf(
  small: () => unknown,
  large: () => unknown,
  { bar, floor = 0.5 }: { readonly bar: number; readonly floor?: number },
): Growth {
  let [less, more, ratio] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds && ratio >= bar; round += 1) {
    less = Math.min(less, cpuOf(small));
    more = Math.min(more, cpuOf(large));
    ratio = more / Math.max(less, floor);
  }
  return { times: [less, more], ratio };
}
