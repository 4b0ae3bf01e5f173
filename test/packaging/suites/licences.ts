import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundled, sbom } from '../../../scripts/sbom.ts';
import { manifest } from '../pack.ts';
import type { Stage } from '../stage.ts';

/** Licences that ask for no more than that they are passed on. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

interface Installed {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** What comes with the package, and under which licences. */
export const licencesSuite = (stage: () => Stage): void => {
  const installed = (): Installed[] =>
    globSync('**/node_modules/{*,@*/*}/package.json', { cwd: stage().bare })
      .map((path) => JSON.parse(readFileSync(join(stage().bare, path), 'utf8')))
      .filter(({ name }) => name !== manifest.name);

  it('brings packages under allowed licences alone', () => {
    expect(installed().length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
    expect(installed().filter(({ license }) => !allowed.includes(String(license)))).toEqual([]);
  });

  it('passes on the licences of what is bundled into its page', () => {
    const page = readFileSync(join(stage().bare, 'node_modules', manifest.name, 'dist/web/licences.md'), 'utf8');
    const named = [...page.matchAll(/^## (\S+) - \S+ \(([^)]+)\)$/gm)].map(([, name, licence]) => ({ name, licence }));
    expect(named.map(({ name }) => name)).toEqual([...bundled, 're2js']);
    expect(named.filter(({ licence }) => !allowed.includes(String(licence)))).toEqual([]);
    for (const { name } of named) expect(page).toMatch(new RegExp(`## ${name}[^#]+(?:Copyright|copyright)`));
  });

  it('lists all of them in its SBOM, which says nothing of where they were fetched', () => {
    const bom = sbom();
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version: manifest.version } } });
    expect(bom.metadata.component.name).toBe(manifest.name);
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
    const brought = installed().map(({ name, version }) => `${name}@${version}`);
    const inPage = bundled.map((name) => `${name}@${manifest.devDependencies[name]}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set([...brought, ...inPage])].sort());
    expect(bom.components.filter(({ licenses }) => !allowed.includes(String(licenses?.[0]?.license?.id)))).toEqual([]);
    const registry = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim());
    expect(JSON.stringify(bom)).not.toContain(`//${registry.host}`);
  });
};
