/**
 * `npm run bench:accuracy [-- --trials 4 --check]`: gives every contestant the same sample of damaged calls, and checks what ran.
 * Writes the tables and the chart of docs/bench/accuracy.md and the result for the report. With
 * `--check`, it leaves the docs unchanged. Exits with 1 if a bar is missed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { accuracyResult } from './accuracy/accuracy-result.ts';
import { contestants, wantedPeers } from './accuracy/contestants.ts';
import { filledPage } from './accuracy/filled-page.ts';
import { type Judged, judged } from './accuracy/judged.ts';
import { ordinaryTable } from './accuracy/ordinary/ordinary-table.ts';
import { hasRecorded } from './accuracy/recorded.ts';
import { recordedTable } from './accuracy/recorded-table.ts';
import { sample } from './accuracy/sample.ts';
import { scriptedModel } from './accuracy/scripted-model.ts';
import { structuredTable } from './accuracy/structured/structured-table.ts';
import { writeResult } from './bench-result.ts';
import { installPeers } from './install-peers.ts';
import { markdownTable } from './report-page.ts';

/** Trials of each kind. */
const usual = '4';
const { values } = parseArgs({
  options: { trials: { type: 'string', default: usual }, check: { type: 'boolean', default: false } },
});
const peers = installPeers(wantedPeers);
const model = await scriptedModel();
const cases = sample(Number(values.trials));
// Frameworks log every call that they can't read.
console.warn = () => {};
console.error = () => {};

const say = (words: string): boolean => process.stderr.write(words);
const all: Judged[] = [];
const entries = await contestants(model, peers);
for (const [index, entry] of entries.entries()) {
  say(`[${index + 1}/${entries.length}] ${entry.name} … `);
  if ('missing' in entry) {
    say(`left out: ${entry.missing}\n`);
    continue;
  }
  const start = performance.now();
  all.push(await judged(entry, cases));
  say(`${cases.length} calls in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
say(hasRecorded ? 'Recorded responses … ' : 'The recorded responses are missing: that check is skipped.\n');
const recorded = hasRecorded ? await recordedTable(all.map(({ contestant }) => contestant)) : undefined;
if (recorded) say('done\n');
await model.close();
say('Structured output … ');
const structured = await structuredTable(cases, peers);
say('done\n');
say('Ordinary responses … ');
const ordinary = await ordinaryTable(peers);
say('done\n');

const missing = entries.flatMap((entry) => ('missing' in entry ? [`${entry.name}: ${entry.missing}`] : []));
missing.push(...ordinary.missing, ...structured.missing);
const result = accuracyResult({ all, cases, peers, recorded, ordinary, structured, missing });
writeResult(result);
for (const table of result.tables) console.log(`\n${markdownTable(table)}`);
console.log(`\nWhere we lose:\n${result.losses.map((loss) => `- ${loss}`).join('\n')}`);

// A run of another length prints its figures and does not change the page.
if (values.trials === usual && !values.check) {
  const docs = (file: string): URL => new URL(`../docs/bench/${file}`, import.meta.url);
  for (const { file, svg } of result.charts) writeFileSync(docs(file), svg);
  writeFileSync(
    docs('accuracy.md'),
    filledPage(readFileSync(docs('accuracy.md'), 'utf8'), result, {
      recorded: recorded?.table,
      ordinary: ordinary.table,
      structured: structured.tables,
    }),
  );
}

const missed = result.bars.filter(({ met }) => !met).map(({ what, figure }) => `${what}: ${figure}`);
console.log(`\n${missed.length === 0 ? 'Every bar is met.' : `Missed: ${missed.join('; ')}`}`);
// Some frameworks leave timers running.
process.exit(missed.length > 0 ? 1 : 0);
