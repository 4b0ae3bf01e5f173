/**
 * Runs everything a clean clone must pass. Prints a line per step, the output of failed steps, and the sum at the end.
 * Run: `npm test`. `npm run check` skips the tests. `npm run test:long` runs what takes too long for every change.
 * Pass step names to run only those.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type Result, runStep } from './run-step.ts';
import { type Step, steps } from './steps.ts';

type Colour = Parameters<typeof styleText>[0];

const terminal = process.stdout.isTTY === true;
// styleText itself checks NO_COLOR and whether the stream is a terminal.
const paint = (colour: Colour, text: string): string => styleText(colour, text, { stream: process.stdout });

const line = (step: Step, result: Result): string => {
  const mark = result.failed > 0 ? paint('red', '✗') : paint('green', '✓');
  const sum = step.count ? `  ${result.passed} passed, ${result.failed} failed` : '';
  const note = result.note ? `  ${paint('yellow', result.note)}` : '';
  return `${mark} ${step.name.padEnd(9)}${paint('dim', `${result.seconds.toFixed(1).padStart(6)} s`)}${sum}${note}`;
};

const pick = (words: readonly string[]): readonly Step[] => {
  const unknown = words.filter((word) => !steps.some((step) => step.name === word || step.group === word));
  if (unknown.length > 0) {
    console.error(`No step is called ${unknown.join(', ')}. There are: ${steps.map((step) => step.name).join(', ')}.`);
    process.exit(2);
  }
  const named =
    words.length === 0
      ? steps.filter((step) => step.group !== 'long')
      : steps.filter((step) => words.includes(step.name) || words.includes(step.group));
  const picked = named.filter(
    ({ name, within }) => words.includes(name) || !named.some((step) => step.name === within),
  );
  // Tests can pack the package themselves, so they need no other step if they run alone.
  const needed = picked.flatMap((step) => (step.after && step.group !== 'test' ? [step.after] : []));
  return steps.filter((step) => picked.includes(step) || needed.includes(step.name));
};

const picked = pick(process.argv.slice(2));
const packed = mkdtempSync(join(tmpdir(), 'toolmend-packed-'));
const waiting = [...picked];
const running = new Map<string, Promise<void>>();
let passed = 0;
let failed = 0;

const showRunning = (): void => {
  if (terminal) process.stdout.write(`\r\u001b[2K${running.size > 0 ? `… ${[...running.keys()].join(', ')}` : ''}`);
};

async function run(step: Step): Promise<void> {
  const result = await runStep(step, packed);
  if (terminal) process.stdout.write('\r\u001b[2K');
  console.log(line(step, result));
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n`);
  passed += result.passed;
  failed += result.failed;
  running.delete(step.name);
}

/** The next step that does not wait for a running or pending one. */
function takeNext(): Step | undefined {
  const open = new Set([...running.keys(), ...waiting.map(({ name }) => name)]);
  const at = waiting.findIndex(({ after }) => after === undefined || !open.has(after));
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

// Two at a time, because the tests leave a core idle at times.
while (waiting.length + running.size > 0) {
  while (running.size < 2) {
    const step = takeNext();
    if (!step) break;
    running.set(step.name, run(step));
  }
  showRunning();
  await Promise.race(running.values());
}
rmSync(packed, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
