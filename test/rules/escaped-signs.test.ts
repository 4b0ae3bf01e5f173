/** Escaped signs: a pattern needs their backslash, and Markdown and shells write it in ordinary text and in paths. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const raw = String.raw;
const schema = closed({ text: string });

const certain = [
  raw`^\[a-z\]+$`,
  raw`\(\d+\)`,
  raw`\[\w+\]`,
  raw`(foo|bar)\(`,
  raw`console\.log\(`,
  raw`\[[^\]]*\]`,
  raw`\)$`,
  raw`^\(`,
  raw`(?:a)\(`,
  raw`\(.*\)`,
  raw`s/\(a\)/\1/`,
  raw`find . \( -name a -o -name b \)`,
  raw`\[ x^2 \]`,
  raw`\(\alpha\)`,
  raw`\d+\.\d+`,
  raw`index\.ts`,
  raw`C:\Users`,
];

const doubtful = [
  raw`app/\[id\]/page.tsx`,
  raw`app/\(auth\)/x`,
  raw`src/\{a,b\}.ts`,
  raw`\[id\]`,
  raw`see \[the docs\](a.md)`,
  raw`foo\(bar\)`,
  raw`file\-name`,
  raw`a\+b`,
  raw`a \| b`,
];

describe('an escaped sign keeps its backslash', () => {
  const read = (text: string, effect: 'write' | 'destructive') => mendWith(schema, `{"text": "${text}"}`, { effect });

  it.each(certain)('lossless in %s', (text) => {
    expect(read(text, 'destructive')).toMatchObject({ status: 'mended', input: { text } });
  });

  it.each(doubtful)('inferred in %s', (text) => {
    expect(read(text, 'write')).toMatchObject({ status: 'mended', input: { text } });
    expect(read(text, 'destructive')).toMatchObject({ status: 'invalid', problems: [{ code: 'not_exact' }] });
  });

  it.each([...certain, ...doubtful])('guard: as JSON escapes it: %s', (text) => {
    expect(mendWith(schema, JSON.stringify({ text }), { effect: 'destructive' })).toMatchObject({ status: 'ok' });
  });
});
