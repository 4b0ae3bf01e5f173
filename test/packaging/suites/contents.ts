import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { portableEntries } from '../../../scripts/entries.ts';
import { manifest, root } from '../pack.ts';
import type { Stage } from '../stage.ts';

const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];

/** Everything that may be in the package. Its modules need no maps: they aren't minified. */
const shapes = [
  /^dist\/(?:chunks\/)?[\w.-]+\.(?:js|d\.ts)$/,
  /^dist\/web\/(?:index\.html|licences\.md|[\w-]+\.(?:css|js|svg)|assets\/[\w-]+\.(?:css|js))$/,
  /^dist\/(?:licences\.md|[\w-]+\.schema\.json)$/,
];

const KB = 1024;
const limits = { files: 150, file: 1200 * KB, packed: 1400 * KB, unpacked: 6000 * KB };
/** With its dependencies, in an empty project. */
const installLimits = { packages: 8, bytes: 8_000_000 };

/** What `npm pack` puts into the package. */
export const contentsSuite = (stage: () => Stage): void => {
  const paths = (): string[] => stage().packed.files.map((file) => file.path);
  const installed = (path: string): string => join(stage().bare, 'node_modules', manifest.name, path);
  const text = (path: string): string => readFileSync(installed(path), 'utf8');

  it('holds the build and the papers, and nothing else', () => {
    expect(paths()).toEqual(expect.arrayContaining(papers));
    expect(paths().filter((path) => !papers.includes(path) && !shapes.some((shape) => shape.test(path)))).toEqual([]);
  });

  it('is no larger than it should be', () => {
    const { files, size, unpackedSize } = stage().packed;
    expect(files.length).toBeLessThanOrEqual(limits.files);
    expect(files.filter((file) => file.size > limits.file)).toEqual([]);
    expect(size).toBeLessThan(limits.packed);
    expect(unpackedSize).toBeLessThan(limits.unpacked);
  });

  it('has every file its manifest names', () => {
    const targets = Object.values(manifest.exports).flatMap((one) =>
      typeof one === 'string' ? one : Object.values(one),
    );
    const named = [...targets, ...Object.values(manifest.bin)].map((path) => path.replace('./', ''));
    expect(named.filter((path) => !paths().includes(path))).toEqual([]);
  });

  it('has the page, with every file it asks for', () => {
    const asked = [...text('dist/web/index.html').matchAll(/(?:src|href)="\/inspector\/([^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(asked).not.toEqual([]);
    for (const path of asked) expect(paths()).toContain(`dist/web/${path}`);
  });

  it.each(portableEntries)('has the entry %s without Node, for browsers and edge workers', async (name) => {
    const entry = name === 'index' ? manifest.name : `${manifest.name}/${name}`;
    const options = { bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'silent' } as const;
    const stdin = { contents: `export * from '${entry}'`, resolveDir: stage().full };
    const { errors } = await build({ ...options, stdin });
    expect(errors).toEqual([]);
  });

  it('brings few packages and little data', () => {
    const files = globSync('node_modules/**', { cwd: stage().bare, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: stage().bare });
    expect(packages.length).toBeLessThanOrEqual(installLimits.packages);
    expect(bytes).toBeLessThan(installLimits.bytes);
  });

  it('imports no package but its dependencies and optional peers', () => {
    const modules = paths().filter((path) => /^dist\/(?:chunks\/)?[^/]+\.(?:js|d\.ts)$/.test(path));
    const imported = modules.flatMap((path) =>
      [...text(path).matchAll(/^(?:import|export)\b[^'";]*\bfrom "((?:@[^/"]+\/)?[^./"][^/"]*)[^"]*";?$/gm)].map(
        ([, name]) => name,
      ),
    );
    const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(
      [...new Set(imported)].filter((name) => !name?.startsWith('node:') && !known.includes(String(name))),
    ).toEqual([]);
  });

  it('says nothing of the machine it was made on', () => {
    expect(paths().filter((path) => text(path).includes(root))).toEqual([]);
  });
};
