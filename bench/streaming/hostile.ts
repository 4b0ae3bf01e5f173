/** Texts made to be slow, in pieces: whether a megabyte costs sixteen times what 64 KB cost. */
import { hostileShapes } from '../../test/fuzz-hostile.ts';
import { processorTime } from '../measure.ts';
import { toolmend } from './contestants.ts';

export interface HostileShape {
  readonly name: string;
  /** Milliseconds for a megabyte. */
  readonly time: number;
  /** Those against the time of 64 KB. */
  readonly growth: number;
}

const kilo = 1024;
/** Growth above it is measured again. */
export const mostGrowth = 20;

function grown(name: string, make: (length: number) => string): HostileShape {
  let growth = Number.POSITIVE_INFINITY;
  let time = 0;
  const [short, long] = [make(64 * kilo), make(kilo * kilo)];
  // Real growth occurs every time.
  for (let tries = 0; tries < 3 && growth > mostGrowth; tries += 1) {
    const small = processorTime(() => toolmend.read(short));
    time = processorTime(() => toolmend.read(long));
    growth = Math.min(growth, time / Math.max(small, 0.5));
  }
  return { name, time, growth };
}

/** Every shape, steepest first. */
export const hostile = (): HostileShape[] =>
  Object.entries(hostileShapes)
    .map(([name, make]) => grown(name, make))
    .sort((one, other) => other.growth - one.growth);
