/** A tagged value that lacks its opening or its closing tag is read where it has one reading, and is refused elsewhere. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const properties = { path: { type: 'string' }, content: { type: 'string' } } as const;
const inputSchema = { type: 'object', properties, required: ['path', 'content'] } as const;
const toolbox = new Toolbox([tool({ name: 'write_file', description: 'Writes', effect: 'write', inputSchema })]);

/** Reads whole and in pieces: how each call ended, and its arguments if it runs. */
function read(text: string, options: Parameters<typeof readCalls>[2]) {
  const whole = readCalls(text, toolbox, options);
  for (const chunk of [1, 7]) expect(readCalls(text, toolbox, { ...options, chunk }).calls).toEqual(whole.calls);
  return whole.calls.map(({ status, input }) => (status === 'invalid' ? 'refused' : input));
}

describe('a value without its opening tag', () => {
  const call = (first: string, second: string): string =>
    `<tool_call>write_file\n<arg_key>path</arg_key>${first}</arg_value>\n<arg_key>content</arg_key>${second}</arg_value>\n</tool_call>`;
  const made = { path: 'a.txt', content: 'b' };
  const modes = [{}, { prompted: true }] as const;

  it.each([
    ['the first', call('\na.txt', '\n<arg_value>b')],
    ['the last', call('\n<arg_value>a.txt', '\nb')],
    ['both', call('\na.txt', '\nb')],
    ['with carriage returns', call('\r\na.txt', '\r\n<arg_value>b')],
    ['guard: on the line of its key', call('a.txt', '<arg_value>b')],
  ])('has no line break of its key: %s', (_, text) => {
    for (const mode of modes) expect(read(text, mode)).toEqual([made]);
  });

  it.each([
    ['a blank before it', call(' a.txt', '<arg_value>b')],
    ['an indented line', call('\n  a.txt', '\n<arg_value>b')],
    ['an empty line', call('\n\na.txt', '\n<arg_value>b')],
  ])('is refused where white space may be part of it: %s', (_, text) => {
    for (const mode of modes) for (const one of read(text, mode)) expect(one).toBe('refused');
  });
});

/** A call whose last value lacks its closing tag, by dialect. */
const unclosed: Readonly<Record<string, readonly [call: (value: string) => string, closer: string]>> = {
  glm45: [
    (value) =>
      `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>doc.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${value}</tool_call>`,
    '</tool_call>',
  ],
  'qwen3-coder': [
    (value) =>
      `<tool_call>\n<function=write_file>\n<parameter=path>\ndoc.md\n</parameter>\n<parameter=content>\n${value}</function>\n</tool_call>`,
    '</function>',
  ],
  'anthropic-xml': [
    (value) =>
      `<function_calls>\n<invoke name="write_file">\n<parameter name="path">doc.md</parameter>\n<parameter name="content">${value}</invoke>\n</function_calls>`,
    '</invoke>',
  ],
  'minimax-m2': [
    (value) =>
      `<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">doc.md</parameter>\n<parameter name="content">${value}</invoke>\n</minimax:tool_call>`,
    '</invoke>',
  ],
};

describe.each(Object.entries(unclosed))('a value without its closing tag, %s', (dialect, [call, closer]) => {
  const modes = [{}, { prompted: true }, { dialect }];

  it.each(['', '\n'])('is refused where the closer of the call comes twice (%j between them)', (gap) => {
    for (const value of [`Use it${closer}`, `Use <b>{"name": "x"}${closer}`, `Use it${closer}${gap}${closer}`])
      for (const mode of modes) for (const one of read(call(value + gap), mode)) expect(one).toBe('refused');
  });

  it.each(['a = 1\nb = 2', 'a = 1'])('is refused where its last line break may belong to it: %j', (value) => {
    const layout = dialect === 'qwen3-coder' ? '\n\n' : '\n';
    for (const mode of modes) for (const one of read(call(value + layout), mode)) expect(one).toBe('refused');
  });

  it('guard: ends where the call does', () => {
    expect(read(call('word'), { dialect })).toEqual([{ path: 'doc.md', content: 'word' }]);
    expect(read(call('Use it'), { dialect })).toEqual([{ path: 'doc.md', content: 'Use it' }]);
  });
});

describe('a value with another name in its closing tag', () => {
  const call = (value: string, closer: string, next = ''): string =>
    `<tool_call>\n<function=write_file>\n<parameter=path>\ndoc.md\n</parameter>\n<parameter=content>\n${value}\n${closer}\n${next}</function>\n</tool_call>`;
  const closers = ['</parameter1>', '</parameter_function>', '</parameter_name>', '</parameter/>'];
  const modes = [{}, { prompted: true }, { dialect: 'qwen3-coder' }];

  it.each(closers)('is read, inferred: %s', (closer) => {
    for (const mode of modes)
      for (const value of ['b', 'two words', 'a = 1\nb = 2', '<b>bold</b>'])
        expect(read(call(value, closer), mode)).toEqual([{ path: 'doc.md', content: value }]);
    const [made] = readCalls(call('b', closer), toolbox, { dialect: 'qwen3-coder' }).calls;
    expect(made?.repairs).toContainEqual(expect.objectContaining({ kind: 'closer', certainty: 'inferred' }));
  });

  it.each(closers)('is read before another parameter: %s', (closer) => {
    const text = `<tool_call>\n<function=write_file>\n<parameter=path>\na b.md\n${closer}\n<parameter=content>\nb\n${closer}\n</function>\n</tool_call>`;
    for (const mode of modes) expect(read(text, mode)).toEqual([{ path: 'a b.md', content: 'b' }]);
  });

  it.each([
    ['the plural, which is a tag of its own', call('b', '</parameters>')],
    ['another word', call('b', '</parameter_list>')],
    ['another tag', call('b', '</param>')],
    ['twice', call('b\n</parameter1>', '</parameter1>')],
    ['the closer of the call again', call('b', '</parameter1>', '</function>\n')],
  ])('guard: does not run: %s', (_, text) => {
    for (const mode of modes) for (const one of read(text, mode)) expect(['refused', undefined]).toContain(one);
  });

  it.each([
    ['closes an element in it', '<parameter1>b\n</parameter1>'],
    ['has text after it', 'b\n</parameter1> c'],
  ])('guard: is part of a value without its closer if it %s', (_, content) => {
    const text = call('x', 'y').replace('x\ny', content);
    for (const mode of modes) expect(read(text, mode)).toEqual([{ path: 'doc.md', content }]);
  });

  it('guard: is part of a value with its own closer', () => {
    const text = call('see </parameter1> there', '</parameter>');
    expect(read(text, { dialect: 'qwen3-coder' })).toEqual([{ path: 'doc.md', content: 'see </parameter1> there' }]);
  });
});

describe('a value without its closing tag before another one', () => {
  const call = (value: string, gap: string, between = '\n'): string =>
    `<tool_call>write_file\n<arg_key>path</arg_key>${between}<arg_value>${value}${gap}<arg_key>content</arg_key>${between}<arg_value>b</arg_value>\n</tool_call>`;
  const modes = [{}, { prompted: true }, { dialect: 'glm45' }];

  it.each(['a.md', 'two words', 'npm ci'])(
    'ends before the line break that the call has between its tags: %s',
    (path) => {
      for (const mode of modes) expect(read(call(path, '\n'), mode)).toEqual([{ path, content: 'b' }]);
      const [made] = readCalls(call(path, '\n'), toolbox, { dialect: 'glm45' }).calls;
      expect(made?.repairs).toContainEqual(expect.objectContaining({ kind: 'closer', certainty: 'inferred' }));
    },
  );

  it.each([
    ['an empty line', call('two words', '\n\n')],
    ['several lines', call('one line\nand more', '\n')],
    ['blanks at its end', call('two words ', '\n')],
    ['a line break that the call has nowhere else', call('two words', '\n', '')],
    ['another tag at its end', call('two words</arg_key>', '\n')],
  ])('guard: does not run where white space may be part of it: %s', (_, text) => {
    for (const mode of modes) for (const one of read(text, mode)) expect(one).toBe('refused');
  });
});
