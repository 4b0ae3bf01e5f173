import { describe, expect, it } from 'vitest';
import { passthroughFor, present } from './passthrough-fields.ts';

const { passthroughOf, layOver } = passthroughFor('anthropic');

describe('fields that the common format lacks', () => {
  it('are passed through and added when writing the same format', () => {
    const block = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
    const part = { type: 'text', text: 'a', ...passthroughOf(block, ['type', 'text']) };
    expect(layOver({ type: 'text', text: 'b' }, part)).toEqual({ ...block, text: 'b' });
    expect(passthroughFor('gemini').layOver({ text: 'b' }, part)).toEqual({ text: 'b' });
  });

  it('F9 never include a prototype', () => {
    const { passthrough } = passthroughOf(JSON.parse('{"__proto__": {"type": "x"}, "a": 1}'), []);
    expect(passthrough?.fields.type).toBeUndefined();
    expect(JSON.stringify(passthrough?.fields)).toBe('{"a":1}');
  });

  it('are absent if nothing is left', () => {
    expect(passthroughOf({ type: 'text' }, ['type'])).toEqual({});
    expect(present({ a: 1, b: undefined, c: null })).toEqual({ a: 1, c: null });
  });
});
