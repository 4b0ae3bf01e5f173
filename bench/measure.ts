/** Compares contestants on a busy machine: by CPU time, in turns, as medians. */
export type Contestants = Readonly<Record<string, () => unknown>>;

const timeOf = (run: () => unknown, times: number): number => {
  const start = performance.now();
  for (let one = 0; one < times; one += 1) run();
  return performance.now() - start;
};

/** The median of a list of numbers. */
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
  let [runs, batch] = [0, 1];
  // Reading the clock costs more than a short run, so it is read less and less often.
  for (; spent() - from < sample; batch = Math.min(batch * 2, 4096)) {
    for (let one = 0; one < batch; one += 1) run();
    runs += batch;
  }
  return (spent() - from) / runs;
};

/** Long enough for the JIT compiler. */
const warmUp = (run: () => unknown): void => {
  const end = performance.now() + 150;
  while (performance.now() < end) run();
};

/** Microseconds of the processor per run of each contestant: the median over rounds in which each takes its turn. */
export const measure = (contestants: Contestants, { rounds = 7 } = {}): Record<string, number> => {
  const entries = Object.entries(contestants).map(([name, run]) => ({ name, run, samples: [] as number[] }));
  for (const { run } of entries) warmUp(run);
  for (let round = 0; round < rounds; round += 1)
    for (const { run, samples } of round % 2 === 0 ? entries : entries.toReversed())
      samples.push(processorTime(run) * 1000);
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]));
};

/** Microseconds of the quickest of several runs, for what takes long. */
export const quickest = (run: () => unknown, rounds = 5): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, timeOf(run, 1) * 1000);
  return least;
};
