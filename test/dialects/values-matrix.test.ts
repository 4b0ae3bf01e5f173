/** Texts that are hard to write, in every dialect, written as they should be and as models slip: the text, or nothing. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { writeCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const contents = [
  String.raw`C:\Users\bob\new`,
  String.raw`D:\data\Reports\2025`,
  String.raw`\\srv\share\temp`,
  String.raw`^\d+\.\w*\b(a|b)\1$`,
  String.raw`s/\/usr\/a/\/b/g`,
  String.raw`\frac{a}{b} \_x \% \alpha`,
  String.raw`printf "%s\n" 'a'`,
  `const a = require('fs')`,
  `if (x === "tag") { f('b', "c"); }`,
  `return ''.join(x) or ""`,
  `SELECT 'it''s' FROM t WHERE a = ''`,
  `INSERT INTO t VALUES ('a', 'b'), ('c', "d")`,
  `<a href="x" class='y'>z</a>`,
  `He said "hi", and left ('now')`,
  `cat <<'EOF'\nline "1"\n\tline '2'\nEOF`,
  `docker run \\\n  -it x \\\n  bash`,
  'RUN a && \\\n    b\nCMD ["c"]',
  `{"a": "b\\n", 'c': [1, "2"]}`,
  `print("a", end="")  # it's`,
  `多言語「テスト」"引用" — ça d'été`,
  `x = """doc"""\ny = '''z'''`,
  `it's the dogs' park`,
  `a, b) ] } : = ; # c`,
];
const text = { type: 'string' } as const;
const input = { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] } as const;
const tools = new Toolbox([tool({ name: 'write_file', description: 'Writes', inputSchema: input })]);
const call = (content: string, path = 'f.txt') => ({ name: 'write_file', arguments: { path, content } });

const all = dialects.flatMap((row) => {
  const form = row.forms.find(({ readOnly }) => !readOnly);
  return form?.body === 'word' || (!form && !row.frame?.write) ? [] : [{ row, form }];
});
/** What ran, other than the text. */
const others = (written: string, dialect: string, content: string) =>
  readCalls(written, tools, { dialect })
    .calls.filter(({ status, input: given }) => {
      const ran = given as { path?: string; content?: string };
      return status !== 'invalid' && (ran.content !== content || ran.path !== 'f.txt');
    })
    .map(({ input: given }) => [written, given]);

/** The ways in which quotes and escapes go wrong, of what stands between two quotes. */
const slips: Readonly<Record<string, (content: string, quote: string) => string>> = {
  nothing: (content) => content,
  'line breaks alone': (content) => content.replaceAll('\n', '\\n'),
  'quotes alone': (content, quote) => content.replaceAll(quote, `\\${quote}`),
  'quotes and line breaks': (content, quote) => content.replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n'),
  'backslashes alone': (content) => content.replaceAll('\\', '\\\\'),
  'backslashes and line breaks': (content) => content.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'),
};
const right = (content: string, quote: string) =>
  content.replace(/[\\'"\n\t]/g, (char) =>
    char === '\n' ? '\\n' : char === '\t' ? '\\t' : char === '\\' || char === quote ? `\\${char}` : char,
  );

describe.each(all.map((one) => [one.row.name, one] as const))('%s', (dialect, { row, form }) => {
  it('guard: returns the text of a well-formed call, or nothing', () => {
    const wrong = contents.flatMap((content) => others(writeCalls([call(content)], row, form), dialect, content));
    expect(wrong).toEqual([]);
  });
});

const python = all.filter(({ form }) => form?.body === 'python');

describe.each(python.map((one) => [one.row.name, one] as const))('%s with slips', (dialect, { row, form }) => {
  const frame = writeCalls([call('CONTENT')], row, form);
  const cases = contents.flatMap((content) => ["'", '"', '"""'].map((quote) => [content, quote] as const));

  it.each(Object.entries(slips))('escaped: %s', (_, slip) => {
    const wrong = cases.flatMap(([content, quote]) => {
      const written = slip(content, quote[0] as string);
      // What is another text written as it should be says that text.
      if (isRight(written, quote)) return [];
      return others(
        frame.replace('"CONTENT"', () => `${quote}${written}${quote}`),
        dialect,
        content,
      );
    });
    expect(wrong).toEqual([]);
  });

  it('guard: reads every correctly escaped text', () => {
    for (const [content, quote] of cases.filter(([, quote]) => quote.length === 1)) {
      const written = frame.replace('"CONTENT"', () => `${quote}${right(content, quote)}${quote}`);
      expect(readCalls(written, tools, { dialect }).calls.map((one) => one.input)).toEqual([call(content).arguments]);
    }
  });
});

/** Every escape is one that JSON and Python share, and no quote or line break stands alone. */
function isRight(written: string, quote: string): boolean {
  const rest = written.replace(/\\(?:[\\nrtbf'"]|u[\da-f]{4})/g, '');
  return quote.length === 1 && !rest.includes('\\') && !rest.includes(quote) && !rest.includes('\n');
}
