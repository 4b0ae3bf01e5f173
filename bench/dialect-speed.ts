/**
 * Measures the cost of reading every dialect in chunks of every size: whether it grows only with the text, the cost of single
 * characters, and the speed of plain text. `node bench/dialect-speed.ts hermes auto` measures only the named dialects.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dialects } from '../src/dialect/dialects/index.ts';
import { TextBuilder } from '../src/dialect/placement/place.ts';
import { readCalls } from '../src/dialect/read-calls.ts';
import type { Dialect } from '../src/dialect/types.ts';
import { type Make, plainTexts, texts, toolbox } from '../test/dialects/speed-texts.ts';
import { median, processorTime } from './measure.ts';

/** Limits: the maximum growth and cost in pieces, and the minimum speed of plain text. */
export const speedBars = { growth: 20, pieces: 10, speed: 20 };
const chunks = [Number.POSITIVE_INFINITY, 64, 7, 3, 1];
const [small, large] = [64 * 1024, 1024 * 1024];

/** One dialect and one kind of text. */
export interface Line {
  readonly dialect: string;
  readonly text: string;
  /** In one piece, in megabytes of characters per second. */
  readonly speed: number;
  /** Of all sizes of pieces the largest ratio of a large text's time to a small one's, for sixteen times the text. */
  readonly growth: number;
  /** The reader's time in pieces (`ownRatio`), by the size of the pieces. */
  readonly pieces: readonly number[];
  /** Nanoseconds per character, one at a time. */
  readonly single: number;
  /** The same for a reader that only passes its input on. */
  readonly handed: number;
  readonly missed: readonly string[];
}

const timeOf = (text: string, dialect: string, chunk: number): number =>
  processorTime(() => readCalls(text, toolbox, { dialect, chunk: Math.min(chunk, text.length) }));

/** A reader that only passes its pieces on as text. */
function hand(text: string): void {
  const gathered = new TextBuilder();
  for (let at = 0; at < text.length; at += 1)
    for (const event of handOn(text.slice(at, at + 1))) gathered.add(event.text);
  kept = gathered.text.length;
}

const handOn = (text: string): readonly { readonly type: 'text'; readonly text: string }[] => [{ type: 'text', text }];
/** Never read. Without it, the engine could optimize the work away. */
export let kept = 0;

function lineOf(dialect: string, row: Dialect | undefined, kind: string, make: Make): Line | undefined {
  const [short, long] = [make(row, small), make(row, large)];
  if (!short || !long) return undefined;
  const samples = chunks.map(() => ({ short: [] as number[], long: [] as number[] }));
  const handed: number[] = [];
  const round = (): Line => {
    for (const [at, chunk] of chunks.entries()) {
      samples[at]?.short.push(timeOf(short, dialect, chunk));
      samples[at]?.long.push(timeOf(long, dialect, chunk));
    }
    handed.push(processorTime(() => hand(long)));
    const each = samples.map((one) => ({ short: median(one.short), long: median(one.long) }));
    return judged(dialect, kind, each, [short.length, long.length], median(handed));
  };
  const first = round();
  if (first.missed.length === 0) return first;
  // A busy machine sometimes misses a bar, so such lines are measured again, and the medians count.
  for (let more = 0; more < 3; more += 1) round();
  return round();
}

/**
 * The time in pieces without what passing pieces on costs any reader, relative to one piece or to passing on, whichever takes
 * longer: a step for each piece costs about as much as passing it on, however fast the whole is read. Reading buffered text
 * again for each piece costs many times as much.
 */
export const ownRatio = (time: number, whole: number, handing: number): number =>
  Math.max(0, time - handing) / Math.max(whole, handing);

export type Times = readonly { readonly short: number; readonly long: number }[];

/** Compares measured times with the bars. The first is the whole text, then each size of pieces down to single characters. */
export function judged(
  dialect: string,
  text: string,
  times: Times,
  [short, long]: readonly [number, number],
  handed: number,
): Line {
  const whole = times[0]?.long as number;
  const speed = long / 1000 / whole;
  const growth = Math.max(...times.map((one) => ((one.long / one.short) * (short * 16)) / long));
  const pieces = times.slice(1).map((one, at) => ownRatio(one.long, whole, handed / (chunks[at + 1] as number)));
  const missed = [
    ...(growth > speedBars.growth ? ['growth'] : []),
    ...(pieces.some((one) => one > speedBars.pieces) ? ['pieces'] : []),
    ...(plainTexts.includes(text) && speed < speedBars.speed ? ['speed'] : []),
  ];
  const [single, bare] = [times.at(-1)?.long ?? 0, handed].map((time) => (time * 1e6) / long) as [number, number];
  return { dialect, text, speed, growth, pieces, single, handed: bare, missed };
}

const shown = (lines: readonly Line[]): string => {
  const head = [
    'dialect',
    'text',
    'MB/s',
    'growth',
    ...chunks.slice(1).map((chunk) => `by ${chunk}`),
    'ns/char',
    'handed',
    '',
  ];
  const rows = lines.map(({ dialect, text, speed, growth, pieces, single, handed, missed }) => [
    dialect,
    text,
    speed.toFixed(1),
    growth.toFixed(1),
    ...pieces.map((one) => one.toFixed(1)),
    single.toFixed(0),
    handed.toFixed(0),
    missed.length ? `MISSED ${missed.join(', ')}` : '',
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
};

/** Of each kind of text the line of `auto`, the dearest of the dialects, and whatever missed a bar. */
function worst(lines: readonly Line[]): Line[] {
  const dearest = Object.keys(texts).flatMap((text) => {
    const [first] = lines
      .filter((line) => line.text === text && line.dialect !== 'auto')
      .sort((a, b) => b.single - a.single);
    return first ? [first] : [];
  });
  return lines.filter((line) => line.dialect === 'auto' || line.missed.length > 0 || dearest.includes(line));
}

/** Measures the dialects of these names, or all. */
export function dialectSpeed(names: readonly string[] = []): Line[] {
  const all = [{ name: 'auto', row: undefined }, ...dialects.map((row) => ({ name: row.name, row }))];
  const lines: Line[] = [];
  const out = new URL('../.bench/dialects/', import.meta.url);
  mkdirSync(out, { recursive: true });
  for (const { name, row } of all) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const [kind, make] of Object.entries(texts)) {
      const line = lineOf(name, row, kind, make);
      if (line) lines.push(line);
      if (process.stderr.isTTY) process.stderr.write(`\r${name} ${kind}`.padEnd(50));
    }
    writeFileSync(new URL('speed.txt', out), `${shown(lines)}\n`);
  }
  console.log(shown(names.length > 0 ? lines : worst(lines)));
  const missed = lines.filter((line) => line.missed.length > 0);
  console.log(
    `speed: ${lines.length} lines, ${missed.length} with a bar missed; all of them are in .bench/dialects/speed.txt`,
  );
  return lines;
}

if (import.meta.main && dialectSpeed(process.argv.slice(2)).some(({ missed }) => missed.length > 0))
  process.exitCode = 1;
