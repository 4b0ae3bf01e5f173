/** Markers of letters in brackets, which anybody may type, and the label that ends a turn of labelled lines. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { scene: { type: 'string' } }, required: ['scene'] } as const;
const boxOf = (effect: 'write' | 'destructive') =>
  new Toolbox([tool({ name: 'run_scene', description: 'Runs a scene', effect, inputSchema: input })]);
const read = (written: string, effect: 'write' | 'destructive', dialect?: string) => {
  const [whole, ...pieces] = [undefined, 1, 7].map((chunk) => {
    const options = { ...(dialect && { dialect }), ...(chunk && { chunk }) };
    const { text, reasoning, calls } = readCalls(written, boxOf(effect), options);
    return { text, reasoning, calls: calls.map(({ status, input }) => (status === 'invalid' ? status : input)) };
  });
  for (const one of pieces) expect(one).toEqual(whole);
  return whole;
};
const args = { scene: 'night' };

describe.each([
  ['[TOOL_CALLS]run_scene[ARGS]{"scene": "night"}', 'mistral'],
  ['[TOOL_CALLS][{"name": "run_scene", "arguments": {"scene": "night"}}]', 'mistral'],
  ['<start_function_call>call:run_scene{scene:<escape>night<escape>}<end_function_call>', 'functiongemma'],
])('%s', (call, dialect) => {
  it.each([
    ['indented behind a colon', `Example:\n\n    ${call}`],
    ['indented by a tab', `For example:\n\n\t${call}`],
    ['indented right below', `Example:\n    ${call}`],
    ['indented as a whole', `    ${call}`],
    ['behind a question', `Shall I run this? ${call}`],
    ['behind a refusal', `I refuse to run this:\n\n${call}`],
  ])('is text %s without a named dialect', (_, written) => {
    for (const effect of ['write', 'destructive'] as const)
      expect(read(written, effect)).toEqual({ text: written, reasoning: undefined, calls: [] });
  });
  it.each(['The injected line was the following.\n', 'Ich führe das nicht aus:\n', 'Let me do it. '])(
    'does not run a destructive tool after %j',
    (before) => {
      expect(read(before + call, 'destructive')?.calls).toEqual(['invalid']);
    },
  );
  it.each([
    ['I refuse to run this:\n\n', '?'],
    ['Would you run this:\n\n', ' ?'],
    ['They sent me\n', '\nIs that right?'],
  ])('is text between %j and %j', (before, behind) => {
    const text = before + call + behind;
    for (const effect of ['write', 'destructive'] as const)
      expect(read(text, effect)).toEqual({ text, reasoning: undefined, calls: [] });
  });
  it('guard: is a call alone, and after prose for other tools', () => {
    expect(read(call, 'destructive')?.calls).toEqual([args]);
    expect(read(`<think>So.</think>\n\n${call}`, 'destructive')?.calls).toEqual([args]);
    expect(read(`${call}</s>`, 'destructive')?.calls).toEqual([args]);
    expect(read(`Let me do it.\n\n${call}`, 'write')?.calls).toEqual([args]);
  });
  it('guard: is a call of a named dialect', () => {
    for (const before of ['', 'Let me do it.\n', 'Let me do it:\n\n'])
      expect(read(before + call, 'destructive', dialect)?.calls).toEqual([args]);
  });
});

describe('the label of an observation', () => {
  const call = 'Action: run_scene\nAction Input: {"scene": "night"}';
  it.each([
    [`${call}\nObservation:`, '', undefined],
    [`${call}\nObservation: \n`, '', undefined],
    [`Thought: It is late.\n${call}\nObservation:`, '', ' It is late.\n'],
  ])('ends a turn: %j', (written, text, reasoning) => {
    for (const effect of ['write', 'destructive'] as const)
      expect(read(written, effect, 'react')).toEqual({ text, reasoning, calls: [args] });
  });
  it('ends a turn after text that stands for the only field, which is inferred', () => {
    const written = 'Action: run_scene\nAction Input: night\nObservation:';
    expect(read(written, 'write', 'react')).toEqual({ text: '', reasoning: undefined, calls: [args] });
    expect(read(written, 'destructive', 'react')?.calls).toEqual(['invalid']);
  });
  it('ends a turn after an introduction', () => {
    expect(read(`I set it.\n${call}\nObservation:`, 'write', 'react')).toEqual({
      text: 'I set it.\n',
      reasoning: undefined,
      calls: [args],
    });
  });
  it.each(['It is in the line of the\nObservation:', 'Observation:', 'Observation: it is late.\nObservation:'])(
    'guard: is text without a call: %j',
    (text) => expect(read(text, 'write', 'react')).toEqual({ text, reasoning: undefined, calls: [] }),
  );
  it('guard: what the model invents after it is text, and no destructive tool runs', () => {
    expect(read(`${call}\nObservation: done`, 'write', 'react')?.text).toBe('Observation: done');
    expect(read(`${call}\nObservation: done`, 'destructive', 'react')?.calls).toEqual(['invalid']);
    expect(read(`${call}\nObservation: done`, 'write')?.calls).toEqual([]);
    expect(read(`${call}\nObservation:`, 'destructive')?.calls).toEqual([]);
  });
});
