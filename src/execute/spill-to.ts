import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps what is too long for the model in a folder, one file for each result, readable by its owner alone.
 *
 * @example agent({ model, tools, results: { spill: spillTo('.toolmend/results') } })
 */
export function spillTo(folder: string): (text: string, callId: string) => Promise<string> {
  return async (text, callId) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The id comes from a model's server, so that it must not name a place of its own.
    const safe = callId.replace(/[^\w-]/g, '_').slice(0, 64) || 'result';
    const file = join(folder, `${safe}-${crypto.randomUUID().slice(0, 8)}.txt`);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
