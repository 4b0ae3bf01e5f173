import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { entriesByImport } from '../scripts/entries.ts';
import { expectedOutput } from '../scripts/expected-output.ts';
import { findCommands } from '../scripts/find-commands.ts';
import { findFences } from '../scripts/find-fences.ts';
import { findLinks } from '../scripts/find-links.ts';
import { typeErrors } from '../scripts/type-errors.ts';
import { runCli } from './cli/run-cli.ts';
import { fetched } from './packaging/node-of.ts';
import type { Ran } from './run-modules.ts';
import { isLong } from './sample.ts';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', '.github/**/*.md'], { cwd: root }).sort();
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const toSource = (code: string): string =>
  code.replace(/(\bfrom\s+|\bimport\(\s*|\bimport\s+)(['"])([^'"\n]+)\2/g, (all, lead, quote, name) => {
    // An example stands in the project's folder.
    const entry = entriesByImport[name] ?? (name.startsWith('./') && name);
    return entry ? `${lead}${quote}${pathToFileURL(join(root, entry))}${quote}` : all;
  });

const blocks = pages.flatMap((page) =>
  findFences(read(page)).map((fence) => ({ ...fence, where: `${page}:${fence.line}` })),
);
const examples = blocks.filter(({ info }) => info === 'ts' || info === 'ts no-run');
const runnable = examples.filter(({ info }) => info === 'ts');
const commands = blocks
  .filter(({ info }) => info === 'sh run')
  .flatMap(({ code, where }) => findCommands(code).map((one) => ({ ...one, where })));

/** Runs with the colours of a pipe, whatever the terminal of whoever runs the tests. */
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };

/** Runs an example in a process of its own. */
const runAlone = (code: string): Ran => {
  const args = ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-'];
  const input = toSource(code);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

/** Runs all examples in one process, one after the other. */
const runTogether = (codes: readonly string[]): Ran[] => {
  // Where packages are found from, and nothing else looks.
  const cache = join(root, 'node_modules/.cache/toolmend');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'examples-'));
  try {
    const files = codes.map((code, index) => {
      const file = join(folder, `${index}.mjs`);
      writeFileSync(file, stripTypeScriptTypes(toSource(code)));
      return file;
    });
    const report = join(folder, 'report.json');
    const program = join(import.meta.dirname, 'run-modules.ts');
    const args = ['--disable-warning=ExperimentalWarning', program, report, ...files];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(readFileSync(report, 'utf8')) as Ran[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What a shell prints for a command, with `toolmend` as defined. */
const inShell = (toolmend: string, command: string): string =>
  spawnSync('bash', ['-c', `exec 2>&1\n${toolmend}\nnpx() { "$@"; }\n${command}`], { cwd: root, env, encoding: 'utf8' })
    .stdout;

/** What a command prints that is nothing but one `toolmend`, and perhaps its exit code: that needs no process. */
async function runAsOne(command: string): Promise<string | undefined> {
  const [, one = '', end] = /^(toolmend [^\n]*?)(; echo "exit code \$\?")?$/.exec(command) ?? [];
  // Nothing that only a shell does, outside of quotes.
  if (isLong || one === '' || /[|;&<>$`]/.test(one.replace(/'[^']*'|"[^"$`\\]*"/g, ''))) return undefined;
  const words = inShell(`toolmend() { printf '%s\\0' "$@"; }`, one).split('\0').slice(0, -1);
  const said = await runCli(words, { cwd: root });
  return said.output + (end ? `exit code ${said.status}` : '');
}

describe('examples in the docs', () => {
  let together: Ran[] = [];
  beforeAll(() => {
    if (!isLong) together = runTogether(runnable.map(({ code }) => code));
  });

  it('are there', () => {
    expect(runnable).not.toEqual([]);
  });

  it('pass the type checker', () => {
    expect(typeErrors(examples, entriesByImport)).toEqual([]);
  });

  // The settings of the project include `strict`, `exactOptionalPropertyTypes` and `noUncheckedIndexedAccess`.
  it.each(isLong ? ['5.9', '6.0'] : [])('pass the type checker of TypeScript %s', { timeout: 300_000 }, (version) => {
    const compiler = version === '6.0' ? join(root, 'node_modules/typescript') : fetched('typescript', version);
    expect(typeErrors(examples, entriesByImport, compiler)).toEqual([]);
  });

  it.each(runnable.map((one, index) => ({ ...one, index })))(
    '$where runs and prints what it says',
    ({ code, index }) => {
      const { status, stdout, stderr } = together[index] ?? runAlone(code);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const expected = expectedOutput(code);
      if (expected)
        expect(
          stdout
            .trimEnd()
            .split('\n')
            .map((line) => line.trimEnd()),
        ).toEqual(expected);
    },
  );

  it.each(commands)('$where prints what it shows: $command', async ({ command, output }) => {
    const shown =
      (await runAsOne(command)) ?? inShell(`toolmend() { "${process.execPath}" src/cli/main.ts "$@"; }`, command);
    expect(shown.trimEnd()).toBe(output);
  });
});

/** Files that the package exports. */
const packageFiles = Object.values<string | Record<string, string>>(manifest.exports).flatMap((file) =>
  typeof file === 'string' ? file : Object.values(file),
);
/** Built or fetched files, which a reader of the page doesn't have. */
const unkept = /^(\.\.|node_modules|dist|\.bench)(\/|$)/;

describe('links in the docs', () => {
  it.each(pages)('%s leads nowhere that is not there', (page) => {
    const { targets, undefined: names, wordless } = findLinks(read(page));
    const dead = targets.filter((target) => {
      const [path = '', anchor] = decodeURI(target).split('#');
      const file = path ? join(root, dirname(page), path) : join(root, page);
      if (!existsSync(file) || unkept.test(relative(root, file))) return true;
      return anchor && file.endsWith('.md') && !findLinks(read(relative(root, file))).anchors.includes(anchor);
    });
    expect({ dead, names, wordless }).toEqual({ dead: [], names: [], wordless: [] });
  });

  it.each(pages)('%s names files of the package that it has', (page) => {
    const named = [...read(page).matchAll(/node_modules\/toolmend\/([\w./-]+\w)/g)].map(([, path]) => `./${path}`);
    expect(named.filter((path) => !packageFiles.includes(path))).toEqual([]);
  });

  // Whether somebody still answers there can't be known without a network; whether it is an address of the world can.
  it.each(pages)('%s leads outside by whole addresses alone', (page) => {
    const odd = findLinks(read(page)).outside.filter((address) => {
      if (!URL.canParse(address)) return true;
      const { protocol, hostname, port } = new URL(address);
      return (
        protocol !== 'mailto:' &&
        (protocol !== 'https:' || port !== '' || !/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}$/.test(hostname))
      );
    });
    expect(odd).toEqual([]);
  });
});
