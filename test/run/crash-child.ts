/**
 * Runs the plot on a store and kills itself where it is told: `each` event a commit of its own, or batches as they are.
 * Started as `node crash-child.ts STORE RUN FOLDER HOW AT`.
 */
import { writeFileSync } from 'node:fs';
import { openStore } from '../../src/cli/run/open-store.ts';
import type { RunEvent } from '../../src/log/events.ts';
import type { Store } from '../../src/log/store.ts';
import { crashAgent, marksIn, toEnd } from './crash-plot.ts';

const [address = '', id = '', folder = '', how = '', at = '0'] = process.argv.slice(2);
const last = Number(at);
let commits = 0;

const die = (seq: number): void => {
  writeFileSync(`${folder}/told`, String(seq));
  process.kill(process.pid, 'SIGKILL');
};

/** Dies between commit and publication, as nobody has heard of the append yet. */
function dying(store: Store): Store {
  const one = async (events: readonly RunEvent[]): Promise<void> => {
    await store.append(events);
    commits += 1;
    if (how !== 'heard' && commits === last) die(events.at(-1)?.seq ?? 0);
  };
  const append = async (events: readonly RunEvent[]): Promise<void> => {
    if (how !== 'each') return one(events);
    for (const event of events) await one([event]);
  };
  return { ...store, append };
}

const run = crashAgent(dying(await openStore(address)), marksIn(`${folder}/marks`)).run(undefined, { id });
const watching = (async () => {
  for await (const event of run.watch({ channels: ['monitor'] })) {
    if (how === 'heard' && 'seq' in event && event.seq === last) die(event.seq);
  }
})();
await toEnd(run.send('Go.'));
void watching;
process.exit(0);
