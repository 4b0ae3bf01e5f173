import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A code example and its position. */
export interface Example {
  readonly code: string;
  readonly where: string;
}

/**
 * Type-checks examples as one program, each as a module in the project's folder.
 * `entries` maps imports of the package to source files.
 *
 * @param compiler the folder of a version of TypeScript
 */
export const typeErrors = (
  examples: readonly Example[],
  entries: Readonly<Record<string, string>>,
  compiler = join(root, 'node_modules/typescript-7'),
): string[] => {
  mkdirSync(join(root, '.bench'), { recursive: true });
  const folder = mkdtempSync(join(root, '.bench/examples-'));
  try {
    for (const [index, { code }] of examples.entries()) writeFileSync(join(folder, `${index}.ts`), code);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor(entries)));
    return problems(folder, compiler).map(({ file, message }) => {
      const example = examples[Number(basename(file, '.ts'))];
      return `${example?.where ?? file}: ${message}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The project's settings, except that examples may have unused declarations. */
const configFor = (entries: Readonly<Record<string, string>>): object => ({
  extends: '../../tsconfig.json',
  compilerOptions: {
    paths: Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, [`../../${entry}`]])),
    // What an example imports by a relative path stands in the project's folder.
    rootDirs: ['../..', '.'],
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: 'force',
  },
  include: ['*.ts'],
});

/** What the compiler reports: a line for each problem, and its details in lines that are indented. */
function problems(folder: string, compiler: string): { file: string; message: string }[] {
  // Several checkers of the native compiler would check the types of libraries once each.
  const checkers = compiler.endsWith('typescript-7') ? ['--checkers', '1'] : [];
  const args = [join(compiler, 'bin/tsc'), ...checkers, '--pretty', 'false', '-p', folder];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const lines = stdout.replace(/\n +/g, ' ').trim().split('\n').filter(Boolean);
  const found = lines.map((line) => {
    const [, file = line, message = stderr] = /^(.+?)\(\d+,\d+\): error TS\d+: (.*)$/.exec(line) ?? [];
    return { file, message };
  });
  return status === 0 || found.length > 0 ? found : [{ file: folder, message: stderr }];
}
