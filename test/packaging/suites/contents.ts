import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { manifest, root } from '../pack.ts';
import type { Stage } from '../stage.ts';

const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];

/** Everything that may be in the package; sources are there because the maps of the build lead to them. */
const shapes = [
  /^dist\/(?!web\/)[\w./-]+\.(?:js|d\.ts)(?:\.map)?$/,
  /^dist\/web\/(?:index\.html|licences\.md|[\w-]+\.(?:css|js|svg)|assets\/[\w-]+\.(?:css|js))$/,
  /^src\/[\w./-]+(?<!\.test)\.ts$/,
  /^(?:dist|src)\/[\w./-]+\.schema\.json$/,
];

const KB = 1024;
const limits = { file: 480 * KB, packed: 2500 * KB, unpacked: 10_000 * KB };

/** What `npm pack` puts into the package. */
export const contentsSuite = (stage: () => Stage): void => {
  const paths = (): string[] => stage().packed.files.map((file) => file.path);
  const installed = (path: string): string => join(stage().bare, 'node_modules', manifest.name, path);
  const text = (path: string): string => readFileSync(installed(path), 'utf8');

  it('holds the build, its sources and the papers, and nothing else', () => {
    expect(paths()).toEqual(expect.arrayContaining(papers));
    expect(paths().filter((path) => !papers.includes(path) && !shapes.some((shape) => shape.test(path)))).toEqual([]);
  });

  it('is no larger than it should be', () => {
    const { files, size, unpackedSize } = stage().packed;
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

  it('has every source its maps point at, and no source besides', () => {
    const maps = paths().filter((path) => path.endsWith('.map'));
    const pointed = new Set(
      maps.flatMap((path) => JSON.parse(text(path)).sources.map((source: string) => join(dirname(path), source))),
    );
    for (const source of pointed) expect(existsSync(installed(source)), source).toBe(true);
    expect(paths().filter((path) => /^src\/.*\.ts$/.test(path) && !pointed.has(path))).toEqual([]);
  });

  it('says nothing of the machine it was made on', () => {
    expect(paths().filter((path) => text(path).includes(root))).toEqual([]);
  });
};
