/** Milliseconds of work that this thread did for something: what others did on the machine meanwhile is left out. */
export function cpuOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
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
): number {
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    less = Math.min(less, cpuOf(small));
    more = Math.min(more, cpuOf(large));
    if (more / Math.max(less, floor) < bar) break;
  }
  return more / Math.max(less, floor);
}
