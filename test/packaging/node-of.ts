import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.ts';
import { manifest, root } from './pack.ts';

/** The oldest Node we promise to run on, and the newest there is. */
export const nodeVersions: readonly string[] = [`${manifest.engines.node.replace('>=', '')}.0`, '26.10.0'];

const cache = join(root, 'node_modules/.cache/toolmend');

/** The folder with the program of a version of Node, from npm; fetched once and kept with the other packages. */
export const nodeOf = (version: string): string => {
  const folder = join(cache, `node-${version}`);
  if (!existsSync(folder)) {
    const aside = `${folder}-${process.pid}`;
    install(aside, [`node@${version}`], ['node']);
    try {
      renameSync(aside, folder);
    } catch (error) {
      rmSync(aside, { recursive: true, force: true });
      // Another run may have put it there in the meantime.
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, 'node_modules/node/bin');
};
