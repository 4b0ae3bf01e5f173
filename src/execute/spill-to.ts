import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkArgument } from '../json/value.ts';

/**
 * Stores results that are too long for the model in a folder, one file each, readable only by the owner.
 *
 * @example agent({ model, tools, results: { spill: spillTo('.toolmend/results') } })
 */
export function spillTo(folder: string): (text: string, callId: string) => Promise<string> {
  checkArgument(typeof folder === 'string', 'folder', 'a path', folder);
  return async (text, callId) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The id comes from a model's server, so it must not choose the path.
    const safe = callId.replace(/[^\w-]/g, '_').slice(0, 64) || 'result';
    const file = join(folder, `${safe}-${crypto.randomUUID().slice(0, 8)}.txt`);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
