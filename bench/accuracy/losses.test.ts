import { describe, expect, it } from 'vitest';
import { count, silentlyWrong } from './count.ts';
import { examplesTable } from './examples.ts';
import type { Judged } from './judged.ts';
import { lossesOf } from './losses.ts';
import type { Case } from './sample.ts';
import type { Readings, Verdict } from './verdict.ts';

const tool = { name: 'read', description: '', inputSchema: {} };
const caseOf = (family: string, kind: string, readings: Readings): Case => ({
  family,
  kind,
  tools: [tool],
  tool,
  call: { name: 'read', arguments: `{"a": ${kind.length}` },
  meant: { name: 'read', input: { a: 1 }, readings },
});
const cases = [
  caseOf('keys', 'a key', 'one'),
  caseOf('keys', 'another key', 'either'),
  caseOf('cut off', 'a cut', 'none'),
  caseOf('cut off', 'a brace', 'one'),
];
const judged = (name: string, ...verdicts: readonly (Verdict | undefined)[]): Judged => ({
  contestant: { name, how: '', packages: [], answer: () => [] },
  results: verdicts.map((verdict) => verdict && { verdict, ran: [{ name: 'read', input: { a: 2 } }] }),
  leftOut: {},
});
const ours = judged('ours', 'refused', 'refused', 'refused', 'recovered');
const peer = judged('a peer', 'recovered', 'recovered', 'lucky', 'wrong');
const partial = judged('another', undefined, undefined, 'wrong', 'recovered');

describe('the count', () => {
  it('leaves out what was not put to a contestant, and counts luck as wrong', () => {
    expect(count(partial, cases).of).toEqual({ one: 1, none: 1, either: 0 });
    expect(silentlyWrong(count(peer, cases))).toBe(2);
    expect(silentlyWrong(count(peer, cases, ({ family }) => family === 'keys'))).toBe(0);
  });
});

describe('losses', () => {
  it('name every family in which a peer recovers more, and every kind that it recovered and we refused', () => {
    expect(lossesOf(ours, [peer, partial], cases)).toEqual({
      families: ['keys: a peer recovers 100.0 % of its calls, ours 0.0 %'],
      kinds: ['a key: 1 of 1 calls, by a peer', 'another key: 1 of 1 calls, by a peer'],
    });
  });
  it('are among the examples', () => {
    const { rows } = examplesTable([ours, peer, partial], ours, cases);
    expect(rows.map(([kind]) => kind)).toEqual(['a cut', 'a key', 'another key']);
    expect(rows[0]).toEqual(['a cut', 'read `{"a": 5`', 'unclear', '–', '`{"a":2}` by a peer, another']);
  });
});
