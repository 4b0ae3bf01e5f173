import { describe, expect, it } from 'vitest';
import { fileAndTableTools as toolbox } from '../../test/dialects/toolboxes.ts';
import { equal, type JsonValue } from '../json/value.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';
import { renderCalls } from './render.ts';

/** Rows whose values are strings with escapes: JSON and Python. */
const rows = dialects.filter(
  ({ forms, frame, quote }) =>
    quote === undefined &&
    (frame?.tool === 'args' || forms.some(({ body }) => body === 'call' || body === 'args' || body === 'python')) &&
    !forms.some(({ body, readOnly }) => !readOnly && (body === 'params' || body === 'word')),
);

const render = (dialect: string, content: string): string =>
  renderCalls([{ name: 'write_file', arguments: { path: 'p.md', content } }], dialect, toolbox);

/** A call as the row writes it, cut in two where its only value stands. */
function around(dialect: string): [before: string, after: string] {
  const [before = '', after = ''] = render(dialect, 'VALUE').split('VALUE');
  return [before, after];
}

/** What ran, from the whole text and from single characters. */
function ran(written: string, dialect: string | undefined) {
  const [whole, chunked] = [written.length, 1].map((chunk) => {
    const { calls } = readCalls(written, toolbox, { chunk, ...(dialect && { dialect }) });
    return calls.map(({ status, name, input }) => ({ status, name, input }));
  });
  expect(chunked).toEqual(whole);
  return whole?.filter(({ status }) => status !== 'invalid').map(({ name, input }) => ({ name, input })) ?? [];
}

const whole = (content: string) => ({ name: 'write_file', input: { path: 'p.md', content } });

/** Values with quotes that were not escaped around the end of a call (`%`), without and with its brackets. */
const values = [
  'say "%" ok',
  'ends with "%"',
  'x = "%"; print("x")',
  'a "%", b',
  'if s == "%": return\n',
  'split("%")[0]',
  'the marker "%" closes "%" blocks',
  'say "\n%" ok',
  'say "% ok',
];

/** Rows without markers, or with words for them, where other text always made a call none. */
const unmarked = new Set(
  'phi4-mini firefunction json-array generic-json json-fence xlam command-r-plus llama4-pythonic pythonic react'.split(
    ' ',
  ),
);

describe.each(rows.map(({ name }) => name))('%s', (dialect) => {
  const [before, after] = around(dialect);
  const closer = after.replace(/^["'][\s}\])]*/, '');
  const drop = renderCalls([{ name: 'drop_table', arguments: { table: 'users' } }], dialect, toolbox);
  const ends = [...new Set([closer, after.replace(/^["']\s*/, ''), drop, `${after.slice(1)}\n${drop}`])].filter(
    Boolean,
  );

  it(`${unmarked.has(dialect) ? 'guard: ' : ''}never cuts a value at an end of a call that it holds`, () => {
    const cut = ends
      .flatMap((end) => values.map((value) => value.replaceAll('%', end)))
      .flatMap((content) =>
        [dialect, undefined].flatMap((named) =>
          ran(before + content + after, named).filter((call) => !equal(call as JsonValue, whole(content))),
        ),
      );
    expect(cut).toEqual([]);
  });

  it('guard: reads the same value with its quotes escaped', () => {
    for (const value of values.map((one) => one.replaceAll('%', closer))) {
      expect(ran(render(dialect, value), dialect)).toEqual([whole(value)]);
    }
  });
});
