/** Text for the only parameter of a tool is its value, unless it writes arguments or a call in some notation. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from './toolboxes.ts';

const string = { type: 'string' };
const toolbox = new Toolbox([
  toolWith('delete_file', { path: string }, 'destructive', { closed: true }),
  toolWith('run_command', { command: string }, 'write', { closed: true }),
]);

const inputs = (text: string, dialect: string): unknown[] =>
  [undefined, 1, 7].flatMap((chunk) =>
    readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) }).calls.flatMap(({ status, input }) =>
      status === 'invalid' ? [] : [input],
    ),
  );
const thrice = (input: unknown): unknown[] => [input, input, input];
const xml = (given: string): string => `<tool>delete_file</tool><tool_input>${given}</tool_input>`;
const react = (given: string): string => `Thought: x\nAction: run_command\nAction Input: ${given}`;

describe('text that is no value by itself', () => {
  it.each([
    '/tmp/x\n<tool>delete_file</tool><tool_input>/tmp/y',
    '<path>/tmp/x</path>',
    'delete_file(path="/tmp/x")',
    '```json\n{"path": "/tmp/x"}\n```',
    'json\n{"path": "/tmp/x"}',
    'Input: {"path": "/tmp/x"}',
    `'{"path": "/tmp/x"}'`,
    '<tool_input>X',
    '`/tmp/x`',
    'None',
    'null',
    '/tmp/x</s>',
    '/tmp/x<|im_end|>',
  ])('langchain-xml: %j', (given) => expect(inputs(xml(given), 'langchain-xml')).toEqual([]));
  it.each([
    `'{"command": "ls"}'`,
    'run_command(command="ls")',
    '<command>ls</command>',
    'JSON: {"command":"ls"}',
    ': {"command": "/tmp/x"}',
    'ls<|im_end|>',
    'ls</s>',
  ])('react: %j', (given) => expect(inputs(react(given), 'react')).toEqual([]));
});

describe('guard: text that is the value', () => {
  it.each(['/tmp/x', 'a b.txt', 'C:\\temp\\x', 'notes (old).md', '/tmp/<x>', 'path', 'none.txt', '[draft].md'])(
    'langchain-xml: %j',
    (path) => expect(inputs(xml(path), 'langchain-xml')).toEqual(thrice({ path })),
  );
  it.each([
    'ls -la | grep "a"',
    `curl -d '{"a": 1}' http://localhost`,
    `curl -d '{"command": "ls"}' http://localhost`,
    'echo `date`',
    'sort < a.txt > b.txt',
    'find . -name "*.ts" -exec wc {} \\;',
    'echo "<b>x</b>"',
    'test -f a && run_command(b)',
    'echo $HOME [a]',
  ])('react: %j', (command) => expect(inputs(react(command), 'react')).toEqual(thrice({ command })));
  it('an object is the arguments', () => {
    expect(inputs(react('{"command": "ls"}'), 'react')).toEqual(thrice({ command: 'ls' }));
    expect(inputs(xml('{"path": "/tmp/x"}'), 'langchain-xml')).toEqual(thrice({ path: '/tmp/x' }));
  });
});
