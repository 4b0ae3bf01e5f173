import { expect, it } from 'vitest';
import { expectedOutput } from './expected-output.ts';

it('reads the lines behind the arrows, at the end of a line or on their own', () => {
  expect(expectedOutput(`console.log(1); // → 1\nconsole.log('a\\n b');\n// → a\n// →  b\n// a remark`)).toEqual([
    '1',
    'a',
    ' b',
  ]);
});

it('keeps an empty line that is printed', () => {
  expect(expectedOutput('console.log() // →')).toEqual(['']);
});

it('expects nothing of an example without arrows', () => {
  expect(expectedOutput('console.log(1)')).toBeUndefined();
});
