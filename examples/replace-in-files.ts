import { readFile, writeFile } from 'node:fs/promises';
import { inside } from './inside.ts';

export interface Replacement {
  readonly path: string;
  readonly find: string;
  readonly replace: string;
  readonly all?: boolean | undefined;
}

export type Replaced =
  | { readonly ok: true; readonly files: string[]; readonly replaced: number }
  | { readonly ok: false; readonly error: string; readonly recommendations: string[] };

/** Makes every replacement or none: it writes a file only if all of them match. */
export async function replaceInFiles(root: string, edits: readonly Replacement[]): Promise<Replaced> {
  const texts = new Map<string, string>();
  const files = new Set<string>();
  let replaced = 0;
  for (const [index, { path, find, replace, all }] of edits.entries()) {
    const place = await inside(root, path);
    const text = texts.get(place) ?? (await readFile(place, 'utf8'));
    const pieces = text.split(find);
    const count = pieces.length - 1;
    if (count === 0 || (count > 1 && !all)) return refused(index, path, count);
    texts.set(place, pieces.join(replace));
    files.add(path);
    replaced += count;
  }
  for (const [place, text] of texts) await writeFile(place, text);
  return { ok: true, files: [...files], replaced };
}

function refused(index: number, path: string, count: number): Replaced {
  const found = count === 0 ? 'is not in' : `is ${count} times in`;
  const how =
    count === 0
      ? `Read ${path} first and copy the text to replace exactly, with its spaces`
      : `Give more of the text around it in ${path}, so that it occurs once`;
  return {
    ok: false,
    error: `Edit ${index + 1}: the text to replace ${found} ${path}; nothing was written`,
    recommendations: [how],
  };
}
