import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import { type DecodeOptions, decodeCommand, decodeStream } from './command.ts';

const tools = [{ name: 'now', inputSchema: { type: 'object', properties: { zone: { type: 'string' } } } }];

async function decoded(lines: readonly unknown[], options: DecodeOptions = {}): Promise<Record<string, unknown>[]> {
  const said: string[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  });
  const input = Readable.from([
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  ]);
  expect(await decodeStream(input, output, options)).toBe(0);
  return said.map((line) => JSON.parse(line));
}

describe('toolmend decode', () => {
  const text = 'So. <tool_call>{"name": "now", "arguments": {"zone": "UTC"}}</tool_call>';

  it('answers each line with text, dialect and calls', async () => {
    const [answer] = await decoded([{ id: 7, text, tools }]);
    expect(answer).toEqual({
      id: 7,
      text: 'So. ',
      dialect: 'hermes',
      calls: [
        {
          id: 'call_1',
          status: 'ok',
          name: 'now',
          input: { zone: 'UTC' },
          problems: [],
          repairs: [{ path: [], kind: 'text', before: 'hermes', certainty: 'inferred' }],
        },
      ],
    });
  });

  it('reads without validation if no tools are given, and nothing if the list is empty; the same in chunks', async () => {
    const lines = [
      { id: 1, text },
      { id: 2, text, tools: [] },
    ];
    expect(await decoded(lines, { chunk: 1 })).toEqual(await decoded(lines));
    expect(await decoded(lines)).toMatchObject([{ calls: [{ status: 'ok' }] }, { text, calls: [] }]);
  });

  it('reports unknown tools and calls that were cut off', async () => {
    const open = '<tool_call>{"name": "now", "arguments": {"zone": "U';
    const other = '<tool_call>{"name": "paint", "arguments": {}}</tool_call>';
    expect(
      await decoded([
        { id: 1, text: open, tools },
        { id: 2, text: other, tools, dialect: 'hermes' },
      ]),
    ).toMatchObject([
      { calls: [{ status: 'invalid', problems: [{ code: 'truncated' }], errorType: 'truncated' }] },
      { calls: [{ status: 'invalid', problems: [{ code: 'unknown_tool' }], errorType: 'unknown_tool' }] },
    ]);
  });

  it('C2 returns the feedback for a bad call, and reports truncation if the line says so', async () => {
    const open = '<tool_call>{"name": "now", "arguments": {"zone": "U';
    const [answer] = await decoded([{ id: 1, text: open, tools, finishReason: 'max_tokens' }]);
    const told = expect.stringContaining("The call to 'now' was cut off by the output token limit");
    expect(answer).toMatchObject({ calls: [{ feedback: told }] });
  });

  it('reads text that begins inside reasoning, in a dialect the line names', async () => {
    const line = { id: 1, text: 'hm</think>Hello', dialect: 'hermes', reasoningOpen: true };
    expect(await decoded([line])).toMatchObject([{ text: 'Hello', reasoning: 'hm', dialect: 'hermes', calls: [] }]);
  });

  it('answers a line that can not be used with its error', async () => {
    const answers = await decoded([
      '{',
      '[]',
      { id: 1 },
      { id: 2, text: '', dialect: 'klingon' },
      { id: 3, text: '', tools: 5 },
    ]);
    expect(answers.map(({ id }) => id)).toEqual([null, null, 1, 2, 3]);
    for (const { error, calls } of answers) expect([typeof error, calls]).toEqual(['string', []]);
  });

  it('refuses options that mean nothing', async () => {
    await expect(decodeCommand(['--chunk', '0'])).rejects.toThrow();
    await expect(decodeCommand(['--dialect', 'klingon'])).rejects.toThrow();
  });

  it('reads plain text in a terminal, as an argument or pasted', async () => {
    const terminal = fakeTerminal();
    expect(await decodeCommand([text], terminal)).toBe(0);
    expect(terminal.text()).toBe(
      'dialect    hermes\ntext       So.\n\n✓ now {"zone":"UTC"}\n           read from text, "hermes" (inferred)\n',
    );
    const pasted = fakeTerminal();
    const done = decodeCommand([], pasted);
    pasted.type('No call here.');
    pasted.input.push(null);
    expect(await done).toBe(0);
    expect(pasted.told()).toContain('press Ctrl-D');
    expect(pasted.text()).toContain('text       No call here.\n\nno calls\n');
  });

  it('checks the calls of a text with --tools, and shows the feedback', async () => {
    const terminal = fakeTerminal();
    const wrong = '<tool_call>{"name": "read_file", "arguments": {}}</tool_call>';
    await decodeCommand([wrong, '--tools', join(import.meta.dirname, '../../../docs/files/tools.json')], terminal);
    expect(terminal.text()).toContain('✗ read_file {}');
    expect(terminal.text()).toContain("Field 'path' is required but missing");
  });

  it('writes JSON for a text in a pipe, and keeps JSON lines as they are', async () => {
    const pipe = fakeTerminal({ tty: false });
    await decodeCommand([text], pipe);
    expect(JSON.parse(pipe.text())).toMatchObject({ dialect: 'hermes', calls: [{ name: 'now' }] });
    await expect(decodeCommand(['a', 'b'], fakeTerminal())).rejects.toThrow('Expected one TEXT');
    await expect(decodeCommand(['--tools', 'x'], fakeTerminal({ tty: false }))).rejects.toThrow('--tools needs TEXT');
  });
});
