import type { Example } from './example.ts';
import { framesExamples } from './examples-frames.ts';
import { jsonExamples } from './examples-json.ts';
import { namedExamples } from './examples-named.ts';
import { pythonExamples } from './examples-python.ts';
import { taggedExamples } from './examples-tagged.ts';

const examples = new Map(
  [jsonExamples, namedExamples, taggedExamples, pythonExamples, framesExamples].flatMap((some) => Object.entries(some)),
);

/** The names that have examples. */
export const exampleNames = [...examples.keys()];

/** The examples of a row. */
export const examplesOf = (name: string): readonly Example[] => examples.get(name) ?? [];
