import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** A user's project, with the package as it would be published in its `node_modules`. */
const project = mkdtempSync(join(tmpdir(), 'toolmend-package-'));
const installed = join(project, 'node_modules', manifest.name);
let packed: string[] = [];

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'pipe' });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const [report] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  packed = report.files.map((file: { path: string }) => file.path);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, report.filename), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    const target = join(project, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), target);
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const bin = (): string => join(installed, manifest.bin.toolmend);

describe('the package', () => {
  it('holds the build, its sources and the papers, and no tests', () => {
    for (const folder of ['dist/', 'src/']) expect(packed.some((path) => path.startsWith(folder))).toBe(true);
    expect(packed).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']));
    expect(packed.filter((path) => /[.]test[.]|^(?!dist\/|src\/)[^/]+\//.test(path))).toEqual([]);
  });

  it('has every source its maps point at', () => {
    const maps = packed.filter((path) => path.endsWith('.map'));
    expect(maps).not.toEqual([]);
    for (const path of maps) {
      const { sources } = JSON.parse(readFileSync(join(installed, path), 'utf8'));
      for (const source of sources) expect(existsSync(join(installed, dirname(path), source)), source).toBe(true);
    }
  });

  it('is imported by its name, with its types beside it', () => {
    const script = join(project, 'use.mjs');
    writeFileSync(script, `import * as all from 'toolmend'; console.log(typeof all.mend);`);
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('function\n');
    const types = readFileSync(join(installed, manifest.exports['.'].types), 'utf8');
    expect(types).not.toMatch(/from ['"]\.[^'"]*\.ts['"]/);
  });

  it('runs from the command line', () => {
    const { status, stdout } = spawnSync(process.execPath, [bin(), '--help'], { encoding: 'utf8' });
    expect(stdout).toContain('toolmend mend');
    expect(status).toBe(0);
  });

  it.each(['12.22.0', '20.20.2', '22.17.1'])('says in one line that Node %s is too old', (version) => {
    const disguise = join(project, 'disguise.cjs');
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
       Object.defineProperty(process, 'version', { value: 'v${version}' });`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', disguise, bin(), 'mend'], {
      encoding: 'utf8',
      input: '',
    });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]*22\.18[^\n]*\n$/);
    expect(stderr).toContain(version);
    expect(status).not.toBe(0);
  });

  it('starts with a file an old Node can read: nothing newer than ES2020, and no import before the version is known', () => {
    const main = readFileSync(bin(), 'utf8');
    expect(main).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(main).not.toMatch(/^\s*(?:import\s*[\w{*'"]|export\s.*\bfrom\b|.*\bawait\b)/m);
    expect(main).not.toMatch(/\?\?=|\|\|=|&&=|\.at\(|static\s*\{/);
  });
});
