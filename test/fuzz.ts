/**
 * `npm run fuzz -- collisions …` runs the collision oracle alone (`damage/collisions/main.ts` has its options).
 * `npm run fuzz -- [count] [seed]`: seeded texts through the reader and the pipeline. Nothing may throw, chunks must end as
 * the whole does, what is accepted must be valid and stable, and work must grow with length alone. Then as many
 * texts through the collision oracle and every property of the tests, on the same seed: a fresh one unless it is said, since the
 * tests themselves always use the same.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { randomFrom, seedOf } from './damage/random.ts';
import { fuzzCheck } from './fuzz-check.ts';
import { fuzzInput } from './fuzz-inputs.ts';
import { tooSteep } from './fuzz-linear.ts';

/** Runs the collision oracle with these arguments; true where it found nothing. */
const collisions = (...args: readonly string[]): boolean => {
  const main = join(import.meta.dirname, 'damage/collisions/main.ts');
  return spawnSync(process.execPath, [main, ...args], { stdio: 'inherit' }).status === 0;
};
if (process.argv[2] === 'collisions') process.exit(collisions(...process.argv.slice(3)) ? 0 : 1);

const count = Number(process.argv[2] ?? 200_000);
const seed = Number(process.argv[3] ?? process.env.TOOLMEND_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const live = process.stdout.isTTY;

const progress = (done: number, faults: number): void => {
  const line = `${done} of ${count} texts, ${faults} faults`;
  if (live) process.stdout.write(`\r${line}`);
  else console.log(line);
};

const started = performance.now();
let faults = 0;
for (let at = 0; at < count; at += 1) {
  const random = randomFrom(seedOf('fuzz', seed, at));
  const text = fuzzInput(random);
  const fault = fuzzCheck(text, random);
  if (fault !== undefined) {
    faults += 1;
    if (faults <= 20) console.log(`${live ? '\n' : ''}fault at ${at}: ${fault}\n  text ${JSON.stringify(text)}`);
  }
  if ((at + 1) % (live ? 1000 : Math.max(1, Math.ceil(count / 10))) === 0) progress(at + 1, faults);
}
if (live) console.log();
console.log(
  `${count} texts from seed ${seed}: ${faults} faults in ${((performance.now() - started) / 1000).toFixed(1)} s`,
);

let steep = 0;
for (const { shape, way, times, ratio } of tooSteep(40_000)) {
  steep += 1;
  console.log(
    `not linear: ${shape}, ${way}: ${times[0].toFixed(2)} ms, at four times the length ${times[1].toFixed(2)} ms (${ratio.toFixed(1)} x)`,
  );
}
console.log(`hostile shapes: ${steep} that grow faster than their length`);

const unique = collisions(String(count), String(seed));

const env = { ...process.env, TOOLMEND_SEED: String(seed), TOOLMEND_LONG: '1' };
const { status } = spawnSync('vitest', ['run', '.fuzz.test.ts'], { env, stdio: 'inherit' });
console.log(`properties on seed ${seed}: ${status === 0 ? 'all hold' : 'one or more failed'}`);
if (faults + steep > 0 || !unique || status !== 0) process.exitCode = 1;
