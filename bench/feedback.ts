/**
 * `npm run bench:feedback`: compares our feedback with the messages of validators and frameworks, on damaged calls that all of
 * them refuse: its content, and its length in tokens of a real tokenizer. Prints tables, and writes its result for the report.
 * Exits with 1 if a bar is missed.
 */
import { mend } from '../src/mend/mend.ts';
import { toolFromMcp } from '../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import type { Mastra } from './accuracy/contestants/mastra.ts';
import { type Case, sample } from './accuracy/sample.ts';
import { type BenchBar, type BenchTable, writeResult } from './bench-result.ts';
import { frameworks } from './feedback/frameworks.ts';
import { listeningModel } from './feedback/heard.ts';
import { says, type Wrong, wrongOf } from './feedback/says.ts';
import type { Heard, Teller } from './feedback/teller.ts';
import { ajvFor, validators } from './feedback/validators.ts';
import { installPeers } from './install-peers.ts';
import { median } from './measure.ts';
import { markdownTable } from './report-page.ts';
import { versionsOf } from './versions-of.ts';

process.env.MASTRA_TELEMETRY_DISABLED = '1';
// Frameworks log every call that they refuse.
const { log } = console;
Object.assign(console, { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} });

const peers = installPeers(['gpt-tokenizer', '@mastra/core', 'zod']);
const { countTokens } = await peers.load<{ countTokens: (text: string) => number }>('gpt-tokenizer');
const mastra =
  '@mastra/core' in peers.missing
    ? undefined
    : {
        ...(await peers.load<Pick<Mastra, 'Agent'>>('@mastra/core/agent')),
        ...(await peers.load<Pick<Mastra, 'createTool'>>('@mastra/core/tools')),
      };

const refusedByUs = ({ tools, call }: Case): boolean =>
  mend(
    call,
    new Toolbox(
      tools.map((one) => toolFromMcp(one, { trusted: true })),
      { validate: false },
    ),
  ).status === 'invalid';

/** The kinds of refusal. A validator has messages only for the first. */
const classes = ['JSON that does not match the schema', 'no JSON, or truncated', 'unknown tool'] as const;
function classOf({ tools, call }: Case): (typeof classes)[number] {
  if (!tools.some(({ name }) => name === call.name)) return 'unknown tool';
  try {
    JSON.parse(call.arguments);
    return call.finishReason === 'length' ? 'no JSON, or truncated' : 'JSON that does not match the schema';
  } catch {
    return 'no JSON, or truncated';
  }
}

function wrongIn({ tool, call }: Case): Wrong[] {
  const input: unknown = JSON.parse(call.arguments);
  const check = ajvFor(tool.inputSchema).compile(tool.inputSchema);
  check(input);
  // Inside a union, every branch reports an error, and none of them may be the intended one.
  const errors = (check.errors ?? []).filter(({ schemaPath }) => !/\/(anyOf|oneOf)\//.test(schemaPath));
  return errors.flatMap((error) => wrongOf(error, input) ?? []);
}

/** A name without a letter or digit names no tool, and needs no feedback. */
const namesSomething = ({ call }: Case): boolean => /[\p{L}\p{N}]/u.test(call.name);
const cases = sample(3).filter((one) => namesSomething(one) && refusedByUs(one));
const model = await listeningModel();
const agents = frameworks(model, mastra);
const tellers: readonly Teller[] = [...agents, ...validators];
const heard = new Map<Teller, Heard[]>();
for (const teller of tellers) {
  const all: Heard[] = [];
  for (const { tools, call } of cases)
    all.push(await Promise.resolve(teller.tell(tools, call)).catch(() => ({ type: 'silent' }) as const));
  heard.set(teller, all);
  log(`${teller.name}: ${all.length} calls`);
}
await model.close();

const wordsOf = (teller: Teller, at: number): string | undefined => {
  const one = heard.get(teller)?.[at];
  return one?.type === 'told' ? one.words : undefined;
};
const tokens = (teller: Teller, at: readonly number[]): number[] =>
  at.map((one) => countTokens(wordsOf(teller, one) ?? ''));
const ninth = (list: readonly number[]): number =>
  [...list].sort((one, other) => one - other)[Math.floor(list.length * 0.9)] ?? 0;
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`);

/** A message as code on one line of a table, shortened if it is long. */
const inLine = (words: string, most: number): string => {
  const line = words
    .replaceAll(/(file:\/\/)?\/[^\s:)]*node_modules/g, '…')
    .replaceAll('`', "'")
    .replace(/\s*\n\s*/g, ' ⏎ ');
  return `\`${line.length > most ? `${line.slice(0, most)}…` : line}\``;
};

const tables: BenchTable[] = [];
const losses: string[] = [];
const bars: BenchBar[] = [];
const [own] = tellers as readonly [Teller, ...Teller[]];
tables.push({
  title: `Results for ${cases.length} calls that Toolmend refuses`,
  head: ['', 'configuration', 'sent feedback', 'ran the call', 'ended without feedback'],
  rows: agents.map((teller) => {
    const count = (type: Heard['type']): string => String(heard.get(teller)?.filter((one) => one.type === type).length);
    return [teller.name, teller.how, count('told'), count('ran'), count('silent')];
  }),
});
for (const kind of classes) {
  const asked = cases.flatMap((one, at) => (classOf(one) === kind ? [at] : []));
  // Contestants without messages for this kind of refusal are skipped, so that the others are compared on the same calls.
  const talking = tellers.filter(
    (teller) => asked.filter((at) => wordsOf(teller, at) !== undefined).length > asked.length / 3,
  );
  const same = asked.filter((at) => talking.every((teller) => wordsOf(teller, at) !== undefined));
  const judged =
    kind === classes[0]
      ? same.map((at) => ({ at, wrong: wrongIn(cases[at] as Case) })).filter(({ wrong }) => wrong.length > 0)
      : [];
  const line = (teller: Teller) => {
    const all = tokens(teller, same);
    const told = judged.map(({ at, wrong }) => says(wordsOf(teller, at) ?? '', wrong));
    const share = (what: 'field' | 'expected' | 'received'): number => told.filter((one) => one[what]).length;
    return {
      teller,
      middle: median(all),
      long: ninth(all),
      field: share('field'),
      expected: share('expected'),
      received: share('received'),
    };
  };
  const lines = talking.map(line);
  const parts = (one: (typeof lines)[number]): string[] =>
    [one.field, one.expected, one.received].map((part) => percent(part, judged.length));
  tables.push({
    title: `${kind}: ${same.length} calls for which all of these sent feedback${judged.length > 0 ? `; ${judged.length} with an invalid field` : ''}`,
    head: [
      '',
      'tokens, median',
      '90th percentile',
      ...(judged.length > 0 ? ['names every field', 'states the expected value', 'states the received value'] : []),
    ],
    rows: lines.map((one) => [
      one.teller.name,
      String(one.middle),
      String(one.long),
      ...(judged.length > 0 ? parts(one) : []),
    ]),
  });
  const example = cases[judged.at(-1)?.at ?? -1];
  if (example)
    tables.push({
      title: `Example: ${example.tool.name} with ${inLine(example.call.arguments, 160)}`,
      head: ['', 'words'],
      rows: talking.map((teller) => [teller.name, inLine(wordsOf(teller, cases.indexOf(example)) ?? '', 260)]),
    });
  const ours = lines.find(({ teller }) => teller === own);
  if (ours) {
    type Line = typeof ours;
    const behind = (what: string, better: (one: Line) => boolean, shown: (one: Line) => string): void => {
      const those = lines.filter(better).map((one) => `${one.teller.name} ${shown(one)}`);
      if (those.length > 0) losses.push(`${kind}, ${what}: ${those.join(', ')}; Toolmend ${shown(ours)}.`);
    };
    behind(
      'tokens, median',
      (one) => one.middle < ours.middle,
      ({ middle }) => String(middle),
    );
    for (const [part, words] of [
      ['field', 'names every field'],
      ['expected', 'states the expected value'],
      ['received', 'states the received value'],
    ] as const)
      behind(
        words,
        (one) => one[part] > ours[part],
        (one) => percent(one[part], judged.length),
      );
  }
  if (judged.length > 0 && ours)
    bars.push(
      {
        what: 'names every invalid field',
        figure: percent(ours.field, judged.length),
        bar: 'at least 95 %',
        met: ours.field >= 0.95 * judged.length,
      },
      {
        what: 'tokens, median, JSON that does not match',
        figure: String(ours.middle),
        bar: 'at most 60',
        met: ours.middle <= 60,
      },
    );
}
const ran = heard.get(own)?.filter(({ type }) => type !== 'told').length ?? 0;
bars.push({
  what: 'refused calls without feedback from Toolmend',
  figure: String(ran),
  bar: 'none',
  met: ran === 0,
});

for (const table of tables) log(`${markdownTable(table)}\n`);
for (const { what, figure, bar, met } of bars) log(`${met ? 'met   ' : 'MISSED'} ${what}: ${figure}, ${bar}`);
writeResult({
  name: 'feedback',
  title: 'Feedback to the model',
  command: 'npm run bench:feedback',
  about:
    'Agents of several frameworks receive damaged calls that Toolmend refuses. The benchmark counts the tokens (o200k) that their next request spends on the error, and compares hand-written messages from validators. The errors that ajv reports for the same call, outside unions, decide whether a message names the field, the expected value and the received value.',
  tables,
  bars,
  charts: [],
  losses,
  versions: { ...peers.versions, ...versionsOf('ai', 'langchain', '@langchain/core', '@openai/agents', 'ajv', 'zod') },
});
if (bars.some(({ met }) => !met)) process.exitCode = 1;
process.exit();
