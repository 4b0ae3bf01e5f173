import { describe, expect, it } from 'vitest';
import { locate, positionOf } from './spans.ts';

const text = `[
  { "name": "a" },
  {
    "name": "b",
    "inputSchema": { "type": "object",
      "properties": { "x": {}, "y.z": { "type": "string" } } }
  }
]`;

describe('locate', () => {
  it.each([
    [[], 1, 1],
    [[0, 'name'], 2, 13],
    [[1, 'inputSchema', 'type'], 5, 30],
    [[1, 'inputSchema', 'properties', 'y.z', 'type'], 6, 49],
    [[1, 'inputSchema', 'properties', 'x', 'type'], 6, 28],
    [[1, 'description'], 3, 3],
  ])('finds %j at %i:%i', (path, line, column) => {
    expect(locate(text, path)).toEqual({ line, column });
  });

  it('takes the last of repeated keys', () => {
    expect(locate('{"a":1,"a":2}', ['a'])).toEqual({ line: 1, column: 12 });
  });

  it('counts lines from 1', () => {
    expect(positionOf('a\nb\nc', 4)).toEqual({ line: 3, column: 1 });
    expect(positionOf('a\nb', 1)).toEqual({ line: 1, column: 2 });
  });
});
