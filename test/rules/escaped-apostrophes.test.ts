/** An escaped quote in a literal in single quotes, beside other escapes: they follow one rule, or the call is refused. */
import { describe, expect, it } from 'vitest';
import { mendWith, open, string } from './mend-with.ts';

const fields = open({ path: string, content: string });
const raw = String.raw;
/** The same literal in Python, in JavaScript, and among double quotes. */
const styles = {
  python: (content: string) => `{'path': 'o', 'content': ${content}}`,
  script: (content: string) => `{path: 'o', content: ${content}}`,
  mixed: (content: string) => `{"path": "o", "content": ${content}}`,
};
const effects = ['write', 'destructive'] as const;

describe('a control character within a quotation may be an escape of the code', () => {
  it.each([
    raw`'  p.last = \'\n\';\n  p.poses = false;'`,
    raw`'s.split(\'\t\')'`,
    raw`'lines = text.split(\'\n\')\nprint(lines)'`,
    raw`'x = \'a\nb\''`,
    raw`'tr \'\r\' \'\n\''`,
    raw`'print(f\'\n\')'`,
    raw`'it\'s done: join(\'\n\')'`,
    raw`'join(\', \', \'\n\')'`,
  ])('%s', (content) => {
    for (const style of Object.values(styles))
      for (const effect of effects)
        expect(mendWith(fields, style(content), { effect })).toMatchObject({
          status: 'invalid',
          errorType: 'validation',
          problems: [{ path: ['content'], code: 'ambiguous' }],
        });
  });
});

describe('among double quotes, an escaped single quote beside any other escape has two readings', () => {
  it.each([raw`'it\'s\nok'`, raw`'a = \'x\';\nb = \'y\';'`, raw`'a\\b \'c\''`, raw`'don\'t \u00e9'`, raw`'\tit\'s'`])(
    '%s',
    (content) => {
      for (const effect of effects)
        expect(mendWith(fields, styles.mixed(content), { effect })).toMatchObject({
          status: 'invalid',
          problems: [{ path: ['content'], code: 'ambiguous' }],
        });
    },
  );
});

describe('guard: literals of Python and JavaScript', () => {
  it.each([
    [raw`'it\'s\nok'`, "it's\nok"],
    [raw`'it\'s "x"\nok'`, 'it\'s "x"\nok'],
    [raw`'a = \'x\';\nb = \'y\';'`, "a = 'x';\nb = 'y';"],
    [raw`'f(\'a b.\')\nf(\'\')\n'`, "f('a b.')\nf('')\n"],
    [raw`'the users\' data\nand it\'s theirs\n'`, "the users' data\nand it's theirs\n"],
    [raw`'s.split(\'\\n\')\n'`, "s.split('\\n')\n"],
    [raw`'if x:\n\treturn \'y\'\n'`, "if x:\n\treturn 'y'\n"],
    [raw`'print(f\'x\')\nprint(r\'y\')\n'`, "print(f'x')\nprint(r'y')\n"],
  ])('%s', (content, value) => {
    for (const style of [styles.python, styles.script])
      expect(mendWith(fields, style(content))).toMatchObject({ status: 'mended', input: { content: value } });
  });

  it.each([
    [raw`'it\'s'`, "it's"],
    [raw`'say \'hi\''`, "say 'hi'"],
  ])('without other escapes, in every style: %s', (content, value) => {
    for (const style of Object.values(styles))
      expect(mendWith(fields, style(content))).toMatchObject({ status: 'mended', input: { content: value } });
  });
});
