/** Times every contestant on texts of growing size, by turns, in time of the processor. */
import { isDeepStrictEqual } from 'node:util';
import { median, sample, spent } from '../measure.ts';
import type { Contestant } from './contestant.ts';

/** What one contestant took, by the size of the text; sizes at which it was not asked any more are missing. */
export interface Growth {
  readonly contestant: Contestant;
  readonly times: ReadonlyMap<number, number>;
  /** Why it stops early. */
  readonly stopped?: string;
}

export interface Sized {
  readonly size: number;
  readonly text: string;
}

const rounds = 3;

const timeOf = async ({ read }: Contestant, text: string): Promise<number> => {
  const from = spent();
  let runs = 0;
  for (; spent() - from < sample; runs += 1) await read(text);
  return (spent() - from) / runs;
};

const readsRight = async ({ read }: Contestant, text: string): Promise<boolean> => {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(await read(text))), JSON.parse(text));
  } catch {
    return false;
  }
};

/** The compiler's work, on the smallest text. */
async function warmUp(contestant: Contestant, text: string): Promise<void> {
  const end = performance.now() + 300;
  while (performance.now() < end) await contestant.read(text);
}

/** Milliseconds by size; skips a text that is likely to take longer than `limit`. */
export async function growth(
  all: readonly Contestant[],
  texts: readonly Sized[],
  limit: number,
  said: (what: string) => void,
): Promise<Growth[]> {
  const entries = all.map((contestant) => ({ contestant, times: new Map<number, number>(), stopped: '' }));
  for (const [at, { size, text }] of texts.entries()) {
    said(`${Math.round(size / 1024)} KB`);
    for (const entry of entries) {
      if (entry.stopped !== '') continue;
      if (at === 0 && !(await readsRight(entry.contestant, text))) entry.stopped = 'does not read it';
      else if (at === 0) await warmUp(entry.contestant, text);
      else if (likely(entry.contestant, entry.times, texts, at) > limit)
        entry.stopped = `the next size would take longer than ${limit / 1000} s`;
    }
    const samples = new Map<Contestant, number[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const { contestant, stopped } of round % 2 === 0 ? entries : entries.toReversed()) {
        const own = samples.get(contestant) ?? [];
        // What takes long is timed once: steps of the clock and noise are small against it.
        if (stopped !== '' || (own[0] ?? 0) > 4 * sample) continue;
        samples.set(contestant, [...own, await timeOf(contestant, text)]);
      }
    for (const { contestant, times, stopped } of entries)
      if (stopped === '') times.set(size, median(samples.get(contestant) ?? []));
  }
  return entries.map(({ stopped, ...rest }) => ({ ...rest, ...(stopped !== '' && { stopped }) }));
}

/** As much more as the last step was, and at first as its way lets one think. */
function likely({ way }: Contestant, times: ReadonlyMap<number, number>, texts: readonly Sized[], at: number): number {
  const [before, last, next] = [texts[at - 2]?.size ?? 0, texts[at - 1]?.size ?? 1, texts[at]?.size ?? 1];
  const took = times.get(last) ?? 0;
  const first = (next / last) ** (way === 'again' ? 2 : 1);
  return took * (times.has(before) ? Math.max(first, took / (times.get(before) ?? took)) : first);
}
