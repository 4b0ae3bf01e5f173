import { describe, expect, it } from 'vitest';
import type { Problem } from '../json/problem.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';

const toolbox = new Toolbox([
  tool({
    name: 'now',
    description: 'Tells the time',
    inputSchema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
  }),
]);
const twice: Problem = { path: ['zone'], code: 'duplicate_key', message: "Field 'zone' is given twice" };
const cut: Problem = { path: [], code: 'truncated', message: 'Root object is cut off' };

describe('a call with which reading found something wrong', () => {
  it('never runs, though its arguments are good', () => {
    const outcome = mend({ name: 'now', arguments: { zone: 'UTC' }, found: [twice] }, toolbox);
    expect(outcome).toMatchObject({
      status: 'invalid',
      errorType: 'validation',
      input: { zone: 'UTC' },
      problems: [twice],
    });
  });

  it('is reported before validation, like every problem of reading', () => {
    const { problems } = mend({ name: 'now', arguments: {}, found: [twice] }, toolbox);
    expect(problems.map(({ code }) => code)).toEqual(['duplicate_key']);
  });

  it('is truncated where it broke off, and nothing else is said of it', () => {
    const outcome = mend({ name: 'now', arguments: {}, found: [cut] }, toolbox);
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'truncated', problems: [cut] });
  });

  it('is unknown where its tool is', () => {
    expect(mend({ name: 'nope', arguments: {}, found: [cut] }, toolbox)).toMatchObject({ errorType: 'unknown_tool' });
  });
});
