/**
 * Runs everything a clean clone must pass, a line per step, the output of those that failed, and the sum at the end.
 * Run: `npm test`; `npm run check` leaves out the tests; `npm run test:long` runs what takes too long for every change;
 * step names as arguments run those alone.
 */
import { styleText } from 'node:util';
import { type Result, runStep } from './run-step.ts';
import { type Step, steps } from './steps.ts';

type Colour = Parameters<typeof styleText>[0];

const terminal = process.stdout.isTTY === true;
// styleText looks at NO_COLOR and at whether the stream is a terminal by itself.
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
  return words.length === 0
    ? steps.filter((step) => step.group !== 'long')
    : steps.filter((step) => words.includes(step.name) || words.includes(step.group));
};

let passed = 0;
let failed = 0;
for (const step of pick(process.argv.slice(2))) {
  if (terminal) process.stdout.write(`… ${step.name}`);
  const result = await runStep(step);
  if (terminal) process.stdout.write('\r\u001b[2K');
  console.log(line(step, result));
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n`);
  passed += result.passed;
  failed += result.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
