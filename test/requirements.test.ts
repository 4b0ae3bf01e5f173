/** docs/requirements.md and the tests cite the same rows. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/requirements.md');
const rows = [...page.matchAll(/^\| ([SCF]\d+(?:\.\d+)?) \|/gm)].map(([, row]) => row as string);

/** Rows that titles of tests and headers of test files begin with: `it('F6 …`, `describe('C2 C27 …`, `/** C29 …`. */
const cited = new Set(
  globSync(['src/**/*.test.ts', 'test/**/*.ts', 'web/**/*.test.ts', 'bench/**/*.test.ts'], { cwd: root }).flatMap(
    (file) =>
      [...read(file).matchAll(/(?:['"`](?:guard: )?|^\/\*\* )((?:[SCF]\d+(?:\.\d+)? )+)/gm)].flatMap(([, cites]) =>
        (cites as string).trim().split(' '),
      ),
  ),
);

describe('requirements', () => {
  it('number each row once', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([]);
  });

  it('have a test for each row', () => {
    expect(rows.filter((row) => !cited.has(row))).toEqual([]);
  });

  it('have a row for each number that a test cites', () => {
    expect([...cited].filter((row) => !rows.includes(row))).toEqual([]);
  });
});
