import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLong } from '../sample.ts';
import { install } from './install.ts';
import { manifest, root } from './pack.ts';

/** The Node of this process; in a long run the oldest we promise to run on, and the newest there is. */
export const nodeVersions: readonly string[] = isLong
  ? [`${manifest.engines.node.replace('>=', '')}.0`, '26.10.0']
  : [process.versions.node];

const cache = join(root, 'node_modules/.cache/toolmend');

/** The folder with the program of a version of Node. */
export const nodeOf = (version: string): string =>
  version === process.versions.node ? dirname(process.execPath) : join(fetched('node', version, ['node']), 'bin');

/** The folder of a version of a package, from npm; fetched once and kept with the other packages. */
export const fetched = (name: string, version: string, allowScripts: readonly string[] = []): string => {
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(folder)) {
    const aside = `${folder}-${process.pid}`;
    install(aside, [`${name}@${version}`], { allowScripts });
    try {
      renameSync(aside, folder);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      // Another run may have put it there in the meantime.
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, 'node_modules', name);
};
