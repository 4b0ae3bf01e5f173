/** Calls with a word alone between them may be alternatives, and a list that awaits calls is an expression. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { Toolbox } from '../../src/index.ts';
import { ranCalls, readAlike, toolWith } from './toolboxes.ts';

const text = { type: 'string' } as const;
const boxOf = (effect: 'read' | 'write' | 'destructive') =>
  new Toolbox([toolWith('send_note', { to: text }, effect), toolWith('call_person', { to: text }, effect)]);
const hermes = (to: string, name = 'send_note') =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { to } })}\n</tool_call>`;
const qwen = (to: string) =>
  `<tool_call>\n<function=send_note>\n<parameter=to>\n${to}\n</parameter>\n</function>\n</tool_call>`;

describe('calls with a word alone between them are text without a named dialect', () => {
  it.each(['or', 'OR', 'oder', 'ou', 'или', 'veya', '或者', '**or**', '— or —', '(or)'])('%s', (word) => {
    for (const one of [hermes, qwen]) {
      const answer = `${one('Ann')}\n${word}\n${one('Bob')}`;
      expect(readAlike(answer, boxOf('write'))).toMatchObject({ calls: [], text: answer });
      const three = `${one('Ann')}\n${one('Eve')}\n\n${word}\n\n${one('Bob')}`;
      expect(ranCalls(three, boxOf('write'))).toEqual([]);
      const { calls } = readCalls(answer, boxOf('write'), { prompted: true });
      expect(calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    }
  });
});

it('reads dots around the word as no sentence', () => {
  expect(ranCalls(`${hermes('Ann')}\n... or ...\n${hermes('Bob')}`, boxOf('write'))).toEqual([]);
});

describe('guard: calls with sentences between them, or nothing', () => {
  it.each(['\n', '\n\n', '\nDone.\n', '\nNow the other one.\n', '\nI also send it to Bob:\n'])('%j', (between) => {
    expect(ranCalls(`${hermes('Ann')}${between}${hermes('Bob')}`, boxOf('write'))).toHaveLength(2);
  });
  it('a word alone before the first call, or between calls that only read', () => {
    expect(ranCalls(`Sure\n${hermes('Ann')}`, boxOf('write'))).toHaveLength(1);
    expect(ranCalls(`${hermes('Ann')}\nor\n${hermes('Bob')}`, boxOf('read'))).toHaveLength(2);
  });
});

describe('a list that awaits calls is an expression', () => {
  const call = 'send_note(to="Ann")';
  it.each([`[await ${call}]`, `[await ${call}, await ${call}]`, `[${call}, await ${call}]`, `[\n  await ${call},\n]`])(
    '%s',
    (answer) => {
      for (const options of [{}, { prompted: true }, { dialect: 'pythonic' }])
        for (const effect of ['write', 'destructive'] as const)
          expect(readCalls(answer, boxOf(effect), options).calls.filter(({ status }) => status !== 'invalid')).toEqual(
            [],
          );
    },
  );
  it('guard: lists without it, and code that awaits a call', () => {
    expect(readCalls(`[${call}]`, boxOf('destructive'), { prompted: true }).calls).toMatchObject([{ status: 'ok' }]);
    expect(
      readCalls(`\`\`\`python\nsent = await ${call}\n\`\`\``, boxOf('write'), { prompted: true }).calls,
    ).toHaveLength(1);
  });
});
