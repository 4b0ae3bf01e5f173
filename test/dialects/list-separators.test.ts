/** What stands between the calls of a list, in every row whose format separates calls by it. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const inputSchema = { type: 'object', properties: { n: { type: 'integer' }, path: text }, additionalProperties: false };
const made = (name: string, effect: Effect) => tool({ name, description: 'Does it', effect, inputSchema });
const toolbox = new Toolbox([made('purge', 'destructive'), made('note', 'write')]);

const between = /(?<=[})])[,\s]*(?=\{|(?:purge|note)\()/;
const holes = [',,', ', ,', ',\n,', ',,,', ',;'];
const lost = ['', ' ', '\n', ';', '; '];

/** Two calls as a row writes them, with another separator between. */
const written = (dialect: string, name: string, separator: string, args: object = { n: 1 }): string =>
  renderCalls(
    [1, 2].map(() => ({ name, arguments: args as never })),
    dialect,
    toolbox,
  ).replace(between, separator);

const read = (source: string, dialect: string) => {
  const { calls } = readCalls(source, toolbox, { dialect });
  for (const chunk of [1, 7]) expect(readCalls(source, toolbox, { dialect, chunk }).calls).toEqual(calls);
  return calls.map(({ status, repairs, problems }) => ({
    status,
    repairs: repairs.filter(({ kind }) => kind !== 'text').map(({ kind, certainty }) => `${kind} ${certainty}`),
    problem: problems[0]?.message,
  }));
};

const rows = dialects.flatMap(({ name }) => {
  try {
    return /\[\s*(?:\{|note\()/.test(written(name, 'note', ',')) ? [name] : [];
  } catch {
    return [];
  }
});

describe('two calls between the markers of one', () => {
  const call = (name: string) => JSON.stringify({ name, arguments: { n: 1 } });
  const between = (row: string, separator: string, name: string) => {
    const [open, close] =
      row === 'lm-studio' ? ['[TOOL_REQUEST]', '[END_TOOL_REQUEST]'] : ['<tool_call>', '</tool_call>'];
    return read(`${open}${call(name)}${separator}${call(name)}${close}`, row);
  };
  it.each(['hermes', 'granite4', 'ernie45', 'lm-studio'])('infers a comma in %s', (row) => {
    for (const separator of ['\n', '', ', ', ';']) {
      const mended = { status: 'mended', repairs: ['comma inferred'] };
      expect(between(row, separator, 'note')).toMatchObject([mended, mended]);
      expect(between(row, separator, 'purge')).toMatchObject([{ status: 'invalid' }, { status: 'invalid' }]);
    }
  });

  it('guard: reads lines of calls, lists and calls with their own markers as written', () => {
    const ok = [{ status: 'ok' }, { status: 'ok' }];
    const one = call('purge');
    expect(read(`<tool_calls>\n${one}\n${one}\n</tool_calls>`, 'minimax-m1')).toMatchObject(ok);
    expect(read(`<tool_call>[${one}, ${one}]</tool_call>`, 'hermes')).toMatchObject(ok);
    expect(read(`<tool_call>${one}</tool_call>\n<tool_call>${one}</tool_call>`, 'hermes')).toMatchObject(ok);
    expect(read(`<|python_tag|>${one}; ${one}`, 'llama3-json')).toMatchObject(ok);
  });
});

it('guard: finds the rows that write lists', () => {
  for (const name of ['nemotron-v2', 'jamba', 'json-array', 'granite3', 'xlam', 'cohere-cmd3', 'pythonic', 'lfm2'])
    expect(rows).toContain(name);
});

describe.each(rows)('%s', (row) => {
  it.each([', ', ',', ' ,\n'])('guard: reads two calls with %j between', (separator) => {
    for (const name of ['purge', 'note'])
      expect(read(written(row, name, separator), row)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });

  it.each(holes)('refuses both calls with %j between', (separator) => {
    for (const name of ['purge', 'note'])
      for (const { status, problem } of read(written(row, name, separator), row)) {
        expect(status).toBe('invalid');
        expect(problem).toContain('nothing between two commas');
      }
  });

  it.each(lost)('infers a comma for %j', (separator) => {
    const repairs = ['comma inferred'];
    expect(read(written(row, 'note', separator), row)).toMatchObject([
      { status: 'mended', repairs },
      { status: 'mended', repairs },
    ]);
    expect(read(written(row, 'purge', separator), row)).toMatchObject([{ status: 'invalid' }, { status: 'invalid' }]);
  });

  it('refuses a comma before the first call, and two after the last', () => {
    const list = written(row, 'note', ', ');
    const end = /(?<=[})]\s*)\]/;
    for (const source of [list.replace(/\[(?=\s*(?:\{|note))/, '[, '), list.replace(end, ',,]')])
      expect(read(source, row).filter(({ status }) => status !== 'invalid')).toEqual([]);
    expect(read(list.replace(end, ',]'), row)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });
});

describe('a list in a row that has none, or another', () => {
  const call = (name: string) => `{"name": "${name}", "arguments": {"n": 1}}`;
  const list = (separator: string) => `[${call('note')}${separator}${call('note')}]`;
  it.each([
    ['hermes', (separator: string) => `<tool_call>\n${list(separator)}\n</tool_call>`],
    ['mistral', (separator: string) => `[TOOL_CALLS]${list(separator)}`],
    ['olmo3', (separator: string) => `<function_calls>\n[note(n=1)${separator}note(n=2)]\n</function_calls>`],
    ['auto', list],
  ])('%s', (dialect, source) => {
    const statuses = (separator: string) => read(source(separator), dialect).map(({ status }) => status);
    expect(statuses(', ')).toEqual(['ok', 'ok']);
    for (const separator of holes) expect(statuses(separator)).toEqual(['invalid', 'invalid']);
    for (const separator of lost) expect(statuses(separator)).toEqual(['mended', 'mended']);
  });
});

describe('calls in a row without a list', () => {
  it.each(['\n', '\n\n', ';', '; ', ', '])('guard: olmo3 reads %j between', (separator) => {
    expect(read(written('olmo3', 'purge', separator), 'olmo3')).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  });
  it.each(['', ' '])('olmo3 infers the line break for %j', (separator) => {
    expect(read(written('olmo3', 'note', separator), 'olmo3')).toMatchObject([
      { status: 'mended' },
      { status: 'mended' },
    ]);
  });
  it.each(['\n', ';', ''])('guard: llama3-json reads %j between', (separator) => {
    const call = '{"name": "purge", "parameters": {"n": 1}}';
    expect(read(`<|python_tag|>${call}${separator}${call}`, 'llama3-json')).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
    ]);
  });
});

describe('a Python call without a comma behind it may go on in the next', () => {
  const statuses = (source: string) => read(source, 'pythonic').map(({ status }) => status);
  it.each([
    '[note(path="")\npurge(path="/")]',
    '[note(path="a"); note(path="b")]',
    "[note(path='a') note(path='b')]",
    '[note(path="a")\nnote(n=1), note(path="b")]',
  ])('%j is refused', (source) => {
    for (const { status, problem } of read(source, 'pythonic')) {
      expect(status).toBe('invalid');
      expect(problem).toContain('may continue in the next call');
    }
  });
  it.each(['[note(path="a")\nnote(n=1)]', '[note(n=1)\nnote(path="a")]', `[note(path="a") note(path='b')]`])(
    'guard: %j has other quotes',
    (source) => expect(statuses(source)).toEqual(['mended', 'mended']),
  );
  it('guard: with its comma it is two calls', () => {
    expect(statuses('[note(path="a"),\nnote(path="b")]')).toEqual(['ok', 'ok']);
  });
});

describe('a line break in a Python string of one line', () => {
  it.each(['pythonic', 'llama4-pythonic'])('%s records it', (dialect) => {
    expect(read('[note(path="a\nb")]', dialect)).toEqual([
      { status: 'mended', repairs: ['newline lossless'], problem: undefined },
    ]);
    expect(read('[note(path="""a\nb""")]', dialect)[0]?.repairs).not.toContain('newline lossless');
    expect(read('[note(path="a\\nb")]', dialect)).toMatchObject([{ status: 'ok' }]);
  });
});
