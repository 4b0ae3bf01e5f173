import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { mend } from '../mend.ts';
import { feedback } from './feedback.ts';

const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        "author's": { type: 'string' },
        mode: { enum: ['new, got by hand', 'old'] },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  }),
  tool({ name: 'write_files', description: 'Writes files' }),
]);

const failed = (args: unknown, name = 'write_file') => {
  const outcome = mend({ name, arguments: args as string }, toolbox);
  if (outcome.status !== 'invalid') throw new Error(`${outcome.status}`);
  return { problem: outcome.problems[0], ...feedback(outcome, { attempt: 3, toolbox }) };
};

describe('problems as data', () => {
  it.each([
    [{ pathname: 'a', content: 'b' }, { meant: ['path'] }],
    [{ path: 'a', data: { content: 'b' } }, { inside: ['content'] }],
    [{ data: { path: 'a', content: 'b' }, mode: 'old' }, { inside: ['path', 'content'] }],
    [{ data: { path: 'a', "author's": 'b' }, content: 'c' }, { inside: ['path', "author's"] }],
  ])('an unknown key of %j has %j', (args, data) => {
    expect(failed(args).problem).toMatchObject({ code: 'unknown', ...data });
  });

  it('an unknown tool has the closest names and the listed ones', () => {
    const { problem } = failed({}, 'write_filez');
    expect(problem).toMatchObject({ meant: ['write_file', 'write_files'], expected: 'write_file, write_files' });
  });

  it('no name is read out of a name that the model wrote', () => {
    const { result } = failed({}, "x; did you mean 'rm'?");
    expect(result.recommendations).toEqual(['Call one of the available tools by its exact name']);
  });

  it('a received value is left out of a recommendation, not an allowed one that looks like it', () => {
    const { result } = failed({ path: 'a', content: 'b', mode: 5 });
    expect(result.recommendations).toEqual(['mode must be one of: "new, got by hand", "old"']);
  });

  it('a field with a quote in its name is moved into the example', () => {
    const { text } = failed({ data: { path: 'a', "author's": 'b' }, content: 'c' });
    expect(text).toContain(`{"content":"c","path":"a","author's":"b"}`);
  });

  it.each([
    [{ content: 'b' }, "Field 'path' is required but missing"],
    [{ path: {}, content: 'b' }, "Field 'path' expected string, got object"],
  ])('guard: other problems of %j have neither', (args, message) => {
    const { problem } = failed(args);
    expect(problem?.message).toBe(message);
    expect(problem).not.toHaveProperty('meant');
    expect(problem).not.toHaveProperty('inside');
  });
});
