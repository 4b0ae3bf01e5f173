import { expect, it } from 'vitest';
import { judged, type Times } from './dialect-speed.ts';

const [short, long] = [64 * 1024, 1024 * 1024];
const chunks = [Number.POSITIVE_INFINITY, 64, 7, 3, 1];

/** Times of a reader, in nanoseconds: for each character, for each piece, and for each piece and character before it. */
const timesOf = (char: number, piece: number, before = 0): Times => {
  const time = (length: number, chunk: number): number => {
    const pieces = Math.ceil(length / Math.min(chunk, length));
    return (length * char + pieces * piece + (pieces * length * before) / 2) / 1e6;
  };
  return chunks.map((chunk) => ({ short: time(short, chunk), long: time(long, chunk) }));
};
/** Passing on a piece takes 30 ns. */
const missed = (times: Times, text = 'prose'): readonly string[] =>
  judged('auto', text, times, [short, long], (long * 30) / 1e6).missed;

it('accepts a fast reader with a step for each piece', () => {
  expect(missed(timesOf(5, 30 + 60))).toEqual([]);
  expect(missed(timesOf(40, 30 + 200))).toEqual([]);
});

it.each([
  ['reads the last 512 characters again for each piece', timesOf(5, 30 + 5 * 512), ['pieces']],
  ['reads the last 512 characters again, and is slow', timesOf(40, 30 + 40 * 512), ['pieces']],
  ['reads everything again for each piece', timesOf(5, 30, 5), ['growth', 'pieces']],
  ['takes 60 ns for each character of plain text', timesOf(60, 30), ['speed']],
])('misses a bar if a reader %s', (_, times, bars) => expect(missed(times)).toEqual(bars));
