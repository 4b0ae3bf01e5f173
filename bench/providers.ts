/**
 * `npm run bench:providers`: compares the cost of decoding a stream of each provider with splitting it into events and parsing
 * them, and with the AI SDK's provider on the same bytes. Prints a table, and writes its result for the report. Exits with 1 if a bar
 * is missed.
 */

import { createParser } from 'eventsource-parser';
import * as entry from '../src/provider/index.ts';
import { decodeStream } from '../src/provider/wire/decode-stream.ts';
import type { Provider } from '../src/provider/wire/types.ts';
import { writeResult } from './bench-result.ts';
import { fromLines } from './from-lines.ts';
import { sample as least, median, processorTime, spent } from './measure.ts';
import { type Peer, peers } from './provider-peers.ts';
import { answers, streamBytes } from './provider-streams.ts';
import { passes, type Result, tableOf } from './result.ts';
import { versionsOf } from './versions-of.ts';

const bar = 1.5;
const rounds = 11;
/** The AI SDK is slower, so it takes fewer turns. */
const peerRounds = 7;

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'readStream' in value;
const providers = Object.values(entry).filter(isProvider);

/** Splitting into events and parsing each: the minimum work. */
function parseAlone({ framing }: Provider, chunks: readonly Uint8Array[]): number {
  const utf8 = new TextDecoder();
  let seen = 0;
  const parse = (data: string): void => {
    if (data === '' || data === '[DONE]') return;
    JSON.parse(data);
    seen += 1;
  };
  const parser = createParser({ onEvent: ({ data }) => parse(data) });
  let held = '';
  for (const chunk of chunks) {
    const text = utf8.decode(chunk, { stream: true });
    if (framing === 'sse') parser.feed(text);
    else {
      const lines = (held + text).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) parse(line);
    }
  }
  return seen;
}

function decode(provider: Provider, chunks: readonly Uint8Array[]): string | undefined {
  let last: string | undefined;
  const decoder = decodeStream(provider, ({ type }) => {
    last = type;
  });
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.end();
  if (last !== 'turn.finished') throw new Error(`${provider.format}: the stream ended with ${last}`);
  return last;
}

const timeOf = async (run: () => unknown): Promise<number> => {
  const start = spent();
  await run();
  return (spent() - start) * 1000;
};

async function compare(
  provider: Provider,
  name: string,
  chunks: readonly Uint8Array[],
  peer: Peer | undefined,
): Promise<Result[]> {
  const times = { alone: [] as number[], ours: [] as number[], peer: [] as number[] };
  // A stream of one frame takes microseconds, and the processor's clock goes in steps: a sample is as many runs as it needs.
  const once = processorTime(() => parseAlone(provider, chunks)) * 1000;
  const often = Math.max(1, Math.min(10_000, Math.round((least * 1000) / once)));
  const sample = (run: () => unknown) => async (): Promise<number> =>
    (await timeOf(() => {
      for (let one = 0; one < often; one += 1) run();
    })) / often;
  const alone = sample(() => parseAlone(provider, chunks));
  const ours = sample(() => decode(provider, chunks));
  for (let round = -2; round < rounds; round += 1) {
    const pair = round % 2 === 0 ? [await alone(), await ours()] : [await ours(), await alone()].reverse();
    const theirs = peer && round < peerRounds ? await timeOf(() => peer(chunks)) : undefined;
    if (round < 0) continue;
    times.alone.push(pair[0] ?? 0);
    times.ours.push(pair[1] ?? 0);
    if (theirs !== undefined) times.peer.push(theirs);
  }
  const [mine, base] = [median(times.ours), median(times.alone)];
  // Both of a round meet the same load, so that their ratio is steadier than either.
  const ratio = median(times.ours.map((time, round) => time / (times.alone[round] ?? time)));
  const group = provider.format;
  const results: Result[] = [
    {
      group,
      name,
      ours: mine,
      peer: base,
      peerName: 'parsing alone',
      figure: ratio,
      unit: 'x slower',
      bar: { most: bar },
    },
  ];
  if (peer)
    results.push({
      group,
      name: `${name}, compared with the AI SDK`,
      ours: mine,
      peer: median(times.peer),
      peerName: 'AI SDK',
      figure: median(times.peer) / mine,
      unit: 'x faster',
    });
  return results;
}

const results: Result[] = [];
for (const provider of providers)
  for (const [name, answer] of Object.entries(answers))
    results.push(...(await compare(provider, name, streamBytes(provider, answer), peers[provider.format])));
console.log(tableOf(results));

writeResult({
  name: 'providers',
  title: 'Decoding streams',
  command: 'npm run bench:providers',
  about:
    'Long streams in each API format are decoded into calls. The baseline only splits the bytes into events and parses each one. The AI SDK reads the same bytes with its own provider, for the formats it supports. Figures are medians of CPU time over alternating rounds.',
  ...fromLines(results),
  // Parsing alone is the minimum for all, not a peer.
  losses: fromLines(results.filter(({ peerName }) => peerName === 'AI SDK')).losses,
  charts: [],
  versions: versionsOf('ai', '@ai-sdk/openai', '@ai-sdk/anthropic', 'eventsource-parser'),
});
const missed = results.filter((result) => !passes(result));
console.log(
  missed.length === 0
    ? '\nEvery bar is met.'
    : `\nMissed: ${missed.map(({ group, name }) => `${group}, ${name}`).join('; ')}`,
);
if (missed.length > 0) process.exitCode = 1;
