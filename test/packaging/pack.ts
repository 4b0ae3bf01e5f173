import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The part of the manifest that is a promise to whoever installs the package. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
}

export const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The package as npm would publish it. */
export interface Packed {
  readonly tarball: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The package that `npm test` packed in this run; else one that is built and packed into a folder. */
export const packPackage = (into: string): Packed => {
  const packed = process.env.TOOLMEND_PACKAGE;
  const folder = packed && existsSync(join(packed, 'report.json')) ? packed : into;
  if (folder === into) execFileSync(process.execPath, [join(root, 'scripts/pack.ts'), into], { stdio: 'pipe' });
  return { ...JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')), tarball: join(folder, 'toolmend.tgz') };
};

/** Every entrance with code in it, by the name a user imports it under. */
export const entrances: readonly string[] = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path]) => manifest.name + path.slice(1));
