import { describe, expect, it } from 'vitest';
import { fieldPath } from './command.ts';

const definition = {
  name: 'a',
  parameters: {
    type: 'object',
    properties: {
      'a.b': { type: 'object', properties: { type: { type: 'string' } } },
      tuple: { type: 'array', items: [{ type: 'string' }, {}] },
      list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: {} } }] } },
    },
  },
};

describe('fieldPath', () => {
  it.each([
    ['name', ['name']],
    ['description', []],
    ['parameters.type', ['parameters', 'type']],
    ['parameters.required', ['parameters']],
    ['parameters.properties.a.b.type.type', ['parameters', 'properties', 'a.b', 'properties', 'type', 'type']],
    ['parameters.properties.tuple[1].type', ['parameters', 'properties', 'tuple', 'items', 1]],
    [
      'parameters.properties.list[].anyOf[1].x.type',
      ['parameters', 'properties', 'list', 'items', 'anyOf', 1, 'properties', 'x'],
    ],
  ])('%s', (field, path) => {
    expect(fieldPath(field, definition, 'parameters')).toEqual(path);
  });
});
