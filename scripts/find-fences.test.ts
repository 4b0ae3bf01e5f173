import { expect, it } from 'vitest';
import { findFences } from './find-fences.ts';

it('finds each block with its info, its code and its line', () => {
  expect(findFences('Text\n\n```ts\na();\n\nb();\n```\nmore\n~~~ sh run \n$ x\n~~~\n')).toEqual([
    { info: 'ts', code: 'a();\n\nb();', line: 3 },
    { info: 'sh run', code: '$ x', line: 9 },
  ]);
});

it('reads a fence inside a longer fence as text', () => {
  expect(findFences('````md\n```ts\nx\n```\n````')).toEqual([{ info: 'md', code: '```ts\nx\n```', line: 1 }]);
});

it('takes a block that is never closed to the end', () => {
  expect(findFences('```\na\nb')).toEqual([{ info: '', code: 'a\nb', line: 1 }]);
});
