import { describe, expect, it } from 'vitest';
import { recordedCalls } from './recorded-calls.ts';

describe('a recorded answer', () => {
  const call = { name: 'a_b', arguments: '{"x":True}' };
  it.each([
    ['native calls', [{ 'a.b': '{"x":True}' }], [call]],
    ['JSON in a tag', '<call>{"name": "a.b", "arguments": {"x":1}}</call>', [{ ...call, arguments: '{"x":1}' }]],
    ['a list in a fence', '```json\n[{"name":"a_b","parameters":{"x":1}}]\n```', [{ ...call, arguments: '{"x":1}' }]],
    ['an envelope that is no JSON', '<call> {"name": "a_b", "arguments": {"x":True}}', [call]],
    ['its members the other way round', '{"arguments": {"x":True}, "name": "a.b"}', [call]],
    ['a call beside prose', 'I call <call>{"name": "a_b", "arguments": {}}</call>', undefined],
    ['prose', 'There is no tool for that.', undefined],
  ])('with %s', (_, result, calls) => {
    expect(recordedCalls(result)).toEqual(calls);
  });
});
