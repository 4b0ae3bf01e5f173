/**
 * `node test/damage/report.ts [--tries N] [--seed N] [--kind TEXT] [--failures N] [--cli N]`
 * prints the table of damages; `--cli N` also sends N trials through the command line and compares the answers.
 */
import { parseArgs } from 'node:util';
import { answer } from './answer.ts';
import { answersOfCli } from './answers-of-cli.ts';
import { damages } from './damages.ts';
import { subjects } from './schemas.ts';
import { failureText, tableOf } from './table.ts';
import { tally, trialsOf } from './tally.ts';
import { sameJson } from './trial.ts';

const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: '' },
    failures: { type: 'string', default: '2' },
    cli: { type: 'string', default: '0' },
  },
});
const run = { subjects, tries: Number(values.tries), seed: Number(values.seed), answer };
const kinds = damages.filter((kind) => kind.name.includes(values.kind));

const rows = kinds.map((kind) => tally(kind, run));
console.log(tableOf(rows));
const failures = rows.flatMap((row) => row.failures.slice(0, Number(values.failures)));
if (failures.length > 0) console.log(`\n${failures.map(failureText).join('\n\n')}`);

const wanted = Number(values.cli);
if (wanted > 0) {
  const all = kinds.flatMap((kind) => [...trialsOf(kind, run)]).filter((trial) => trial.call.arguments !== undefined);
  const step = Math.max(1, Math.floor(all.length / wanted));
  const trials = all.filter((_, at) => at % step === 0).slice(0, wanted);
  const told = await answersOfCli(trials);
  const unlike = trials.filter((trial, at) => {
    const [own, other] = [answer(trial), told[at]];
    const alike = other && own.status === other.status && own.name === other.name && own.errorType === other.errorType;
    return !alike || !sameJson(own.input, other.input) || !sameJson(own.repairs, other.repairs);
  });
  console.log(`\ncommand line: ${trials.length} trials, ${unlike.length} answered otherwise than by the library`);
  for (const trial of unlike.slice(0, 10))
    console.log(
      `  ${trial.kind.name} (${trial.tool.name}, seed ${trial.seed})\n    ${JSON.stringify(told[trials.indexOf(trial)])}`,
    );
  if (unlike.length > 0) process.exitCode = 1;
}
const bad = rows.some((row) => row.counts.wrong > 0 || row.counts.missed > 0 || row.counts.mislabelled > 0);
if (bad) process.exitCode = 1;
