/** The oracle for calls in dialects; `npm run fuzz -- collisions 200000 7 --dialects` looks longer. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../../../src/dialect/dialects/index.ts';
import { findingText } from '../report.ts';
import { search } from '../search.ts';
import { loadSource, type Source } from '../source.ts';
import { dialectMistakes } from './mistakes.ts';
import { formOf, piecesOf, rendered, written } from './pieces.ts';
import { readStrictPython } from './strict-python.ts';

const seed = Number(process.env.TOOLMEND_SEED ?? 1);
const options = { texts: 12_000, seed, dialects: true, template: ' in ' };

describe('guard: the oracle for dialects', () => {
  const value = { path: 'a.ts', content: 'say "hi"\nthere', tags: ['a', 'b'], options: { depth: 2, all: true } };

  it('writes calls as the library does, in every dialect', () => {
    const rows = dialects.filter((row) => formOf(row) !== undefined || row.frame !== undefined);
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows)
      expect([row.name, written(piecesOf(row, 'write_file', value))]).toEqual([
        row.name,
        rendered(row, 'write_file', value),
      ]);
  });

  it('makes every mistake', () => {
    const refusing: Source = { read: () => undefined };
    const { counts, collisions, findings } = search(refusing, { ...options, texts: 30_000 });
    expect(dialectMistakes.filter((mistake) => !counts.has(mistake)).map(({ name }) => name)).toEqual([]);
    expect(collisions).toBeGreaterThan(10);
    expect(findings).toEqual([]);
  });

  it('reports every call that differs from what was meant', () => {
    const careless: Source = { read: () => ({ value: { nobody: 'meant this' }, repairs: [] }) };
    const { texts, findings } = search(careless, { ...options, texts: 2000 });
    expect(findings.length).toBe(texts);
  });

  it.each([
    ['f(a="x\\n", b=[1, True, None])', { a: 'x\n', b: [1, true, null] }],
    ['[f(a=\'it\\\'s\', b={"c": """d"e""",})]', { a: "it's", b: { c: 'd"e' } }],
    ['f(a="x" "y")', undefined],
    ['f(a="x"  # y\n)', undefined],
    ['f("x")', undefined],
  ])('reads plain Python alone: %s', (text, read) => {
    expect(readStrictPython(text)?.value).toEqual(read);
  });
});

/** Mistakes with which a call is still read as another one. A mistake leaves this list when its rule exists. */
const open = new Set([
  'Python: quotes around doubled',
  'the closer of a parameter without its slash',
  'a closer with white space inside',
  'in JSON: quotations that lost the quotes around them',
  'a closer of a parameter lost',
  'a marker that opens twice',
  'the closer of another dialect',
  'plain quotes for those of the dialect, the text as it is',
  'in JSON: closed too early',
  'all quotes of the dialect lost',
  'the closer of another element of the call',
  'a closer without its last bracket',
  'in JSON: a string pasted raw',
  'Python: no quotes',
]);

describe('the library', () => {
  it('reads no call in a dialect that has another original, except for the open mistakes', async () => {
    const source = await loadSource(join(import.meta.dirname, '../../../..'));
    const found = search(source, options).findings.filter(({ mistake }) => !open.has(mistake.name));
    expect(found.length, found.slice(0, 5).map(findingText).join('\n')).toBe(0);
  });

  it('guard: names only mistakes that exist', () => {
    const names = new Set(dialectMistakes.map(({ name }) => name));
    expect([...open].filter((name) => !names.has(name))).toEqual([]);
  });
});
