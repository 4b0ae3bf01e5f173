/** A closing bracket lost between lists: added where only one place fits the schema, refused where two do. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { mendValue } from '../../src/mend/mend-value.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { cpuOf } from '../cpu-of.ts';
import { closed, integer, mendWith, open, string, strings, told } from './mend-with.ts';

const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const any: JsonSchema = { type: ['string', 'number', 'boolean', 'array'] };
const expression: JsonSchema = {
  ...(closed({ v: { $ref: '#/$defs/e' }, z: integer }) as object),
  $defs: { e: { anyOf: [string, { type: 'number' }, list({ $ref: '#/$defs/e' })] } },
};
const tree: JsonSchema = {
  ...(closed({ v: { $ref: '#/$defs/n' } }) as object),
  $defs: { n: closed({ id: string, kids: list({ $ref: '#/$defs/n' }) }) },
};
const schemas = {
  anything: open({ v: { type: ['string', 'number', 'array', 'object'] }, z: integer }),
  'any items': closed({ v: list(any), z: integer }),
  'lists of text': closed({ v: list(strings), z: integer }),
  'lists of text, or text': closed({ v: { anyOf: [list(strings), strings] }, z: integer }),
  'text or lists of text': closed({ v: list({ anyOf: [string, strings] }), z: integer }),
  'numbers or lists': closed({ v: list({ type: ['number', 'array'] }), z: integer }),
  'lists of integers': closed({ v: list(list(integer)), z: integer }),
  'lists of lists of integers': closed({ v: list(list(list(integer))), z: integer }),
  pairs: closed({ v: list({ type: 'array', items: integer, minItems: 2, maxItems: 2 }), z: integer }),
  expressions: expression,
  trees: tree,
} satisfies Record<string, JsonSchema>;

type Row = readonly [schema: keyof typeof schemas, text: string];

const refused: readonly Row[] = [
  ['any items', '["all", ["==", "type", "road", [">", "lanes", 2]]'],
  ['any items', '["all", ["==", "type", "road"], [">", "lanes", 2]'],
  ['any items', '[[[1, 2]]'],
  ['any items', '[1, [2, [3, 4]]'],
  ['anything', '[[1, 2, [3]]'],
  ['anything', '{"and": [{"==": [1, 1]}, {">": [2, 1]}'],
  ['expressions', '["+", ["*", 1, 2, ["-", 3]]'],
  ['expressions', '["+", 1, ["*", 2, 3]'],
  ['numbers or lists', '[[[0, 0], [1, 0], [1, 1, [0, 0]]]'],
  ['lists of text', '[["a", "b", ["c"]]'],
  ['lists of text', '[["a", ["c"]]'],
  ['lists of text', '[["a", "b", ["c"], ["d"]]'],
  ['lists of text, or text', '[["a", "b", ["c"]]'],
  ['text or lists of text', '["a", ["b", "c", "d"]'],
  ['trees', '{"id": "a", "kids": [{"id": "b", "kids": [{"id": "c"}, {"id": "d"}]}'],
];

describe('a lost ] that fits at two places is refused', () => {
  for (const [name, text] of refused) {
    const schema = schemas[name];
    const texts = [`{"v": ${text}}`, `{"v": ${text}, "z": 1}`, `{'v': ${text.replaceAll('"', "'")}}`, `{v: ${text}}`];
    // The tree and the rules have an object at the end, so another key may also belong to it.
    for (const args of text.startsWith('{') ? texts.slice(0, 1) : texts)
      it(`${name}: ${args}`, () => expect(told(mendWith(schema, args)).status).toBe('invalid'));
  }
  it('says that a bracket is in doubt', () => {
    expect(told(mendWith(schemas['any items'], '{"v": ["all", ["==", "a", 1, [">", "b", 2]]}'))).toEqual({
      status: 'invalid',
      errorType: 'validation',
      problems: ['ambiguous'],
    });
  });
  it('in structured output, with and without a schema', () => {
    const text = '{"v": ["all", ["==", "a", 1, [">", "b", 2]]}';
    for (const schema of [schemas['any items'], schemas.anything, undefined])
      expect(mendValue(text, schema).status).toBe('invalid');
  });
  it('in a wrapper, beside a value that is coerced', () => {
    const text = '{"arguments": {"z": "1", "v": ["all", ["==", "a", 1, [">", "b", 2]]}}';
    expect(mendWith(schemas['any items'], text).status).toBe('invalid');
  });
  it('where two closers are lost at two places', () => {
    const schema = closed({ a: list(any), b: list(any) });
    expect(mendWith(schema, '{"a": [1, [2, 3], "b": [4, [5, 6]}').status).toBe('invalid');
  });
});

describe('guard: a lost ] that fits at one place is added', () => {
  it.each<[...Row, unknown]>([
    ['lists of text', '[["a", "b"], ["c"]', [['a', 'b'], ['c']]],
    [
      'lists of text',
      '[["a", "b"], ["c", "d"]',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'lists of text',
      '[["a", "b"], ["c", "d"',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'lists of integers',
      '[[1, 2], [3, 4]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['lists of lists of integers', '[[[1], [2]], [[3]]', [[[1], [2]], [[3]]]],
    [
      'pairs',
      '[[1, 2], [3, 4]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['any items', '[["a", "b"], ["c"]', [['a', 'b'], ['c']]],
    ['any items', '[["a", "b"], "c"', [['a', 'b'], 'c']],
    ['text or lists of text', '["a", ["b", "c"], "d"', ['a', ['b', 'c'], 'd']],
    ['trees', '{"id": "a", "kids": [{"id": "b"}, {"id": "d"}}', { id: 'a', kids: [{ id: 'b' }, { id: 'd' }] }],
  ])('%s: %s', (name, text, v) => {
    expect(mendWith(schemas[name], `{"v": ${text}}`)).toMatchObject({ status: 'mended', input: { v } });
  });
  it('a large matrix', () => {
    const matrix = Array.from({ length: 60 }, (_, row) => Array.from({ length: 60 }, (_, at) => row * at));
    const text = `{"v": ${JSON.stringify(matrix).slice(0, -1)}, "z": 1}`;
    expect(mendWith(schemas['lists of integers'], text).input).toEqual({ v: matrix, z: 1 });
  });
});

it('lost brackets cost bounded time', () => {
  const deep = `{"v": ${'[1, [2, '.repeat(100)}3${']]'.repeat(99)}}`;
  const wide = `{"v": [${'[1, 2], '.repeat(200_000)}[3, 4]}`;
  const many = `{${Array.from({ length: 500 }, (_, at) => `"k${at}": [1, [2, 3]`).join(', ')}}`;
  for (const text of [deep, wide, many])
    expect(cpuOf(() => expect(mendWith(schemas.anything, text).status).toBe('invalid'))).toBeLessThan(8000);
});

describe('in the notations of dialects', () => {
  const schema = closed({ filter: list(any), m: list(list(integer)) });
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', effect: 'read', inputSchema: schema })]);
  const statuses = (dialect: string, text: string) =>
    readCalls(text, toolbox, { dialect }).calls.map((one) => one.status);
  it.each([
    ['hermes', '<tool_call>{"name": "act", "arguments": {"filter": ["a", ["b", 1, ["c", 2]]}}</tool_call>'],
    ['mistral', '[TOOL_CALLS]act{"filter": ["a", ["b", 1, ["c", 2]]}'],
    ['gemma4', '<|tool_call>call:act{filter:[<|"|>a<|"|>,[<|"|>b<|"|>,1,[2,3]]}<tool_call|>'],
    ['pythonic', '[act(filter=["a", ["b", 1, ["c", 2]])]'],
    ['pythonic', '[act(filter=[[["a", "b"]])]'],
  ])('%s: %s is refused', (dialect, text) => expect(statuses(dialect, text)).toEqual(['invalid']));
  it.each([
    ['hermes', '<tool_call>{"name": "act", "arguments": {"m": [[1, 2], [3, 4]}}</tool_call>'],
    ['gemma4', '<|tool_call>call:act{m:[[1,2],[3,4]}<tool_call|>'],
    ['gemma4', '<|tool_call>call:act{m:[[1,2],[3,4]]}<tool_call|>'],
    ['pythonic', '[act(filter=["a", "b")]'],
    ['pythonic', '[act(filter=["a", ["b"])]'],
  ])('guard: %s: %s is read', (dialect, text) => expect(statuses(dialect, text)[0]).toMatch(/^(?:ok|mended)$/));
});
