/** Answers that make no call run nothing, and reach the user as the model wrote them. */
import { expect, it } from 'vitest';
import { ordinaryAnswers } from '../../bench/accuracy/ordinary/ordinary-answers.ts';
import { readByToolmend } from '../../bench/accuracy/ordinary/text-readers.ts';

it('guard: has at least 300 ordinary responses with unique names', () => {
  expect(ordinaryAnswers.length).toBeGreaterThanOrEqual(300);
  expect(new Set(ordinaryAnswers.map(({ id }) => id)).size).toBe(ordinaryAnswers.length);
});

/** What an answer leaves: its own text, to the character, without reasoning that closes at its start. */
const shown = (text: string): string => text.replace(/^<think>[\s\S]*?<\/think>\s*/, '');

for (const chunk of [undefined, 1, 7])
  it(`${chunk ? `in chunks of ${chunk}` : 'complete'}: runs none of them and changes none`, () => {
    const faults = ordinaryAnswers.flatMap((answer) => {
      const { text, calls } = readByToolmend(answer, chunk);
      const ran = calls.filter(({ status }) => status !== 'invalid').map(({ name }) => name);
      if (ran.length > 0) return [`${answer.id} ran ${ran.join(', ')}`];
      if (calls.length > 0) return [`${answer.id} was taken for a call and refused`];
      return text === shown(answer.text) ? [] : [`${answer.id} was changed: ${JSON.stringify(text)}`];
    });
    expect(faults).toEqual([]);
  });
