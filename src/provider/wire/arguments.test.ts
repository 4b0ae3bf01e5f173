import { describe, expect, it } from 'vitest';
import { argumentsObject, argumentsText } from './arguments.ts';

describe('arguments', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    ['', {}],
    ['[1]', undefined],
    ['{"a":', undefined],
    [null, undefined],
  ])('%j as an object is %j', (given, expected) => {
    expect(argumentsObject(given)).toEqual(expected);
  });

  it('are written unchanged if they are text, and as JSON otherwise', () => {
    expect([argumentsText('{"a": 1'), argumentsText({ a: 1 }), argumentsText(undefined)]).toEqual([
      '{"a": 1',
      '{"a":1}',
      '{}',
    ]);
  });
});
