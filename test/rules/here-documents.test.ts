/** A call in a here document is part of a file that a command writes, whatever word ends it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const toolbox = new Toolbox([tool({ name: 'restart', description: 'Restarts', inputSchema })]);
const call = '<tool_call>{"name": "restart", "arguments": {"name": "x"}}</tool_call>';
const read = (written: string, dialect: string) =>
  [undefined, 1, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
    return calls.length === 0 && text === written ? 'text' : calls.map(({ name }) => name).join();
  });
const same = (result: string) => [result, result, result];
const far = `--header 'X-Request: ${'a'.repeat(150)}'`;

const isText = (opener: string, closer: string): void => {
  for (const dialect of ['auto', 'hermes']) {
    expect(read(`cat > call.txt ${opener}\n${call}\n${closer}`, dialect)).toEqual(same('text'));
    expect(read(`I ran this:\n\ncat > call.txt ${opener}\nfirst\n${call}\n${closer}\n`, dialect)).toEqual(same('text'));
  }
};

describe('is text in a here document', () => {
  it.each([
    ['<<EOF2', 'EOF2'],
    ['<<eof', 'eof'],
    ['<<\\eof', 'eof'],
    ["<<'XML-1'", 'XML-1'],
    ['<<"XML-1"', 'XML-1'],
    ["<<- 'x.y'", 'x.y'],
    ['<<E"O"F', 'EOF'],
    ["<<'END OF FILE'", 'END OF FILE'],
    ['<<!', '!'],
    ['<<_end_1', '_end_1'],
    ['<<eof | sh', 'eof'],
    ['<<eof >out', 'eof'],
    ['<<eof;', 'eof'],
    ['<<~text', '  text'],
    [`${far} <<eof`, 'eof'],
    ['<<données', 'données'],
  ] as const)('%s', isText);
});

describe('guard: is text in a here document that ends with a word of capitals', () => {
  it.each([
    ['<<EOF', 'EOF'],
    ['<<-END', '\tEND'],
    ['<< EOF', 'EOF'],
    ['<<\\EOF', 'EOF'],
    ['<<<PHP', 'PHP;'],
  ] as const)('%s', isText);
});

describe('guard: counts behind a here document, and where none is open', () => {
  it.each([
    'cat > a <<eof\nx\neof\n\nI restart it.\n',
    'cat > a <<eof\nx\n\nI restart it.\n',
    'It prints with std::cout << x << std::endl;\n',
    'It shifts: 1 << 3 is 8.\n',
    '<<<<<<< HEAD\nA conflict, so I restart it.\n',
    'He said <<bonjour>> to me.\n',
  ])('%j', (before) => {
    for (const dialect of ['auto', 'hermes']) expect(read(before + call, dialect)).toEqual(same('restart'));
  });
});
