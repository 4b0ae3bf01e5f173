/** A call whose arguments are all names in the braces of a template shows how it is written. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';
import { closed, mendWith, string } from './mend-with.ts';

const dialects = ['hermes', 'kimi-k2', 'qwen3-coder', 'pythonic', 'generic-json'] as const;
const ran = (args: Record<string, string>, dialect: string, effect: Effect = 'write') => {
  const box = new Toolbox([
    toolWith('post', Object.fromEntries(Object.keys(args).map((key) => [key, { type: 'string' }])), effect),
  ]);
  // Rendering refuses what isn't read as the same call.
  const stands = Object.fromEntries(Object.keys(args).map((key) => [key, `of ${key}`]));
  const text = renderCalls([{ name: 'post', arguments: stands }], dialect, box).replaceAll(
    /of (city|text)/g,
    (_, key) => JSON.stringify(args[key]).slice(1, -1),
  );
  return [{ dialect }, { dialect, chunk: 1 }, { dialect: 'auto' }, { dialect, prompted: true }].map(
    (options) => readCalls(text, box, options).calls.filter(({ status }) => status !== 'invalid').length,
  );
};

describe('a template', () => {
  it.each([
    '{city}',
    '{{city}}',
    `\${city}`,
    '{{ city }}',
    '{ city }',
    '{user.city}',
    '{{user-city}}',
    '{城市}',
    '{CITY_NAME}',
  ])('never runs: %s', (city) => {
    for (const dialect of dialects)
      for (const effect of ['read', 'write', 'destructive'] as const)
        for (const args of [{ city }, { city, text: '{text}' }, { city, text: '...' }, { text: city }] as Record<
          string,
          string
        >[])
          expect([dialect, args, ran(args, dialect, effect)]).toEqual([dialect, args, [0, 0, 0, 0]]);
  });
});

describe('guard: a value runs', () => {
  it.each([
    '{a,b}',
    '{"a":1}',
    '{}',
    '{city} now',
    'in {city}',
    '{{city}',
    '{city}}',
    '{1}',
    '{a|b}',
    '{a b}',
    '$city',
    '{city}/{day}',
    '{{}}',
    '$(city)',
  ])('%s', (text) => {
    for (const dialect of ['hermes', 'kimi-k2'])
      for (const args of [{ text }, { text, city: '{city}' }])
        expect([dialect, args, ran(args, dialect).slice(0, 2)]).toEqual([dialect, args, [1, 1]]);
  });
  it.each(['{city}', `\${city}`])('next to it: %s', (city) => {
    for (const dialect of dialects) expect(ran({ city, text: 'Hi' }, dialect).slice(0, 2)).toEqual([1, 1]);
  });
  it('in a native call', () => {
    const schema = closed({ city: string });
    expect(mendWith(schema, '{"city": "{city}"}', { effect: 'destructive' }).status).toBe('ok');
  });
});
