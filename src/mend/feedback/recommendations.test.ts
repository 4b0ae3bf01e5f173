import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/types.ts';
import { describe as put } from '../../schema/validate/messages.ts';
import { recommend } from './recommendations.ts';
import { singular } from './wording.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
    target: { anyOf: [{ type: 'string' }, { type: 'object', properties: { id: {} }, required: ['id'] }] },
  },
  $defs: { edit: { type: 'object', properties: { path: { type: 'string' }, find: { type: 'string' } } } },
};

describe('recommend', () => {
  it('S1.5 a field missing in a list’s items is asked for by the item’s name, once', () => {
    const missing = [0, 1, 4].map((index) =>
      put({ path: ['edits', index, 'path'], code: 'required', want: {}, received: undefined }),
    );
    expect(recommend(missing)).toEqual(['path is required for each edit']);
    expect(recommend(missing, schema)).toEqual(['path is required for each edit: send a string']);
  });

  it.each([
    [['limit'], 'number', 'about 12 lines', 'limit must be a number'],
    [['limit'], 'integer', '3.5', 'limit must be an integer'],
    [['limit'], 'number', 'between 3 and 5', 'limit must be a number'],
    [['files'], 'array', 'a.ts, b.ts', 'files must be an array'],
    [['files', 0], 'string', 5, 'Each file must be a string, for example "5"'],
    [['files', 0], 'string', { a: 1 }, 'Each file must be a string'],
    [[], 'object', [1], 'The arguments must be an object'],
  ])('S1.5 a type at %j wanted as %s from %j', (path, type, received, words) => {
    expect(recommend([put({ path, code: 'type', want: [type], received })])).toEqual([words]);
  });

  it('S1.5 turns limits, allowed values and unknown keys into recommendations', () => {
    expect(
      recommend(
        [
          put({ path: ['n'], code: 'minimum', want: 1, received: 0 }),
          put({ path: ['mode'], code: 'enum', want: ['read', 'write'], received: 'rw' }),
          put({ path: ['pth'], code: 'unknown', want: 'path', received: 'a' }),
          put({ path: ['edits', 0, 'colour'], code: 'unknown', want: undefined, received: 'a' }),
          put({ path: ['target'], code: 'union', want: { forms: [] }, received: 5 }),
        ],
        schema,
      ),
    ).toEqual([
      'n must be at least 1',
      'mode must be one of: read, write',
      "Rename pth to 'path'",
      'Leave out colour of each edit; known here: path, find',
      'target must be a string or an object with id',
    ]);
  });

  it('C5 the closest names of an unknown tool are offered', () => {
    const problem = { path: [], code: 'unknown_tool', message: "Tool 'x' does not exist" } as const;
    expect(recommend([{ ...problem, meant: ['a', 'b'] }])).toEqual(["Call 'a' or 'b'"]);
    expect(recommend([problem])).toEqual(['Call one of the available tools by its exact name']);
  });

  it('S1.5 a suggestion of the problem itself is passed on', () => {
    const problem = put({ path: ['n'], code: 'type', want: ['number'], received: {} });
    expect(recommend([{ ...problem, suggestion: 'Send 5' }])).toEqual(['n must be a number. Send 5']);
    expect(recommend([{ ...problem, suggestion: 'a whole one' }])).toEqual(['n must be a number; a whole one']);
    const quotes = 'has unescaped quotes inside; write them as \\"';
    expect(recommend([{ path: ['text'], code: 'ambiguous', message: `Field 'text' ${quotes}` }])).toEqual([
      `text ${quotes}`,
    ]);
  });

  it.each([
    ['edits', 'edit'],
    ['queries', 'query'],
    ['addresses', 'address'],
    ['boxes', 'box'],
    ['file_edits', 'file_edit'],
    ['children', 'child'],
    ['userChildren', 'userChild'],
    ['status', undefined],
    ['data', undefined],
    ['address', undefined],
  ])('one of %s is %s', (many, one) => {
    expect(singular(many)).toBe(one);
  });
});
