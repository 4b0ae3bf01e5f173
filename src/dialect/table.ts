import type { Dialect } from './dialect.ts';
import { frameDialects } from './table-frames.ts';
import { jsonDialects } from './table-json.ts';
import { namedDialects } from './table-named.ts';
import { pythonDialects } from './table-python.ts';
import { taggedDialects } from './table-tagged.ts';

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
