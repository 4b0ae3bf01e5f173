import { expect, it } from 'vitest';
import { spent } from '../measure.ts';
import { type Contestant, newest } from './contestant.ts';
import { toolmend } from './contestants.ts';
import { growth } from './growth.ts';

it('the newest leaf is the last of the last', () => {
  expect(newest({ a: 1, b: [{ c: 'x' }, { d: [1, 2] }] })).toBe(2);
  expect(newest({ a: [] })).toEqual([]);
  expect(newest('x')).toBe('x');
});

it('reads a call as it arrives, and what is not quite JSON', async () => {
  expect(await toolmend.read('{"a": [1, 2,], \'b\': True,}')).toEqual({ a: [1, 2], b: true });
});

it('who does not read a text, or would take too long over the next, is not asked for it', async () => {
  const texts = [8, 64, 512].map((size) => ({ size, text: JSON.stringify({ text: 'x'.repeat(size) }) }));
  const wrong: Contestant = { name: 'wrong', how: '', way: 'keeps', read: () => ({}) };
  const slow: Contestant = {
    name: 'slow',
    how: '',
    way: 'again',
    read: (text) => {
      for (const end = spent() + 5; spent() < end; );
      return JSON.parse(text);
    },
  };
  const grown = await growth([toolmend, wrong, slow], texts, 100, () => undefined);
  expect(grown.map(({ contestant, times }) => [contestant.name, [...times.keys()]])).toEqual([
    ['Toolmend', [8, 64, 512]],
    ['wrong', []],
    ['slow', [8]],
  ]);
});
