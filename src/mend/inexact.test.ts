import { expect, it } from 'vitest';
import type { Repair } from '../json/repair.ts';
import { tool } from '../tools/tool.ts';
import { inexact } from './mend.ts';

const input = {
  type: 'object',
  properties: { path: { type: 'string' }, n: { type: 'integer' } },
  required: ['path'],
} as const;
const remove = tool({ name: 'remove', description: 'Removes', effect: 'destructive', inputSchema: input });
const repair = (more: Partial<Repair>): Repair => ({
  path: [],
  kind: 'type',
  before: '5',
  certainty: 'inferred',
  ...more,
});

it('has nothing to say of lossless repairs', () => {
  expect(inexact([repair({ kind: 'comma', certainty: 'lossless' })], remove, { path: 'x' })).toEqual([]);
});

it("gives the check's own words where the arguments fail it as they were written", () => {
  const problems = inexact([repair({ path: ['n'], after: 5 })], remove, { path: 'x', n: '5' });
  expect(problems).toMatchObject([{ path: ['n'], code: 'type', message: "Field 'n' expected integer, got string" }]);
});

it('names a key that would have been renamed', () => {
  const problems = inexact([repair({ kind: 'key', path: ['path'], before: 'Path', after: 'path' })], remove, {
    Path: 'x',
  });
  expect(problems.map(({ message }) => message)).toEqual(["Field 'Path' is not known; did you mean 'path'?"]);
});

it('asks for it exactly where the check alone would pass', () => {
  const [problem] = inexact([repair({ kind: 'closer', path: [], before: '}' })], remove, { path: 'x' });
  expect(problem).toMatchObject({ code: 'not_exact', path: [], received: '}' });
  expect(problem?.message).toMatch(/^Root object lacks a closing '}'/);
  const [typed] = inexact([repair({ path: ['n'], after: 5 })], remove, { path: 'x' });
  expect(typed?.message).toContain('as 5');
});
