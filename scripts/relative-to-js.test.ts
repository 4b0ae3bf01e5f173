import { expect, it } from 'vitest';
import { relativeToJs } from './relative-to-js.ts';

it.each([
  [`import type { Path } from './value.ts';`, `import type { Path } from './value.js';`],
  [`export * from "../json/value.ts";`, `export * from "../json/value.js";`],
  [`type A = import('./a/b.ts').A;`, `type A = import('./a/b.js').A;`],
  [`import './side.ts';`, `import './side.js';`],
])('points %s at the code beside it', (before, after) => {
  expect(relativeToJs(before)).toBe(after);
});

it.each([`import type { X } from 'pkg/x.ts';`, `/** see './value.ts' */`, `import('./value.js')`])(
  'leaves %s alone',
  (text) => {
    expect(relativeToJs(text)).toBe(text);
  },
);
