/**
 * `npm run bench:proxy-mend`: the share of calls of a faulty scripted upstream that reach a client as intended: directly, through the
 * proxy, and with one retry of a model that follows feedback. Writes the table and the chart of docs/guides/proxy-mending.md. Exits
 * with 1 if a bar is missed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ModelRequest, ToolSpec, TurnEvent } from '../src/model/index.ts';
import { serveScripted } from '../src/provider/scripted/server.ts';
import { decodeStream } from '../src/provider/wire/decode-stream.ts';
import { openaiChat } from '../src/provider/wire/openai-chat/index.ts';
import { createProxy } from '../src/proxy/server.ts';
import { sameJson } from '../test/damage/trial.ts';
import { valid } from '../test/damage/valid.ts';
import { writeResult } from './bench-result.ts';
import { barColours, groupedBars } from './grouped-bars.ts';
import { type BadCase, badCases, unsure } from './proxy-mend-cases.ts';

/** Of what has one reading, so much must be right through the proxy, in percent; and no more may be wrong than came so. */
const bars = { group: 90, sound: 100 };
const page = new URL('../docs/guides/proxy-mending.md', import.meta.url);
const chart = new URL('../docs/images/proxy-mending.svg', import.meta.url);

const cases = badCases(3);
const upstream = await serveScripted((question: ModelRequest) => {
  const asked = cases[Number(question.model)] as BadCase;
  const told = question.messages.some(({ parts }) => parts.some(({ type }) => type === 'result'));
  // A model that heeds what it is told makes the call it meant.
  const right = {
    text: '',
    calls: [{ id: 'call_2', name: asked.tool.name, arguments: JSON.stringify(asked.expected) }],
  };
  return told ? right : asked.answer(question);
});
const upstreams = [{ url: upstream.url, formats: ['openai-chat'] as const }];
const plain = await createProxy({ upstreams }).listen();
const asking = await createProxy({ upstreams, retries: 1 }).listen();

type Way = 'direct' | 'proxy' | 'retries';
const addresses: Readonly<Record<Way, string>> = { direct: upstream.url, proxy: plain.url, retries: asking.url };

/** What a client sees that reads as its provider's own package does: `right` as it was meant, `wrong` if it would run so. */
async function seen(way: Way, one: BadCase, index: number): Promise<'right' | 'wrong' | 'none'> {
  const tools: ToolSpec[] = one.tools.map(({ name, description, inputSchema: schema }) => ({
    type: 'function',
    name,
    description,
    schema,
  }));
  const { wire } = openaiChat.writeRequest({
    model: String(index),
    stream: true,
    tools,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }],
  });
  const response = await fetch(`${addresses[way]}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(wire) });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) return 'none';
  let last: TurnEvent | undefined;
  const decoder = decodeStream(openaiChat, (event) => {
    last = event;
  });
  decoder.feed(bytes);
  decoder.end();
  if (last?.type !== 'turn.finished') return 'none';
  const calls = last.response.message.parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  const [call] = calls;
  const tool = one.tools.find(({ name }) => name === call?.name);
  const value = call && parsed(call.arguments);
  if (calls.length !== 1 || !tool || value === undefined || !valid(value, tool.inputSchema)) return 'none';
  return tool.name === one.tool.name && sameJson(value, one.expected) ? 'right' : 'wrong';
}

function parsed(given: unknown): unknown {
  try {
    return typeof given === 'string' ? JSON.parse(given) : given;
  } catch {
    return undefined;
  }
}

type Counts = Record<Way, { right: number; wrong: number }> & { trials: number };
const none = (): Counts => ({
  trials: 0,
  direct: { right: 0, wrong: 0 },
  proxy: { right: 0, wrong: 0 },
  retries: { right: 0, wrong: 0 },
});
const counts = new Map<string, Counts>();
const all = none();
for (const [index, one] of cases.entries()) {
  const group = counts.get(one.group) ?? none();
  counts.set(one.group, group);
  for (const row of [group, all]) row.trials += 1;
  for (const way of ['direct', 'proxy', 'retries'] as const) {
    const what = await seen(way, one, index);
    if (what !== 'none') for (const row of [group, all]) row[way][what] += 1;
  }
}
await Promise.all([plain.close(), asking.close(), upstream.close()]);

const last = ([one]: readonly [string, Counts]): number => (one === unsure ? 1 : 0);
const rows = [...counts].sort((one, other) => last(one) - last(other));
/** The share of calls of a group that reach the client as intended, in percent. */
interface GroupShare {
  readonly group: string;
  readonly trials: number;
  readonly direct: number;
  readonly proxy: number;
  readonly retries: number;
}
const shares = [...rows, ['total', all] as const].map(([group, row]): GroupShare => {
  const share = (way: Way): number => (100 * row[way].right) / row.trials;
  return { group, trials: row.trials, direct: share('direct'), proxy: share('proxy'), retries: share('retries') };
});
const percent = (share: number): string => `${share.toFixed(1)} %`;
const lines = [
  '| Fault | Calls | Without the proxy | Through the proxy | With `--retries 1` |',
  '| --- | ---: | ---: | ---: | ---: |',
  ...shares.map(
    ({ group, trials, direct, proxy, retries }) =>
      `| ${group} | ${trials} | ${percent(direct)} | ${percent(proxy)} | ${percent(retries)} |`,
  ),
  '',
  `Valid calls that differ from the intended one: ${all.direct.wrong} without the proxy, ${all.proxy.wrong} with the proxy, ${all.retries.wrong} with \`--retries 1\`.`,
];
console.log(lines.join('\n'));
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.replace(/(<!-- figures -->\n).*(<!-- \/figures -->)/s, `$1${lines.join('\n')}\n$2`));
const alt =
  'Share of calls that reach the client as intended, by fault: without the proxy, with it, and with one retry';
const picture = groupedBars({
  label: alt,
  title: '% of calls that reach the client as they were meant',
  series: [
    { words: 'without the proxy', colour: barColours.without },
    { words: 'through the proxy', colour: barColours.with },
    { words: 'with --retries 1', colour: barColours.option },
  ],
  rows: shares.map(({ group, direct, proxy, retries }) => ({ name: group, values: [direct, proxy, retries] })),
});
writeFileSync(chart, picture);

const judged = shares.filter(({ group }) => ![unsure, 'total'].includes(group));
const barOf = (group: string): number => (group === 'valid calls' ? bars.sound : bars.group);
const wrong = { through: all.proxy.wrong, without: all.direct.wrong };
const results = [
  ...judged.map(({ group, proxy }) => ({
    what: group,
    figure: percent(proxy),
    bar: `at least ${barOf(group)} % right`,
    met: proxy >= barOf(group),
  })),
  {
    what: 'valid calls that differ from the intended one',
    figure: String(wrong.through),
    bar: `at most ${wrong.without}, the figure without the proxy`,
    met: wrong.through <= wrong.without,
  },
];
const together = shares.at(-1) as GroupShare;
writeResult({
  name: 'proxy-mend',
  title: 'Mending in the proxy',
  command: 'npm run bench:proxy-mend',
  about:
    'A scripted upstream sends calls with the damage of our test table, writes them as text in every dialect with markers, or fails as real servers do. A result is correct if the client receives one call to the intended tool with the intended arguments. The last column uses a model that follows the feedback.',
  tables: [
    {
      head: ['damage', 'calls', 'without the proxy', 'through the proxy', 'with `--retries 1`'],
      rows: shares.map(({ group, trials, direct, proxy, retries }) => [
        group,
        String(trials),
        ...[direct, proxy, retries].map(percent),
      ]),
    },
    {
      title: 'Valid calls that differ from the intended one',
      head: ['without the proxy', 'through the proxy', 'with `--retries 1`'],
      rows: [[all.direct.wrong, all.proxy.wrong, all.retries.wrong].map(String)],
    },
  ],
  bars: results,
  charts: [{ file: 'proxy-mend.svg', alt, svg: picture.trim() }],
  losses: [
    `Of all calls, ${percent(together.proxy)} arrive as intended. The others are truncated or have two readings, and stay unchanged.`,
    ...(wrong.through > 0
      ? [
          `${wrong.through} of ${all.trials} calls are valid but differ from the intended call, without any sign of an error.`,
        ]
      : []),
  ],
  versions: {},
});

const missed = results.filter(({ met }) => !met).map(({ what, figure, bar }) => `${what}: ${figure}, ${bar}`);
console.log(missed.length === 0 ? 'Every bar is met.' : `Missed: ${missed.join('; ')}`);
if (missed.length > 0) process.exitCode = 1;
