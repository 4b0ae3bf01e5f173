import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

/** Runs the cruiser over the `src/` of a folder, and its `web/` where there is one, with the rules of this project. */
const cruise = (folder: string): Promise<{ modules: number; violations: Violation[] }> => {
  const sources = ['src', 'web'].filter((name) => existsSync(join(folder, name)));
  const program = join(root, 'node_modules/.bin/depcruise');
  const args = [program, '--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', ...sources];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => {
      if (!stdout) return reject(new Error(stderr));
      const { summary } = JSON.parse(stdout);
      resolve({ modules: summary.totalCruised, violations: summary.violations });
    });
  });
};

/** A project of a few files, cruised and thrown away: the names of the rules it breaks. */
const rulesBrokenBy = async (files: Record<string, string>): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-layers-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), readFileSync(join(root, 'tsconfig.json')));
    writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { violations } = await cruise(folder);
    return [...new Set(violations.map((violation) => violation.rule.name))].sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('S3.1 layers are one-way', () => {
  it('S3.1 src breaks no rule', async () => {
    const { modules, violations } = await cruise(root);
    expect(modules).toBeGreaterThan(10);
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  const a = 'export const a = 1;\n';
  const use = (path: string): string => `import { a } from '${path}';\nexport const b = a;\n`;

  it.each<[string, string[], Record<string, string>]>([
    ['a layer that uses one before it', [], { 'src/json/a.ts': a, 'src/tools/b.ts': use('../json/a.ts') }],
    [
      'tool that uses a provider',
      ['layer-tools'],
      { 'src/provider/a.ts': a, 'src/tools/b.ts': use('../provider/a.ts') },
    ],
    [
      'the type of a later layer',
      ['layer-json'],
      { 'src/mend/a.ts': 'export type A = 1;', 'src/json/b.ts': `export type { A } from '../mend/a.ts';` },
    ],
    [
      'run that uses a provider',
      ['run-without-provider'],
      { 'src/provider/a.ts': a, 'src/run/b.ts': use('../provider/a.ts') },
    ],
    ['provider that uses run', ['layer-provider'], { 'src/run/a.ts': a, 'src/provider/b.ts': use('../run/a.ts') }],
    ['a value of model', ['model-types-only'], { 'src/model/a.ts': a, 'src/mend/b.ts': use('../model/a.ts') }],
    [
      'a type of model',
      [],
      {
        'src/model/a.ts': 'export interface A { a: 1 }',
        'src/mend/b.ts': `import type { A } from '../model/a.ts';\nexport const b: A = { a: 1 };`,
      },
    ],
    [
      'Node in the core',
      ['core-runs-anywhere'],
      { 'src/dialect/b.ts': `import { join } from 'node:path';\nexport { join };` },
    ],
    ['Node at an entrance', [], { 'src/cli/b.ts': `import { join } from 'node:path';\nexport { join };` }],
    ['ajv in the core', [], { 'src/schema/b.ts': `import { Ajv } from 'ajv';\nexport { Ajv };` }],
    [
      'another package in the core',
      ['core-packages'],
      { 'src/schema/b.ts': `import { z } from 'zod';\nexport { z };` },
    ],
    [
      'a dev dependency in what ships',
      ['no-dev-packages'],
      { 'src/cli/b.ts': `import { string } from 'valibot';\nexport { string };` },
    ],
    ['an entry inside a layer', ['no-entry-import'], { 'src/index.ts': a, 'src/cli/b.ts': use('../index.ts') }],
    [
      'a folder that is no layer',
      ['listed-folders', 'listed-folders-from'],
      { 'src/odd/a.ts': use('./c.ts'), 'src/odd/c.ts': a },
    ],
    ['a file outside src', ['stays-in-src'], { 'test/a.ts': a, 'src/cli/b.ts': use('../../test/a.ts') }],
    ['the page in what ships', ['not-to-page'], { 'web/a.ts': a, 'src/cli/b.ts': use('../../web/a.ts') }],
    ['a page that uses a layer', ['page-imports'], { 'src/run/a.ts': a, 'web/b.ts': use('../src/run/a.ts') }],
    ['a page that uses the log', [], { 'src/log/a.ts': a, 'web/b.ts': use('../src/log/a.ts') }],
    ['a test that is imported', ['not-to-test'], { 'src/json/a.test.ts': a, 'src/json/b.ts': use('./a.test.ts') }],
    [
      'a cycle',
      ['no-cycles'],
      {
        'src/json/a.ts': `import { b } from './b.ts';\nexport const a = (): unknown => b;`,
        'src/json/b.ts': `import { a } from './a.ts';\nexport const b = (): unknown => a;`,
      },
    ],
    ['a file nobody needs', ['no-orphans'], { 'src/json/a.ts': a }],
    ['an import that leads nowhere', ['resolvable'], { 'src/json/a.ts': use('./gone.ts') }],
  ])('S3.1 of %s the cruiser says %j', async (_case, rules, files) => {
    expect(await rulesBrokenBy(files)).toEqual(rules);
  });

  it('S3.1 model holds types only', () => {
    const folder = join(root, 'src/model');
    const files = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
    expect(files).not.toEqual([]);
    for (const file of files) {
      const code = ts.transpile(readFileSync(join(folder, file), 'utf8'), {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ESNext,
        verbatimModuleSyntax: true,
        removeComments: true,
      });
      expect([file, code.trim()]).toEqual([file, 'export {};']);
    }
  });
});
