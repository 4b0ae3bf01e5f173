import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** A comment beside a call may say that it isn't to be made, so a response with one is more than calls. */

const toolboxOf = (effect: Effect) =>
  new Toolbox([
    tool({
      name: 'delete_playlist',
      description: 'Deletes a playlist',
      effect,
      inputSchema: {
        type: 'object',
        properties: { playlist: { type: 'string' }, with: { type: 'object' } },
        required: ['playlist'],
        additionalProperties: false,
      },
    }),
  ]);

/** Each call that runs, with the certainty of its comment. */
function run(text: string, effect: Effect, dialect?: string): readonly unknown[] {
  const options = dialect ? { dialect } : { prompted: true };
  const toolbox = toolboxOf(effect);
  const { calls, text: left } = readCalls(text, toolbox, options);
  for (const chunk of [1, 7]) expect(readCalls(text, toolbox, { ...options, chunk }).calls).toEqual(calls);
  if (calls.length === 0) expect(left).toBe(text);
  return calls.flatMap(({ status, repairs }) =>
    status === 'invalid' ? [] : [repairs.find(({ kind }) => kind === 'comment')?.certainty],
  );
}

const call = 'delete_playlist(playlist="Focus")';
const json = '{"name": "delete_playlist", "arguments": {"playlist": "Focus"}}';
const other = json.replace('Focus', 'Rock');

describe('a comment beside calls that says more than they do', () => {
  it.each([
    `[\n  # do not run\n  ${call},\n]`,
    `[${call}  # only after the backup\n]`,
    `[\n# Step 1, once Ann agrees:\n${call},\n${call.replace('Focus', 'Rock')}\n]`,
    `[\n${call},\n# do not run the next\n${call.replace('Focus', 'Rock')},\n]`,
    `[${json} // only after the backup\n]`,
    `[${json}, // ask first\n]`,
    `\`\`\`json\n[\n${json}, // ask first\n${other} // ask first\n]\n\`\`\``,
    `<answer>[${json}, // ask first\n]</answer>`,
    `{\n  // ask first\n  "name": "delete_playlist",\n  "arguments": {"playlist": "Focus"}\n}`,
    `{"name": "delete_playlist", // ask first\n "arguments": {"playlist": "Focus"}}`,
    `{"tool_calls": [\n// ask first\n${json}]}`,
    `<|tool_call_start|>[\n# ask first\n${call}]<|tool_call_end|>`,
    `<tool_calls>[${json} // ask first\n]</tool_calls>`,
    `<TOOLCALL>[${json} // ask first\n]</TOOLCALL>`,
    `<TOOLCALL>[\n# ask first\n${call}]</TOOLCALL>`,
    `[\n# if the user agrees\n${call}\n]`,
    `[\n# später\n${call}\n]`,
  ])('leaves it: %s', (text) => {
    for (const effect of ['write', 'destructive'] as const) expect(run(text, effect)).toEqual([]);
  });
});

describe('a comment beside calls that says what they do', () => {
  it.each([`[\n  # delete the playlist\n  ${call},\n]`, `[\n  // Delete the playlist\n  ${json}\n]`])('%s', (text) => {
    expect(run(text, 'read')).toEqual(['inferred']);
    expect(run(text, 'write')).toEqual(['inferred']);
    expect(run(text, 'destructive')).toEqual([]);
  });

  it.each([
    `[${call}]`,
    `[${json}]`,
    `[delete_playlist(playlist="# do not run")]`,
    `[${json.replace('Focus', '// ask first')}]`,
    `{"name": "delete_playlist", "arguments": {\n  // the one of last week\n  "playlist": "Focus"}}`,
  ])('guard: runs %s', (text) => {
    expect(run(text, 'destructive')).toHaveLength(1);
  });
});

describe('a comment behind the bracket of a call', () => {
  it.each(['prompted', 'hermes'])('and of a call between markers: %s', (way) => {
    const text = `<tool_call>\n{\n// ask first\n"name": "delete_playlist", "arguments": {"playlist": "Focus"}}\n</tool_call>`;
    const dialect = way === 'prompted' ? undefined : way;
    expect(run(text, 'write', dialect)).toEqual(['inferred']);
    expect(run(text, 'destructive', dialect)).toEqual([]);
  });

  const todo = 'delete_playlist(  # TODO: confirm with Ann before running\n    playlist="Focus",\n)';
  it.each([
    [todo, undefined],
    [`[${todo}]`, undefined],
    [`[${todo}]`, 'pythonic'],
    [`<|tool_call_start|>[${todo}]<|tool_call_end|>`, 'lfm2'],
    [`<|python_start|>[${todo}]<|python_end|>`, 'llama4-pythonic'],
    [`<|python_start|>[${todo}]<|python_end|>`, 'auto'],
    [`<function_calls>\n${todo}\n</function_calls>`, 'olmo3'],
    [`[delete_playlist(with={  # draft\n "a": 1}, playlist="Focus")]`, 'pythonic'],
  ])('is inferred: %s (%s)', (text, dialect) => {
    expect(run(text, 'write', dialect)).toEqual(['inferred']);
    expect(run(text, 'destructive', dialect)).toEqual([]);
  });

  it.each([
    `[delete_playlist(\n  # the one of last week\n  playlist="Focus")]`,
    `[delete_playlist(playlist="( # draft\\n")]`,
    '[delete_playlist(\n  playlist="Focus",\n)]',
  ])('guard: is lossless on its own line, in a text, or nowhere: %s', (text) => {
    expect(run(text, 'destructive', 'pythonic')).toEqual([undefined]);
  });
});
