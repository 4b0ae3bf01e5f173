import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../execute/tool-result.ts';
import { UsageError } from '../usage-error.ts';

/** Imports a module that the user named. Errors include the file. */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`${file}: can't load the module: ${messageOf(error)}`);
  }
}
