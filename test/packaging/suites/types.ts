import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isLong } from '../../sample.ts';
import { entrances } from '../pack.ts';
import { compilerOf, compilers, type Stage } from '../stage.ts';

/** Entrances that run in a browser, and so must be typed without Node's types. */
const anywhere = ['toolmend', 'toolmend/json', 'toolmend/dialect'];

/** The frameworks' own declarations cost a compiler a minute, so that one look of the newest one at all of them is enough. */
const frameworks = ['toolmend/ai-sdk', 'toolmend/langchain', 'toolmend/openai-agents'];
const lean = entrances.filter((name) => !frameworks.includes(name));

/** The projects of users: how modules are found, what is checked, which entrances are imported. */
const allProjectsOf = (version: string): readonly (readonly [string, object, readonly string[]])[] => [
  ['nodenext', { module: 'nodenext' }, isLong && version === compilers[0] ? entrances : lean],
  ['node16, and exact optional properties', { module: 'node16', exactOptionalPropertyTypes: true }, lean],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }, lean],
  [
    'a bundler, declarations unchecked',
    { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true },
    entrances,
  ],
  ['a browser, without the types of Node', { module: 'esnext', moduleResolution: 'bundler', types: [] }, anywhere],
];

/** The first for the newest compiler, and the last, which costs little, for the one before; all for both in a long run. */
const projectsOf = (version: string) => {
  const all = allProjectsOf(version);
  return isLong ? all : version === compilers[0] ? all.slice(0, 1) : all.slice(-1);
};

/** A typed use of the package: what a tool gets is what its schema says, and nothing is `any` by accident. */
const use = `
import { mend, Toolbox, tool } from 'toolmend';
const add = tool({
  name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
});
const outcome = mend({ name: 'add', arguments: '{"a": 1}' }, new Toolbox([add]));
export const status: 'ok' | 'mended' | 'invalid' = outcome.status;
// @ts-expect-error a status is none of these
export const wrong: 'fine' = outcome.status;
`;

/** What a compiler says of the types in a user's project. */
export const typesSuite = (stage: () => Stage, version: string): void => {
  const base = {
    strict: true,
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable'],
    noEmit: true,
    types: ['node'],
  };

  it.each(projectsOf(version))(
    'pass with %s',
    (_name, settings, imported) => {
      const { full } = stage();
      const imports = imported.map((name, at) => `import * as entrance${at} from '${name}';`);
      const all = `export const all = [${imported.map((_one, at) => `entrance${at}`).join(', ')}];`;
      writeFileSync(join(full, 'use.ts'), [...imports, all, use].join('\n'));
      const config = { compilerOptions: { ...base, ...settings }, files: ['use.ts'] };
      writeFileSync(join(full, 'tsconfig.json'), JSON.stringify(config));
      const compiler = compilerOf(version, full);
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [compiler, ...args], { cwd: full, encoding: 'utf8', timeout: 240_000 });
      expect(run('--version').stdout).toContain(`Version ${version}`);
      // Several checkers of the native compiler would check the types of libraries once each.
      const checkers = Number(version) >= 7 ? ['--checkers', '1'] : [];
      expect(run(...checkers, '-p', '.')).toMatchObject({ stdout: '', status: 0 });
    },
    300_000,
  );
};
