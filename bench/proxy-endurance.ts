/**
 * `node bench/proxy-endurance.ts [--minutes N] [--streams N]`: opens many streams, then runs a soak test. `npm run bench:proxy` ends
 * with a short run of it. Exits with 1 if a bar is missed.
 */
import { parseArgs } from 'node:util';
import { type Bar, showBars } from './proxy-bar.ts';
import { soak } from './proxy-soak.ts';
import { manyStreams } from './proxy-streams.ts';

/** Half a minute of soak keeps the whole benchmark under three; ten minutes are what is promised. */
export async function endurance(args: readonly string[]): Promise<Bar[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '0.5' }, streams: { type: 'string', default: '1000' } },
  });
  const streams = Number(values.streams);
  const minutes = Number(values.minutes);
  return [...(streams > 0 ? await manyStreams(streams) : []), ...(minutes > 0 ? await soak(minutes) : [])];
}

if (import.meta.main && !showBars(await endurance(process.argv.slice(2)))) process.exitCode = 1;
