/**
 * Takes up each run whose id it reads, without asking anybody whether another does. Started as `node rival-child.ts STORE
 * MARKS`; it says what came of each in a line.
 */
import { createInterface } from 'node:readline';
import { openStore } from '../../src/cli/run/open-store.ts';
import { crashAgent, marksIn, toEnd } from './crash-plot.ts';

const [address = '', marks = ''] = process.argv.slice(2);
const helper = crashAgent(await openStore(address), marksIn(marks));
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

say({ end: 'ready', message: '' });
for await (const id of createInterface({ input: process.stdin })) {
  try {
    const { end, message } = await toEnd((await helper.resume(id)).continue());
    say({ end, message });
  } catch (error) {
    say({ end: 'refused', message: String(error) });
  }
}
process.exit(0);
