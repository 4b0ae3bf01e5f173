import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifest } from '../pack.ts';
import type { Stage } from '../stage.ts';

/** What somebody with too old a Node is told. */
export const oldNodeSuite = (stage: () => Stage): void => {
  const bin = (): string => join(stage().bare, 'node_modules', manifest.name, String(manifest.bin.toolmend));

  it.each(['12.22.0', '20.20.2', '22.17.1'])('says in one line that Node %s is too old', (version) => {
    const disguise = join(stage().bare, 'disguise.cjs');
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
       Object.defineProperty(process, 'version', { value: 'v${version}' });`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', disguise, bin(), 'mend'], {
      encoding: 'utf8',
      input: '',
      timeout: 60_000,
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
};
