/** Forms that models invent: any words may mark the call, but its names must be those of a tool and its fields. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const boxOf = (effect: 'read' | 'destructive'): Toolbox =>
  new Toolbox([
    tool({
      name: 'exec',
      description: 'Runs a command',
      effect,
      inputSchema: {
        type: 'object',
        properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
        required: ['command'],
        additionalProperties: false,
      },
    }),
    tool({
      name: 'read_file',
      description: 'Reads a file',
      effect,
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    }),
  ]);
const toolbox = boxOf('read');

const read = (text: string, tools: Toolbox = toolbox) => {
  const whole = readCalls(text, tools);
  for (const chunk of [1, 5]) expect(readCalls(text, tools, { chunk })).toEqual(whole);
  return whole;
};

const command = { command: 'ls -la' };
const calls: readonly (readonly [text: string, input: unknown])[] = [
  ['[tool: exec] {"command": "ls -la"}', command],
  ['[exec]\n{"command": "ls -la"}', command],
  ['[Calling tool: exec]\n<command>ls -la</command>\n<timeout>5</timeout>', { ...command, timeout: 5 }],
  ['[Calling tool: exec]\n<parameter name="command">ls -la</parameter>', command],
  ['[Calling tool: exec]\n<parameter=command>\nls -la\n</parameter>', command],
  ['<function><name>read_file</name><path>a.txt</path></function>', { path: 'a.txt' }],
  ['<function>\n  <name>read_file</name>\n  <path>\n    a.txt\n  </path>\n</function>', { path: '    a.txt' }],
  [
    '<tool_calls><tool_call><tool_name>exec</tool_name><arguments>{"command": "ls -la"}</arguments></tool_call></tool_calls>',
    command,
  ],
  ['<tool_call><tool_name>exec</tool_name><parameters><command>ls -la</command></parameters></tool_call>', command],
  ['<tool name="exec"><command>ls -la</command></tool>', command],
  ['<tool_use><tool>exec</tool><input>{"command": "ls -la"}</input></tool_use>', command],
  ['<functionCall name="exec" command="ls -la"/>', command],
  ['<exec command="ls -la" timeout="5" />', { ...command, timeout: 5 }],
  ['exec tool="exec" command="ls -la" />', command],
  ['exec command="ls -la" />', command],
  ['[TOOL_CALL]\n{tool => "exec", args => {\n--command "ls -la"\n}}\n[/TOOL_CALL]', command],
  [
    '[TOOL_CALL]\n{tool => "exec", args => {\n  --command "ls -la"\n  --timeout 5\n}}\n[/TOOL_CALL]',
    { ...command, timeout: 5 },
  ],
  ['[TOOL_CALL]{"name": "exec", "arguments": {"command": "ls -la"}}[/TOOL_CALL]', command],
  ['[Calling tool: exec({"command": "ls -la"})]', command],
  ['<exec command="grep &quot;x&quot; a &gt; b"/>', { command: 'grep "x" a > b' }],
  ['<exec command="a &amp;&amp; b"/>', { command: 'a && b' }],
  ['<tool name="exec" command="if a &lt; b"/>', { command: 'if a < b' }],
  ['<exec command="a&#10;b&#x41;"/>', { command: 'a\nbA' }],
  ['<exec command="a && b"/>', { command: 'a && b' }],
  ['<exec command="curl x?a=1&b=2"/>', { command: 'curl x?a=1&b=2' }],
  ['[Tool call: exec] {"command": "ls -la"}', command],
  ['[Using the function: exec({"command": "ls -la"})]', command],
  ['<name>exec\n</parameter>\n<parameter=command>\nls -la\n</parameter>\n</function>\n', command],
  [
    '<name>exec</function><parameter name="command">ls -la</parameter><parameter name="timeout">5</parameter></tool_call>',
    { ...command, timeout: 5 },
  ],
];

describe('a response in an invented form', () => {
  it.each(calls)('is an inferred call: %s', (text, input) => {
    const reading = read(text);
    expect([reading.text, reading.calls.map((call) => [call.status, call.input])]).toEqual(['', [['ok', input]]]);
    expect(reading.calls[0]?.repairs).toContainEqual(expect.objectContaining({ kind: 'text', certainty: 'inferred' }));
  });

  it.each(calls)('guard: calls no destructive tool: %s', (text) => {
    expect(read(text, boxOf('destructive')).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });

  it('can contain several calls', () => {
    const text =
      '<calls><call><name>exec</name><command>ls</command></call><call><name>read_file</name><path>a</path></call></calls>';
    expect(read(text).calls.map(({ name }) => name)).toEqual(['exec', 'read_file']);
  });
});

describe('text that resembles an invented form', () => {
  const expectText = (text: string) => {
    const reading = read(text);
    expect([reading.text, reading.calls]).toEqual([text, []]);
  };
  it.each([
    'Here is an example:\n<function><name>read_file</name><path>a.txt</path></function>',
    '<function><name>read_file</name><path>a.txt</path></function>\nThat is the form.',
    '<function><name>unknown_tool</name><path>a.txt</path></function>',
    '<function><name>read_file</name><file>a.txt</file></function>',
    '<function><name>read_file</name><path>a<b>c</b></path></function>',
    '<function><name>read_file</name><path>a</path><path>b</path></function>',
    '<function><name>read_file</name><path>...</path></function>',
    '<function><name>read_file</name><description>Reads a file</description></function>',
    '<function><name>read_file</name>words<path>a.txt</path></function>',
    '<function><name>read_file</name><path>a.txt</function>',
    '<function><name>exec</name><name>read_file</name><path>a.txt</path></function>',
    '<name>exec</parameter><parameter=file>ls -la</parameter></function>',
    '<name>exec</parameter><parameter=command>ls -la</parameter></function> closes it.',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "ls -la"\n}}\n[/TOOL_CALL]\nis the form.',
    '[TOOL_CALL]\n{tool => "unknown_tool", args => {\n--path "a.txt"\n}}\n[/TOOL_CALL]',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "ls -la"\n}}',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "ls\n}}\n[/TOOL_CALL]',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "ls"\n--command "pwd"\n}}\n[/TOOL_CALL]',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "cd C:\\new"\n}}\n[/TOOL_CALL]',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--command "a" "b"\n}}\n[/TOOL_CALL]',
    '[TOOL_CALL]\n{tool => "exec", args => {\n--file "a"\n}}\n[/TOOL_CALL]',
    'It prints [TOOL_CALL]{"name": "exec", "arguments": {"command": "ls -la"}}[/TOOL_CALL] then.',
    '<exec command="a && b &gt; c"/>',
    '<exec command="a &nbsp; b"/>',
    '<exec command="a &#0; b"/>',
    '<exec command="a &#xD800; b"/>',
  ])('stays text: %s', expectText);
  it.each([
    'Do not run',
    'Rejected',
    'Abgelehnt',
    'not run',
    'Example',
    'Pending',
    'History',
    'Denied',
    'Failed',
    'User',
    'Blocked tool',
    'rejected by policy',
    'Already called',
    'Tool result',
    'Tool output',
    'Schedule for Monday',
    'Never',
    'Last tool call',
    'Called',
    'Nicht aufrufen',
    'No tool call',
  ])('a label with other words stays text: %s', (label) => {
    expectText(`[${label}: exec] {"command": "ls -la"}`);
    expectText(`[${label}: exec({"command": "ls -la"})]`);
  });
  it.each([
    '[tool: exec] is what I would use.',
    '[tool: exec]',
    '[1] {"command": "ls -la"}',
    '[note: exec] {"command": "ls -la"} and more',
    'Use <exec command="ls -la" /> for that.',
    '`<exec command="ls -la" />`',
    '> [tool: exec] {"command": "ls -la"}',
    '<example><name>read_file</name><path>a.txt</path></example>',
    '<document><name>read_file</name><path>a.txt</path></document>',
    '<person><name>exec</name></person>',
    'exec command="ls -la"',
    'exec is a command="word" />',
    '[Calling tool: exec({"command": "ls -la"})] is what it prints.',
    '[Calling tool: exec({"command": "ls -la"}), exec({"command": "pwd"})]',
    '[Calling tool: exec("ls -la")]',
    '[Calling tool: unknown_tool({"command": "ls -la"})]',
    '<name>exec</name><parameter=command>ls -la</parameter>',
    '<name>exec</parameter><command>ls -la</command>',
    '<name>exec</parameter><parameter=command>ls -la</parameter></section>',
  ])('guard: stays text: %s', expectText);
});
