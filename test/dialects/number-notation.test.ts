import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { mend } from '../../src/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const of = (name: string, effect: 'write' | 'destructive', properties: object) =>
  tool({ name, description: 'Does it', effect, inputSchema: { type: 'object', properties } as { type: 'object' } });
const toolbox = new Toolbox([
  of('write_file', 'write', { path: text, content: text }),
  of('tag_files', 'write', { tags: { type: 'array', items: text }, meta: { type: 'object', properties: { v: text } } }),
  of('set_size', 'write', { size: { type: 'integer' } }),
  of('delete_file', 'destructive', { path: text }),
]);

const fields = (value: string): string => `"path": "V", "content": ${value}`;

/** The forms in which a call's arguments are read together with the object that is the call. */
const forms: readonly (readonly [form: string, call: (value: string) => string])[] = [
  ['a name without quotes', (v) => `{"name": write_file, "arguments": {${fields(v)}}}`],
  ['no quotes at all', (v) => `{name: write_file, arguments: {path: V, content: ${v}}}`],
  ['a name behind the arguments', (v) => `{"arguments": {${fields(v)}}, "name": write_file}`],
  [
    'a function in a call',
    (v) => `{"type": "function", "function": {"name": "write_file", "arguments": {${fields(v)}}}}`,
  ],
  ['a list of calls in an object', (v) => `{"tool_calls": [{"name": "write_file", "arguments": {${fields(v)}}}]}`],
  ['arguments beside the name', (v) => `{"name": "write_file", ${fields(v)}}`],
  ['arguments beside a name without quotes', (v) => `{"name": write_file, ${fields(v)}}`],
];

const rows = [
  ['hermes', (call: string) => `<tool_call>\n${call}\n</tool_call>`],
  ['mistral', (call: string) => `[TOOL_CALLS][${call}]`],
] as const;

const literals = ['1.10', '4.0', '1e5', '1E-7', '-0', '.5', '+49', '0x1F', '1_000', '12345678901234567890'];

describe('numbers in arguments that are read with their call', () => {
  for (const [dialect, framed] of rows)
    it.each(forms)(`stay as written where a string is wanted: %s (${dialect})`, (_, call) => {
      for (const literal of literals) {
        const [outcome] = readCalls(framed(call(literal)), toolbox, { dialect }).calls;
        expect(outcome).toMatchObject({ status: 'mended', input: { path: 'V', content: literal } });
        expect(outcome?.repairs).toContainEqual(expect.objectContaining({ kind: 'type', path: ['content'] }));
      }
    });

  it.each([
    ['an integer beyond 2^53', '12345678901234567890'],
    ['guard: a decimal', '1.10'],
    ['guard: another base', '0x1F'],
    ['guard: an integer', '7'],
  ])('need an inference, so that a destructive tool refuses them: %s', (_, n) => {
    for (const call of [
      `{"name": delete_file, "arguments": {"path": ${n}}}`,
      `{"function": {"name": "delete_file", "arguments": {"path": ${n}}}}`,
    ])
      expect(readCalls(`<tool_call>\n${call}\n</tool_call>`, toolbox, { dialect: 'hermes' }).calls).toMatchObject([
        { name: 'delete_file', status: 'invalid' },
      ]);
  });

  it('stay as written in lists and objects', () => {
    const call = '{"name": tag_files, "arguments": {"tags": ["a", 1.10, 2e3], "meta": {"v": 3.0}}}';
    expect(readCalls(`<tool_call>${call}</tool_call>`, toolbox, { dialect: 'hermes' }).calls).toMatchObject([
      { status: 'mended', input: { tags: ['a', '1.10', '2e3'], meta: { v: '3.0' } } },
    ]);
  });

  it.each([
    ['guard: an integer', '5', 'ok', 5],
    ['guard: an integer with a decimal point', '5.0', 'ok', 5],
    ['guard: an integer beyond 2^53', '12345678901234567890', 'invalid', '12345678901234567890'],
    ['a decimal that rounds to an integer', '4.99999999999999999', 'invalid', 5],
  ])('are numbers where one is wanted: %s', (_, literal, status, size) => {
    const call = `{"name": set_size, "arguments": {"size": ${literal}}}`;
    expect(readCalls(`<tool_call>${call}</tool_call>`, toolbox, { dialect: 'hermes' }).calls).toMatchObject([
      { status, input: { size } },
    ]);
  });

  it('guard: a value that a program changed since is what it is now', () => {
    const call = '{"name": write_file, "arguments": {"path": "V", "content": 1.10}}';
    const [outcome] = readCalls(`<tool_call>${call}</tool_call>`, toolbox, { dialect: 'hermes' }).calls;
    const given = outcome?.raw.arguments as Record<string, unknown>;
    given.content = 7;
    expect(mend({ name: 'write_file', arguments: given }, toolbox).input).toEqual({ path: 'V', content: '7' });
  });
});
