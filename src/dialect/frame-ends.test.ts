import { describe, expect, it } from 'vitest';
import { fileAndTableTools as toolbox } from '../../test/dialects/toolboxes.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';
import { renderCalls } from './render.ts';

const drop = [{ name: 'drop_table', arguments: { table: 'users' } }];

/** What a text holds in a dialect, the same in single characters. */
function read(written: string, dialect: string) {
  const [whole, chunked] = [written.length, 1].map((chunk) => {
    const { calls, text: left } = readCalls(written, toolbox, { chunk, dialect });
    return { text: left, calls: calls.map(({ status, input }) => ({ status, input })) };
  });
  expect(chunked).toEqual(whole);
  return whole as NonNullable<typeof whole>;
}
const ran = (written: string, dialect: string) =>
  read(written, dialect).calls.filter(({ status }) => status !== 'invalid');

const listed = dialects.flatMap(({ name }) => {
  if (name === 'content-only') return [];
  const written = renderCalls(drop, name, toolbox);
  return /^[^{(]*\[\s*(?:\{|\w+\()/.test(written) ? [[name, written] as const] : [];
});

listed.push(['mistral', `[TOOL_CALLS] ${JSON.stringify(drop)}`]);

describe.each(listed)('%s writes its calls as a list', (dialect, written) => {
  const end = written.lastIndexOf(']');
  const without = (between: string): string => written.slice(0, end) + between + written.slice(end + 1);

  it('infers a missing end of the list, so that a destructive tool does not run', () => {
    expect(ran(without(''), dialect)).toEqual([]);
    expect(ran(without(','), dialect)).toEqual([]);
  });

  it('guard: reads the closed list', () => expect(ran(written, dialect)).toHaveLength(1));
});

const plain = dialects.filter(
  ({ name, special }) => !special && name !== 'content-only' && renderCalls(drop, name, toolbox).startsWith('<'),
);
const prefixes = ['logs/agent.log:88:', 'C:\\logs\\agent.log:88:', 'src/a.ts:12:5:', 'agent.log:', '  88\t', '88-'];
const known = ['12→', '12:', '> ', '+', '-', '| ', '[12:01:33] ', '2026-01-02 12:01:33 INFO '];

describe.each(plain.map(({ name }) => name))('%s behind a line prefix', (dialect) => {
  const written = renderCalls(drop, dialect, toolbox);
  const shown = (given: readonly string[]) =>
    given.filter((prefix) => read(`The log says:\n${prefix}${written}`, dialect).calls.length > 0);

  it('is text', () => expect(shown(prefixes)).toEqual([]));
  it('guard: is text', () => expect(shown(known)).toEqual([]));
});

const tagged = dialects.flatMap(({ name, forms }) =>
  forms.filter(({ param, readOnly }) => param && !readOnly).map(({ param }) => [name, param] as const),
);

describe.each(tagged)('%s with the closer of a value inside it', (dialect, param) => {
  const write = (content: string): string =>
    renderCalls([{ name: 'write_file', arguments: { path: 'p.md', content: 'VALUE' } }], dialect, toolbox).replace(
      'VALUE',
      () => content,
    );
  const suffix = /<\w+(:[^<>\s]*)>VALUE/.exec(write('VALUE'))?.[1] ?? '';
  const closer = (param?.split('{value}')[1] ?? '')
    .replace('{key}', 'content')
    .replace('{sfx}', suffix)
    .replaceAll('~', '');

  it('guard: reads it where nothing that ends a parameter follows', () => {
    const value = `x ${closer} & y`;
    expect(ran(write(value), dialect)).toMatchObject([{ input: { path: 'p.md', content: value } }]);
  });

  it('guard: refuses it where the value may end there', () => {
    for (const value of [`x${closer}\n`, `x${closer}${closer}`]) expect(ran(write(value), dialect)).toEqual([]);
  });
});

const feeds = tagged.filter(([name]) => !dialects.find((row) => row.name === name)?.cdata);

/** Calls of `write_file`, one per content. */
const writes = (dialect: string, ...contents: readonly string[]): string => {
  const calls = contents.map((_, at) => ({ name: 'write_file', arguments: { path: 'p.md', content: `VALUE${at}` } }));
  return contents.reduce(
    (text, content, at) => text.replace(`VALUE${at}`, () => content),
    renderCalls(calls, dialect, toolbox),
  );
};

describe.each(feeds)('%s with a CDATA section as a value', (dialect) => {
  it.each(['<![CDATA[x]]>', '<![CDATA[a]]>\n<![CDATA[b]]>', '<![CDATA[a]]]]><![CDATA[>b]]>'])('keeps %j', (content) => {
    expect(ran(writes(dialect, content), dialect)).toMatchObject([{ input: { content } }]);
  });
  it('guard: never reads two calls as one', () => {
    const calls = ran(writes(dialect, '<![CDATA[a', 'b]]>'), dialect);
    if (calls.length > 0)
      expect(calls).toMatchObject([{ input: { content: '<![CDATA[a' } }, { input: { content: 'b]]>' } }]);
  });
});

describe('minicpm5 with CDATA sections', () => {
  const reads = (content: string, value: string): void => {
    expect(ran(writes('minicpm5', content), 'minicpm5')).toMatchObject([{ input: { content: value } }]);
  };
  it('reads a section that continues in another', () => reads('<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'));
  it.each([
    ['<![CDATA[a < b]]>', 'a < b'],
    ['<![CDATA[x </param> & <b>]]>', 'x </param> & <b>'],
  ])('guard: reads one section: %s', reads);
  it.each([
    ['white space between two sections', ['<![CDATA[a]]>\n<![CDATA[b]]>']],
    ['a section that spans two calls', ['<![CDATA[a', 'b]]>']],
  ])('refuses %s', (_, contents) => {
    expect(ran(writes('minicpm5', ...contents), 'minicpm5')).toEqual([]);
  });
});

/** Dialects whose names end at the first opener, which refused more after them before. */
const named = new Set(['glm45', 'poolside-v1', 'ling3']);
const signed = tagged.map(([name, param]) => [named.has(name) ? 'guard: ' : '', name, param] as const);

describe.each(signed)('%s%s with signs before its first parameter', (_, dialect, param = '') => {
  const opener = (param.split('{key}')[0] ?? '').replaceAll('~', '');
  it.each(['…', '……', '—', '[…]', '→', '*'])('refuses %s, which stands for what was left out', (signs) => {
    const text = writes(dialect, 'x');
    const at = text.indexOf(`${opener}path`);
    expect(ran(`${text.slice(0, at)}${signs}${text.slice(at)}`, dialect)).toEqual([]);
  });
});

describe('an opener that is only mentioned, without a named dialect', () => {
  it.each([
    'Das <invoke name="write_file">-Tag öffnet den Aufruf.',
    'Тег <function=write_file> — это начало вызова.',
    'El modelo escribe <function=write_file> («apertura») y luego los argumentos.',
    '- <invoke name="write_file">\n- parameters\n- closer',
    '1. <function=write_file> — opens\n2. parameters\n3. closer',
    "sed -E 's/<function=([a-z_]+)>/call \\1/' turns `<function=write_file>` into `call write_file`.",
    'Form: <function=write_file>…</function>',
    'Die Form ist <invoke name="write_file">……</invoke>',
  ])('stays text: %s', (text) => {
    expect(readCalls(text, toolbox)).toMatchObject({ text, calls: [] });
  });
});
