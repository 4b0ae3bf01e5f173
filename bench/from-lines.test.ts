import { expect, it } from 'vitest';
import { fromLines } from './from-lines.ts';
import type { Result } from './result.ts';

const slower: Result = {
  group: 'good call',
  name: '200 B',
  ours: 4,
  peer: 2,
  peerName: 'JSON.parse + ajv',
  figure: 2,
  unit: 'x slower',
  bar: { most: 1.5 },
};
const faster: Result = { group: 'stream', name: '64 KB', ours: 1, peer: 400, figure: 400, unit: 'x faster' };

it('a line with a bar becomes one, met or not', () => {
  expect(fromLines([slower, faster]).bars).toEqual([
    { what: 'good call: 200 B', figure: '2.00 x slower', bar: '≤ 1.5 x slower', met: false },
  ]);
});

it('where the peer is quicker it is said, whether there is a bar or not', () => {
  const behind: Result = { ...faster, figure: 0.5, ours: 800 };
  expect(fromLines([slower, faster, behind]).losses).toEqual([
    'good call: 200 B: JSON.parse + ajv takes 2.00 µs, Toolmend takes 4.00 µs.',
    'stream: 64 KB: the peer takes 400.00 µs, Toolmend takes 800.00 µs.',
  ]);
});
