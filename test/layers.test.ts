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
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const { layers }: { layers: readonly string[] } = await import(join(root, '.dependency-cruiser.mjs'));

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

interface Case {
  readonly what: string;
  /** The names of the rules that its files break. */
  readonly rules: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const a = 'export const a = 1;\n';
const use = (path: string): string => `import { a } from '${path}';\nexport const b = a;\n`;

const cases: readonly Case[] = [
  {
    what: 'a layer that uses one before it',
    rules: [],
    files: { 'src/json/a.ts': a, 'src/tools/b.ts': use('../json/a.ts') },
  },
  {
    what: 'tool that uses a provider',
    rules: ['layer-tools'],
    files: { 'src/provider/a.ts': a, 'src/tools/b.ts': use('../provider/a.ts') },
  },
  {
    what: 'the type of a later layer',
    rules: ['layer-json'],
    files: { 'src/mend/a.ts': 'export type A = 1;', 'src/json/b.ts': `export type { A } from '../mend/a.ts';` },
  },
  {
    what: 'run that uses a provider',
    rules: ['run-without-provider'],
    files: { 'src/provider/a.ts': a, 'src/run/b.ts': use('../provider/a.ts') },
  },
  {
    what: 'provider that uses run',
    rules: ['layer-provider'],
    files: { 'src/run/a.ts': a, 'src/provider/b.ts': use('../run/a.ts') },
  },
  {
    what: 'a value of model',
    rules: ['model-types-only'],
    files: { 'src/model/a.ts': a, 'src/mend/b.ts': use('../model/a.ts') },
  },
  {
    what: 'a type of model',
    rules: [],
    files: {
      'src/model/a.ts': 'export interface A { a: 1 }',
      'src/mend/b.ts': `import type { A } from '../model/a.ts';\nexport const b: A = { a: 1 };`,
    },
  },
  {
    what: 'Node in the core',
    rules: ['core-runs-anywhere'],
    files: { 'src/dialect/b.ts': `import { join } from 'node:path';\nexport { join };` },
  },
  {
    what: 'Node at an entrance',
    rules: [],
    files: { 'src/cli/b.ts': `import { join } from 'node:path';\nexport { join };` },
  },
  { what: 'ajv in the core', rules: [], files: { 'src/schema/b.ts': `import { Ajv } from 'ajv';\nexport { Ajv };` } },
  {
    what: 'another package in the core',
    rules: ['core-packages'],
    files: { 'src/schema/b.ts': `import { z } from 'zod';\nexport { z };` },
  },
  {
    what: 'a dev dependency in what ships',
    rules: ['no-dev-packages'],
    files: { 'src/cli/b.ts': `import { string } from 'valibot';\nexport { string };` },
  },
  {
    what: 'an entry inside a layer',
    rules: ['no-entry-import'],
    files: { 'src/index.ts': a, 'src/cli/b.ts': use('../index.ts') },
  },
  {
    what: 'a folder that is no layer',
    rules: ['listed-folders', 'listed-folders-from'],
    files: { 'src/odd/a.ts': use('./c.ts'), 'src/odd/c.ts': a },
  },
  {
    what: 'a file outside src',
    rules: ['stays-in-src'],
    files: { 'test/a.ts': a, 'src/cli/b.ts': use('../../test/a.ts') },
  },
  {
    what: 'the page in what ships',
    rules: ['not-to-page'],
    files: { 'web/a.ts': a, 'src/cli/b.ts': use('../../web/a.ts') },
  },
  {
    what: 'a page that uses a layer',
    rules: ['page-imports'],
    files: { 'src/run/a.ts': a, 'web/b.ts': use('../src/run/a.ts') },
  },
  { what: 'a page that uses the log', rules: [], files: { 'src/log/a.ts': a, 'web/b.ts': use('../src/log/a.ts') } },
  {
    what: 'a test that is imported',
    rules: ['not-to-test'],
    files: { 'src/json/a.test.ts': a, 'src/json/b.ts': use('./a.test.ts') },
  },
  {
    what: 'a cycle',
    rules: ['no-cycles'],
    files: {
      'src/json/a.ts': `import { b } from './b.ts';\nexport const a = (): unknown => b;`,
      'src/json/b.ts': `import { a } from './a.ts';\nexport const b = (): unknown => a;`,
    },
  },
  { what: 'a file nobody needs', rules: ['no-orphans'], files: { 'src/json/a.ts': a } },
  { what: 'an import that leads nowhere', rules: ['resolvable'], files: { 'src/json/a.ts': use('./gone.ts') } },
];

/** Every direction there is between two layers, with the rule that forbids it. */
const directions: readonly Case[] = layers.flatMap((from, at) =>
  layers
    .filter((to) => to !== from)
    .map((to): Case => {
      const later = layers.indexOf(to) > at;
      const typeOnly = to === 'model';
      const b = typeOnly ? `import type { A } from '../model/a.ts';\nexport const b: A = 1;\n` : use(`../${to}/a.ts`);
      const rules = from === 'run' && to === 'provider' ? ['run-without-provider'] : later ? [`layer-${from}`] : [];
      const files = { [`src/${to}/a.ts`]: typeOnly ? 'export type A = 1;\n' : a, [`src/${from}/b.ts`]: b };
      return { what: `${from} that uses ${to}`, rules, files };
    }),
);

/** One project for all cases: each has files of its own, whose names begin with its number. */
const nameOf = (path: string, index: number): string => join(dirname(path), `n${index}-${basename(path)}`);
const textOf = (text: string, index: number): string =>
  text.replace(/(from '\.[^']*\/)([^'/]+')/g, (_all, lead, name) => `${lead}n${index}-${name}`);

/** The rules that each case breaks: one run of the cruiser over all of them. */
const rulesBrokenBy = async (all: readonly Case[]): Promise<string[][]> => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-layers-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), readFileSync(join(root, 'tsconfig.json')));
    writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [index, { files }] of all.entries())
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, nameOf(path, index));
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, textOf(text, index));
      }
    const { violations } = await cruise(folder);
    const broken = all.map(() => new Set<string>());
    for (const { rule, from } of violations) broken[Number(/^n(\d+)-/.exec(basename(from))?.[1])]?.add(rule.name);
    return broken.map((rules) => [...rules].sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('S3.1 layers are one-way', () => {
  const all = [...cases, ...directions];
  let broken: string[][];
  beforeAll(async () => {
    broken = await rulesBrokenBy(all);
  });

  it('S3.1 src breaks no rule', async () => {
    const { modules, violations } = await cruise(root);
    expect(modules).toBeGreaterThan(10);
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it.each(cases.map(({ what, rules }, index) => [what, rules, index] as const))(
    'S3.1 of %s the cruiser says %j',
    (_case, rules, index) => {
      expect(broken[index]).toEqual(rules);
    },
  );

  it('S3.1 every direction between two layers is allowed or reported as the order says', () => {
    const told = (rules: (at: number) => readonly string[] | undefined) =>
      directions.map(({ what }, at) => `${what}: ${rules(at)?.join(' ')}`);
    expect(directions).toHaveLength(layers.length * (layers.length - 1));
    expect(told((at) => broken[cases.length + at])).toEqual(told((at) => directions[at]?.rules));
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
