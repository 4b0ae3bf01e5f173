import type { Dialect } from '../types.ts';
import { frameDialects } from './frames.ts';
import { jsonDialects } from './json.ts';
import { namedDialects } from './named.ts';
import { pythonDialects } from './python.ts';
import { taggedDialects } from './tagged.ts';

/** The dialect that most models know, for those that are told how to call. */
export const commonDialect = 'hermes';

/** Every dialect, as a row. Where two rows fit, `auto` takes the one that stands first. */
export const dialects: readonly Dialect[] = [
  ...jsonDialects,
  ...namedDialects,
  ...taggedDialects,
  ...pythonDialects,
  ...frameDialects,
];
