import { expect, it } from 'vitest';
import { findCommands } from './find-commands.ts';

it('pairs each command with the output below it', () => {
  expect(findCommands('$ a -x\none\ntwo\n\n$ b\n$ c \\\n> d\nthree')).toEqual([
    { command: 'a -x', output: 'one\ntwo' },
    { command: 'b', output: '' },
    { command: 'c \\\nd', output: 'three' },
  ]);
});
