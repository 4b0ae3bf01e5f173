import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong } from '../../test/sample.ts';
import { hasCode } from '../json/toolmend-error.ts';
import type { JsonValue } from '../json/value.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';
import { renderCalls } from './render.ts';

const properties = {
  path: { type: 'string' },
  count: { type: 'integer' },
  deep: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
  more: { type: 'object' },
} as const;
const toolbox = new Toolbox(
  ['read_file', 'search', 'now'].map((name) =>
    tool({ name, description: 'Does it', inputSchema: { type: 'object', properties } }),
  ),
);

const word = fc.oneof(
  fc.constantFrom('a', 'München', 'x y', '007', 'true', '</b>', '"', "it's", 'a\nb', '{}'),
  fc.string(),
);
const call = fc.record({
  name: fc.constantFrom('read_file', 'search', 'now'),
  arguments: fc.record(
    {
      path: word,
      count: fc.integer(),
      deep: fc.boolean(),
      tags: fc.array(word, { maxLength: 3 }),
      more: fc.dictionary(fc.constantFrom('k', 'l'), word),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, JsonValue>>,
});
const calls = fc.array(call, { minLength: 1, maxLength: 3 });

const rendered = (given: Parameters<typeof renderCalls>[0], dialect: string): string | undefined => {
  try {
    return renderCalls(given, dialect, toolbox);
  } catch (error) {
    if (hasCode(error, 'unrenderable_calls')) return undefined;
    throw error;
  }
};

const plain = [{ name: 'read_file', arguments: { path: 'src/a.ts', count: 3, deep: true, tags: ['x', 'y'] } }];

describe.each(dialects.map(({ name }) => name).filter((name) => name !== 'content-only'))('%s', (dialect) => {
  it('writes a plain call', () => {
    expect(rendered(plain, dialect)).toBeDefined();
  });

  it('reads what it writes, complete and in chunks of any size, or refuses to write it', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 9 }), (given, chunk) => {
        const text = rendered(given, dialect);
        if (text === undefined) return;
        for (const options of [{ dialect }, { dialect, chunk }]) {
          const read = readCalls(text, toolbox, options);
          expect(read.calls.map(({ name, input }) => ({ name, arguments: input }))).toEqual(given);
          expect(read.text.trim()).toBe('');
        }
      }),
      { numRuns: isLong ? 60 : 12 },
    );
  });
});

it('writes no call in a dialect that has none', () => {
  expect(() => renderCalls(plain, 'content-only')).toThrow(expect.objectContaining({ code: 'unrenderable_calls' }));
});
