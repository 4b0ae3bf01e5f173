import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  /** Whether its name changes with its content. */
  readonly lasting: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** The built page: next to this file or to its folder in the package, in `web` in a clone. */
const folder = ['web', '../web', '../../web/dist']
  .map((path) => join(import.meta.dirname, path))
  .find((path) => existsSync(join(path, 'index.html')));

const kept = new Map<string, PageFile>();

/** Whether the page was built. */
export const isBuilt = (): boolean => folder !== undefined;

/** A file of the page; undefined if there is none. Names can't leave the folder. */
export async function pageFile(name: string): Promise<PageFile | undefined> {
  const type = types[extname(name)];
  if (!folder || !type || !/^(?:assets\/)?[\w.-]+$/.test(name) || name.includes('..')) return undefined;
  const known = kept.get(name);
  if (known) return known;
  try {
    const bytes = await readFile(join(folder, name));
    const file = { type, bytes, gzipped: await promisify(gzip)(bytes), lasting: name.startsWith('assets/') };
    kept.set(name, file);
    return file;
  } catch {
    return undefined;
  }
}

/** Headers of all responses: nothing may be loaded from elsewhere, and the page can't be framed. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
