import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/types.ts';
import { bindArguments } from './bind-arguments.ts';
import { readPythonCalls } from './parse-call.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { type: 'string' } },
};
const bind = (text: string, by: JsonSchema | undefined = schema) => {
  const [call] = readPythonCalls(text).calls;
  if (!call) throw new Error('no call');
  return bindArguments(call, by);
};

describe('bindArguments', () => {
  it.each<[text: string, bound: object]>([
    ["f(city='Paris')", { city: 'Paris' }],
    ["f('Paris', 3)", { city: 'Paris', days: 3 }],
    ["f('Paris', unit='C')", { city: 'Paris', unit: 'C' }],
    ["f({'city': 'Paris', 'days': 2})", { city: 'Paris', days: 2 }],
    ["f({'town': 'Paris'})", { town: 'Paris' }],
    ["f('Paris', city='Rome')", { city: 'Rome', args: ['Paris'] }],
    ["f('Paris', 1, 'C', 4)", { city: 'Paris', days: 1, unit: 'C', args: [4] }],
  ])('%s', (text, bound) => {
    expect(bind(text)).toEqual(bound);
  });

  it('uses a dict as the first argument if that is an object', () => {
    const by: JsonSchema = { type: 'object', properties: { filter: { type: 'object' }, limit: { type: 'integer' } } };
    expect(bind("f({'a': 1})", by)).toEqual({ filter: { a: 1 } });
    expect(bind("f({'filter': {'a': 1}, 'limit': 2})", by)).toEqual({ filter: { a: 1 }, limit: 2 });
  });

  it('keeps arguments that match no parameter', () => {
    const [call] = readPythonCalls('f(1, a=2)').calls;
    if (!call) throw new Error('no call');
    expect(bindArguments(call, undefined)).toEqual({ args: [1], a: 2 });
  });

  it('keeps the notation of numbers', () => {
    const [call] = readPythonCalls('f(007, days=1.0)').calls;
    if (!call) throw new Error('no call');
    const bound = bindArguments(call, schema);
    expect([call.marks.get(bound, 'city')?.literal, call.marks.get(bound, 'days')?.literal]).toEqual(['007', '1.0']);
  });
});
