/** Damage that a person reads without a doubt: each is recovered, with the certainty of its repair. */
import { describe, expect, it } from 'vitest';
import { mendValue } from '../../src/mend/mend-value.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, named, string, strings } from './mend-with.ts';

const write = closed(
  {
    path: string,
    content: string,
    limit: integer,
    recursive: boolean,
    mode: { enum: ['overwrite', 'append'] },
    tags: strings,
    range: closed({ start: integer, end: integer }),
  },
  ['path'],
);
const files = closed({ files: strings }, ['files']);
const rows = closed({ rows: { type: 'array', items: closed({ id: integer }, ['id']) } }, ['rows']);
const raw = String.raw;

type Row = readonly [args: string, input: unknown, schema?: JsonSchema];

const cases: Readonly<Record<string, readonly Row[]>> = {
  'wrappers around the arguments': [
    [`{"function": {"name": "${named}", "arguments": {"path": "a.ts"}}}`, { path: 'a.ts' }],
    [`{"type": "function", "function": {"name": "${named}", "arguments": {"path": "a.ts"}}}`, { path: 'a.ts' }],
    [raw`{"function": {"name": "${named}", "arguments": "{\"path\": \"a.ts\"}"}}`, { path: 'a.ts' }],
    [`{"${named}": {"path": "a.ts", "limit": 5}}`, { path: 'a.ts', limit: 5 }],
    [`[{"name": "${named}", "arguments": {"path": "a.ts"}}]`, { path: 'a.ts' }],
  ],
  'the call as code or as tags': [
    [`${named}(path="a.ts")`, { path: 'a.ts' }],
    [`${named}(path='a.ts', limit=5, recursive=True)`, { path: 'a.ts', limit: 5, recursive: true }],
    [`${named}({"path": "a.ts", "tags": ["x"]})`, { path: 'a.ts', tags: ['x'] }],
    [`functions.${named}(path="a.ts", tags=["x", "y"])`, { path: 'a.ts', tags: ['x', 'y'] }],
    [`${named}(path="a.ts");`, { path: 'a.ts' }],
    ['<parameter name="path">a.ts</parameter>', { path: 'a.ts' }],
    ['<parameter=path>a.ts</parameter>\n<parameter=limit>5</parameter>', { path: 'a.ts', limit: 5 }],
    ['<path>a.ts</path>\n<content>x < y</content>', { path: 'a.ts', content: 'x < y' }],
    [`<invoke name="${named}"><parameter name="path">a.ts</parameter></invoke>`, { path: 'a.ts' }],
    [`<${named}><path>a.ts</path></${named}>`, { path: 'a.ts' }],
    ['<arg_key>path</arg_key><arg_value>a.ts</arg_value>', { path: 'a.ts' }],
  ],
  'a bare list for the only parameter': [
    ['["a.ts", "b.ts"]', { files: ['a.ts', 'b.ts'] }, files],
    ["['a.ts', 'b.ts']", { files: ['a.ts', 'b.ts'] }, files],
    ['```json\n["a.ts"]\n```', { files: ['a.ts'] }, files],
    ['[{"id": 1}, {"id": 2}]', { rows: [{ id: 1 }, { id: 2 }] }, rows],
    ['[]', { files: [] }, files],
  ],
  'a key with one typo': [
    ['{"path": "a.ts", "contnet": "x"}', { path: 'a.ts', content: 'x' }],
    ['{"path": "a.ts", "contents": "x"}', { path: 'a.ts', content: 'x' }],
    ['{"path": "a.ts", "recursve": true}', { path: 'a.ts', recursive: true }],
    ['{"path": "a.ts", "limitt": 5}', { path: 'a.ts', limit: 5 }],
    ['{"path": "a.ts", "rnage": {"start": 1}}', { path: 'a.ts', range: { start: 1 } }],
  ],
};

/** Damage that was recovered before. */
const casesBefore: Readonly<Record<string, readonly Row[]>> = {
  'unescaped quotes in the last field, with no declared key behind them': [
    ['{"path": "a.py", "content": "print("hello")"}', { path: 'a.py', content: 'print("hello")' }],
    ['{"path": "a.md", "content": "She said "hi" and left."}', { path: 'a.md', content: 'She said "hi" and left.' }],
    [
      '{"path": "a.html", "content": "<a href="x.html" class="big">link</a>"}',
      { path: 'a.html', content: '<a href="x.html" class="big">link</a>' },
    ],
    ['{"path": "a.json", "content": "{"a": 1, "b": [2]}"}', { path: 'a.json', content: '{"a": 1, "b": [2]}' }],
    ['{"path": "a.json", "content": "{"name": "x"}"}', { path: 'a.json', content: '{"name": "x"}' }],
    ['{"path": "a.sh", "content": "echo "$HOME" | wc -c"}', { path: 'a.sh', content: 'echo "$HOME" | wc -c' }],
    ['{"path": "a.txt", "content": "a 27" screen"}', { path: 'a.txt', content: 'a 27" screen' }],
    ['{"path": "a.sh", "content": "git commit -m "fix: it""}', { path: 'a.sh', content: 'git commit -m "fix: it"' }],
    [
      '{"path": "a.ts", "content": "import x from "y"; run("z");"}',
      { path: 'a.ts', content: 'import x from "y"; run("z");' },
    ],
  ],
  'only closers missing after a complete string or object': [
    ['{"path": "a.ts"', { path: 'a.ts' }],
    ['{"path": "a.ts", "content": "done."', { path: 'a.ts', content: 'done.' }],
    ['{"path": "a.ts", "range": {"start": 1, "end": 2}', { path: 'a.ts', range: { start: 1, end: 2 } }],
    ['{"path": "a.ts", "tags": ["x", "y"]', { path: 'a.ts', tags: ['x', 'y'] }],
    ['{"path": "a.ts", "recursive": true', { path: 'a.ts', recursive: true }],
    ['{\n  "path": "a.ts",\n  "content": "x"\n', { path: 'a.ts', content: 'x' }],
    ['```json\n{"path": "a.ts", "content": "x"\n```', { path: 'a.ts', content: 'x' }],
  ],
  'wrappers around the arguments': [
    [`{"name": "${named}", "parameters": {"path": "a.ts"}}`, { path: 'a.ts' }],
    [`{"tool": "${named}", "input": {"path": "a.ts"}}`, { path: 'a.ts' }],
    [`{"arguments": {"path": "a.ts"}}`, { path: 'a.ts' }],
    [`[{"path": "a.ts"}]`, { path: 'a.ts' }],
    [`{"id": "call_1", "name": "${named}", "arguments": {"path": "a.ts"}}`, { path: 'a.ts' }],
  ],
};

const expectRecovered = (args: unknown, input: unknown, schema: unknown = write) => {
  const { repairs, ...outcome } = mendWith(schema, args, { finishReason: 'stop' });
  expect(outcome).toMatchObject({ status: 'mended', problems: [] });
  expect(outcome.input).toEqual(input);
  expect(repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
  expect(mendWith(schema, args, { effect: 'destructive' }).status).toBe('invalid');
};

describe.each(Object.entries(cases))('Recovers %s', (_, rows) => {
  it.each(rows)('%s', expectRecovered);
});

describe.each(Object.entries(casesBefore))('guard: Recovers %s', (_, rows) => {
  it.each(rows)('%s', expectRecovered);
});

const mode = { enum: ['low', 'medium', 'high'] };
type Value = readonly [text: string, schema: JsonSchema, value: unknown];
const values: readonly Value[] = [
  ['```json\n42\n```', integer, 42],
  ['```\ntrue\n```', boolean, true],
  ['<think>Let me see: 6 times 7.</think>\n42', integer, 42],
  ['<think>It is urgent.</think>high', mode, 'high'],
  ['high.', mode, 'high'],
  ['true.', boolean, true],
  ['```json\n"high"\n```', mode, 'high'],
  ['**high**', mode, 'high'],
];

const valuesBefore: readonly Value[] = [
  ['42.', integer, 42],
  ['High', mode, 'high'],
  ['"high"', mode, 'high'],
  [' 42\n', integer, 42],
  ['<think>a</think>\n```json\n["a", "b"]\n```', strings, ['a', 'b']],
];

describe('Recovers scalars and fixed words in fences, after reasoning or with a full stop', () => {
  const expectValue = (text: string, schema: JsonSchema, value: unknown) => {
    expect(mendValue(text, schema)).toMatchObject({ input: value, problems: [] });
  };
  it.each(values)('%j', expectValue);
  it.each(valuesBefore)('guard: %j', expectValue);
});

/** Look-alikes that nobody can be sure of. */
const doubtful: readonly Row[] = [
  ['{"path": "a.py", "content": "say "x", "limit": 5"}', undefined],
  ['{"path": "a.py", "content": "print("x"', undefined],
  ['{"path": "a.ts", "content": "do', undefined],
  ['{"path": "a.ts", "tags": ["x", "y"', undefined],
  ['{"path": "a.ts", "limit": 1', undefined],
  ['{"function": {"name": "other", "arguments": {"path": "a.ts"}}}', undefined],
  ['{"other": {"path": "a.ts"}}', undefined],
  [`${named}(path=file)`, undefined],
  [`${named}(path="a.ts") or ${named}(path="b.ts")`, undefined],
  ['other(path="a.ts")', undefined],
  ['<parameter name="file">a.ts</parameter>', undefined],
  ['["a.ts", "b.ts"]', undefined],
  ['[see below]', undefined, files],
  ['{"path": "a.ts", "cnt": "x"}', undefined],
  ['{"path": "a.ts", "moed": "append", "mod": "overwrite"}', undefined],
];

describe('guard: refuses look-alikes', () => {
  it.each(doubtful)('%s', (args, _, schema = write) =>
    expect(mendWith(schema, args, { finishReason: 'stop' }).status).toBe('invalid'),
  );
  it.each([
    ['42 or 43.', integer],
    ['not high', mode],
    ['high or low', mode],
    ['<think>42', integer],
  ] as const)('%j', (text, schema) => expect(mendValue(text, schema).status).toBe('invalid'));
});
