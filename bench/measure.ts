/** Times contestants against each other on a noisy machine: small samples, taken in turns, and the median of them. */
export type Contestants = Readonly<Record<string, () => unknown>>;

const timeOf = (run: () => unknown, times: number): number => {
  const start = performance.now();
  for (let one = 0; one < times; one += 1) run();
  return performance.now() - start;
};

/** The middle of a list of numbers. */
export const median = (list: readonly number[]): number => {
  const sorted = [...list].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

/** Milliseconds of this thread's processor time: other programs take none of it, however busy they are. */
export const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** A sample takes so many milliseconds of the processor, which is counted in steps of a few. */
export const sample = 60;

/** Milliseconds of the processor for one run, which is repeated until a sample is full. */
export const processorTime = (run: () => unknown): number => {
  const from = spent();
  let runs = 0;
  for (; spent() - from < sample; runs += 1) run();
  return (spent() - from) / runs;
};

/** Long enough for the compiler to have done its work. */
const warmUp = (run: () => unknown): void => {
  const end = performance.now() + 150;
  while (performance.now() < end) run();
};

/** How often to run so that one sample takes about `target` milliseconds. */
const timesFor = (run: () => unknown, target: number): number => {
  warmUp(run);
  let times = 1;
  for (;;) {
    const took = timeOf(run, times);
    if (took >= target / 2) return Math.max(1, Math.round((times * target) / took));
    times *= 2;
  }
};

/** Microseconds per run of each contestant: the median over rounds in which each takes its turn. */
export const measure = (contestants: Contestants, { rounds = 15, target = 10 } = {}): Record<string, number> => {
  const entries = Object.entries(contestants).map(([name, run]) => ({
    name,
    run,
    times: timesFor(run, target),
    samples: [] as number[],
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const entry of round % 2 === 0 ? entries : [...entries].reverse())
      entry.samples.push((timeOf(entry.run, entry.times) * 1000) / entry.times);
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]));
};

/** Microseconds of the quickest of several runs, for what takes long. */
export const quickest = (run: () => unknown, rounds = 5): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, timeOf(run, 1) * 1000);
  return least;
};
