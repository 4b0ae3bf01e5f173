import type { Dialect } from '../types.ts';
import { frameDialects, pythonDialects } from './frames-and-python.ts';
import { jsonDialects } from './json.ts';
import { nameAndJsonDialects } from './name-and-json.ts';
import { taggedDialects } from './tagged.ts';

/** The dialect that most models know, for prompts. */
export const commonDialect = 'hermes';

/** All dialects. If two match, `auto` uses the first. */
export const dialects: readonly Dialect[] = [
  ...jsonDialects,
  ...nameAndJsonDialects,
  ...taggedDialects,
  ...pythonDialects,
  ...frameDialects,
];
