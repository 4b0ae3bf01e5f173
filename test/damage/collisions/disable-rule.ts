import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySource } from './copy-source.ts';
import type { Rule } from './rules.ts';

/** A copy of the library without one of its rules. Throws where the source no longer says what the rule's row looks for. */
export const disableRule = ({ name, file, find, replace }: Rule): ReturnType<typeof copySource> => {
  const copy = copySource();
  const path = join(copy.folder, file);
  const text = readFileSync(path, 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1) {
    copy.dispose();
    throw new Error(`Rule '${name}' is found ${times} times in ${file}: bring its row in rules.ts up to date.`);
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return copy;
};
