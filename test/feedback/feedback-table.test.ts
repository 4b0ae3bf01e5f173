import { describe, expect, it } from 'vitest';
import { feedback } from '../../src/mend/feedback/feedback.ts';
import { mend } from '../../src/mend/mend.ts';
import { refused, toolbox } from './refused-calls.ts';

const told = ([name, args, finishReason]: (typeof refused)[number]['call']) => {
  const outcome = mend({ name, arguments: args, ...(finishReason ? { finishReason } : {}) }, toolbox);
  if (outcome.status !== 'invalid') throw new Error(`it ran with ${JSON.stringify(outcome.input)}`);
  return [1, 2, 3].map((tries) => feedback(outcome, { attempt: tries }).text);
};

describe('S1.5 what a model reads of a refused call, at each try', () => {
  it.each(refused.map((row) => [`${row.guard ? 'guard: ' : ''}${JSON.stringify(row.call)}`, row] as const))(
    '%s',
    (_, { call, first, second, third }) => {
      const [last, ...rest] = [...first].reverse();
      const before = rest.reverse();
      const texts = [first, [...before, ...second, last], [...before, ...second, ...third, last]];
      expect(told(call)).toEqual(texts.map((paragraphs) => paragraphs.join('\n\n')));
    },
  );

  it('blames the token limit only where the finish reason does', () => {
    for (const { call } of refused) expect(told(call)[0]?.includes('token limit')).toBe(call[2] === 'length');
  });

  it('guard: lists no fault twice', () => {
    for (const { call } of refused) {
      const lines = told(call)[0]?.match(/^\d+\. .*$/gm) ?? [];
      expect(new Set(lines.map((line) => line.replace(/^\d+\. /, ''))).size).toBe(lines.length);
    }
  });
});
