/**
 * Prints the components of the package as CycloneDX: its dependencies, in the newest versions that a user would get, and
 * what is bundled into it. Run: `npm run --silent sbom > sbom.cdx.json`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a CycloneDX document that is used here. */
export interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly Component[];
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
  readonly externalReferences: readonly { readonly type: string; readonly url: string }[];
}

/** Dev dependencies that reach users, because they are bundled into the inspector's page or into the modules. */
export const bundledIntoPage: readonly string[] = ['preact'];
export const bundledIntoModules: readonly string[] = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  'eventsource-parser',
  'prom-client',
];
const bundled = [...bundledIntoPage, ...bundledIntoModules];

/**
 * npm creates it in a separate folder, because here it would omit packages that are dev dependencies too. The folder's name
 * becomes the component's. The download URLs are omitted, because they depend on this machine.
 */
export const sbom = (): Bom => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  const { name, version, description, license, dependencies, devDependencies } = manifest;
  const extra = Object.fromEntries(bundled.map((one) => [one, devDependencies[one]]));
  const above = mkdtempSync(join(tmpdir(), 'toolmend-sbom-'));
  try {
    const cwd = join(above, name);
    mkdirSync(cwd);
    const lean = { name, version, description, license, dependencies: { ...dependencies, ...extra } };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(lean));
    const npm = (...args: string[]): string =>
      execFileSync('npm', [...args, '--package-lock-only', '--loglevel=error'], { cwd, encoding: 'utf8' });
    npm('install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const bom: Bom = JSON.parse(npm('sbom', '--sbom-format=cyclonedx'));
    return { ...bom, components: bom.components.map(withoutOrigin) };
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
};

const withoutOrigin = (component: Component): Component => ({
  ...component,
  externalReferences: component.externalReferences.filter(({ type }) => type !== 'distribution'),
});

if (import.meta.main) console.log(JSON.stringify(sbom(), null, 2));
