import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../test/cpu-of.ts';
import { isLong, runs, sampleOf } from '../../../test/sample.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';
import { readPrompted } from './index.ts';

const properties = { a: { type: 'string' }, b: { type: 'integer' } };
const toolbox = new Toolbox(
  ['alpha', 'beta.two'].map((name) =>
    tool({ name, description: '', inputSchema: { type: 'object', properties, required: ['a'] } }),
  ),
  { validate: false },
);
// biome-ignore format: a table of scraps
const scraps = [
  'alpha', 'beta.two', 'alpha(', "alpha(a='x')", 'alpha(a)', '(', ')', '[', ']', '{', '}', "'", '"', '```', '```python\n', ',', ':', '=', ' ', '\n', '\\_',
  'a = ', 'a', '"name": ', '"alpha"', '"arguments": ', 'print(', '**a', '# ', '<tool_call>', 'So we call ', '1', 'no_function', '\ud83d',
];
const text = fc.array(fc.constantFrom(...scraps), { maxLength: 60 }).map((parts) => parts.join(''));

/** A text, and one sixteen times as long. */
const sizes = isLong ? [65_536, 1_048_576] : [16_384, 262_144];

describe('any response', () => {
  it('is read without an exception, into calls that JSON can express', () => {
    fc.assert(
      fc.property(text, (answer) => {
        const { calls, text: left, dialect } = readPrompted(answer, toolbox);
        expect(calls.every(({ name }) => name.trim() !== '')).toBe(true);
        expect(() => JSON.stringify(calls)).not.toThrow();
        if (dialect === 'content-only') expect([calls, left]).toEqual([[], answer]);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('has the same calls in a fence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: fc.string(), b: fc.integer() }), { minLength: 1, maxLength: 4 }),
        (inputs) => {
          const list = JSON.stringify(inputs.map((given) => ({ name: 'alpha', arguments: given })));
          const want = inputs.map((given) => given);
          for (const answer of [
            list,
            `\`\`\`json\n${list}\n\`\`\``,
            `{"tool_calls": ${list}}`,
            `<tool_call>${list}</tool_call>`,
          ]) {
            expect(readPrompted(answer, toolbox).calls.map((call) => call.arguments)).toEqual(want);
          }
        },
      ),
    );
  });

  it('has the value of its arithmetic, or is refused, wherever it is written', () => {
    const { sum } = fc.letrec<{ sum: { text: string; value: number } }>((tie) => ({
      sum: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.nat(20).map((value) => ({ text: String(value), value })),
        tie('sum').map(({ text, value }) => ({ text: `(${text})`, value })),
        tie('sum').map(({ text, value }) => ({ text: `-(${text})`, value: -value })),
        fc
          .tuple(tie('sum'), tie('sum'))
          .map(([a, b]) => ({ text: `(${a.text}) * (${b.text})`, value: a.value * b.value })),
        fc
          .tuple(tie('sum'), tie('sum'))
          .map(([a, b]) => ({ text: `${a.text} + (${b.text})`, value: a.value + b.value })),
        fc.tuple(tie('sum'), fc.nat(9)).map(([a, b]) => ({ text: `(${a.text})-${b}`, value: a.value - b })),
      ),
    }));
    fc.assert(
      fc.property(sum, ({ text, value }) => {
        for (const answer of [
          `[alpha(a='x', b=${text})]`,
          `[alpha({'a': 'x', 'b': ${text}})]`,
          `[{'name': 'alpha', 'arguments': {'a': 'x', 'b': ${text}}}]`,
          `[{'alpha': {'a': 'x', 'b': ${text}}}]`,
          `[('alpha', {'a': 'x', 'b': ${text}})]`,
          `[{"name": "alpha", "arguments": {"a": "x", "b": ${text}}}]`,
          `<tool_call>{'name': 'alpha', 'arguments': {'a': 'x', 'b': ${text}}}</tool_call>`,
        ]) {
          const [call] = readCalls(answer, toolbox, { dialect: 'auto', prompted: true }).calls;
          if (call?.status === 'invalid') continue;
          // JSON has no negative zero.
          const input = JSON.parse(JSON.stringify(call?.input));
          expect([answer, input]).toEqual([answer, { a: 'x', b: value || 0 }]);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  const repeated = [
    ...scraps,
    '[[{',
    'alpha {',
    "alpha(a='x') ",
    'w(x) ',
    'x = [\n',
    'a = 1\nalpha(a)\n',
    '[]',
    '{"a":1}',
    "[alpha(a='",
  ];
  const unclosed = 'Here:\n```json\n{"a": "b"\n```\n';
  it.each([...sampleOf(repeated, 3), unclosed])('takes time in proportion to its length: %j', (scrap) => {
    const [small, large] = sizes.map((length) => scrap.repeat(length / scrap.length));
    // 16 times the text; the rest is room for a busy machine and its garbage collector.
    const { ratio } = growthOf(
      () => readPrompted(small as string, toolbox),
      () => readPrompted(large as string, toolbox),
      { bar: 100, floor: 4 },
    );
    expect(ratio).toBeLessThan(100);
  });
});
