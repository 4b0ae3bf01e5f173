import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledIntoModules, bundledIntoPage, sbom } from '../../../scripts/sbom.ts';
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

  const passedOn = (path: string): { name: string; version: string; licence: string; text: string }[] => {
    const page = readFileSync(join(stage().bare, 'node_modules', manifest.name, path), 'utf8');
    return [...page.matchAll(/^## (\S+) - (\S+) \(([^)]+)\)$([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(
      ([, name = '', version = '', licence = '', text = '']) => ({ name, version, licence, text }),
    );
  };

  it.each([
    ['dist/web/licences.md', [...bundledIntoPage, 're2js']],
    ['dist/licences.md', bundledIntoModules],
  ])('passes on the licences of what is bundled, in %s', (path, expected) => {
    const all = passedOn(path);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining([...expected]));
    expect(all.filter(({ licence }) => !allowed.includes(licence))).toEqual([]);
    expect(all.filter(({ text }) => !/copyright/i.test(text))).toEqual([]);
  });

  it('lists all of them in its SBOM, which says nothing of where they were fetched', () => {
    const bom = sbom();
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version: manifest.version } } });
    expect(bom.metadata.component.name).toBe(manifest.name);
    const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
    const brought = installed().map(({ name, version }) => `${name}@${version}`);
    const included = [...passedOn('dist/web/licences.md'), ...passedOn('dist/licences.md')].map(
      ({ name, version }) => `${name}@${version}`,
    );
    expect([...brought, ...included].filter((one) => !listed.includes(one))).toEqual([]);
    expect(bom.components.filter(({ licenses }) => !allowed.includes(String(licenses?.[0]?.license?.id)))).toEqual([]);
    const registry = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim());
    expect(JSON.stringify(bom)).not.toContain(`//${registry.host}`);
  });
};
