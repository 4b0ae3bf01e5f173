import { describe, expect, it } from 'vitest';
import { fillNulls, looseSchema } from './tool-schema.ts';

const strict = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: ['integer', 'null'] },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: { type: 'integer' }, by: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        required: ['at', 'by'],
      },
    },
  },
  required: ['path', 'limit', 'edits'],
};

describe('the additions of strict mode', () => {
  it('are removed: a nullable key becomes optional, at every depth', () => {
    expect(looseSchema(strict)).toMatchObject({
      required: ['path', 'edits'],
      properties: { edits: { items: { required: ['at'] } } },
    });
  });

  it('are restored in the arguments: null for missing keys, and nothing else', () => {
    expect(fillNulls({ path: 'a', edits: [{ at: 1 }, { at: 2, by: 'x' }] }, strict)).toEqual({
      path: 'a',
      edits: [
        { at: 1, by: null },
        { at: 2, by: 'x' },
      ],
      limit: null,
    });
    expect(fillNulls({ limit: 5 }, strict)).toEqual({ limit: 5 });
    expect(fillNulls('text', strict)).toBe('text');
  });

  it('treats a property named like a schema keyword as a property', () => {
    const named = { type: 'object', properties: { required: { type: 'array' }, properties: { type: 'object' } } };
    expect(looseSchema(named)).toEqual(named);
  });
});
