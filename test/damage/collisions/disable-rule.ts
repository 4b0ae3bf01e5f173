import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from './rules.ts';

/**
 * Takes a rule out of a copy of the library; `dispose` puts it back. Throws where the source no longer says what the rule's
 * row looks for.
 */
export const disableRule = ({ name, file, find, replace }: Rule, folder: string): { dispose(): void } => {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1)
    throw new Error(`Rule '${name}' is found ${times} times in ${file}: bring its row in rules.ts up to date.`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return { dispose: () => writeFileSync(path, text) };
};
