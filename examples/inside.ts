import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The real path within `root`. Throws if it leads outside, also through a symbolic link. */
export async function inside(root: string, path: string): Promise<string> {
  const home = await realpath(root);
  const wanted = resolve(home, path);
  const real = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `File not found: ${path}` : `Can't open ${path}`, { cause: error });
  });
  const way = relative(home, real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new Error(`${path} is outside the workspace`);
  return real;
}
