import { describe, expect, it } from 'vitest';
import { argumentsObject, argumentsText, layOver, passthroughFields, present } from './passthrough.ts';

describe('what the middle shape has no word for', () => {
  it('is carried along and laid over what is written in the same format', () => {
    const block = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
    const part = { type: 'text', text: 'a', ...passthroughFields('anthropic', block, ['type', 'text']) };
    expect(layOver('anthropic', { type: 'text', text: 'b' }, part)).toEqual({ ...block, text: 'b' });
    expect(layOver('gemini', { text: 'b' }, part)).toEqual({ text: 'b' });
  });

  it('F9 is never a prototype', () => {
    const { passthrough } = passthroughFields('anthropic', JSON.parse('{"__proto__": {"type": "x"}, "a": 1}'), []);
    expect(passthrough?.fields.type).toBeUndefined();
    expect(JSON.stringify(passthrough?.fields)).toBe('{"a":1}');
  });

  it('is not there where nothing was left', () => {
    expect(passthroughFields('anthropic', { type: 'text' }, ['type'])).toEqual({});
    expect(present({ a: 1, b: undefined, c: null })).toEqual({ a: 1, c: null });
  });
});

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

  it('as text are as they were written, or JSON', () => {
    expect([argumentsText('{"a": 1'), argumentsText({ a: 1 }), argumentsText(undefined)]).toEqual([
      '{"a": 1',
      '{"a":1}',
      '{}',
    ]);
  });
});
