import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const text = { type: 'string' } as const;
const object = { type: 'object' } as const;
const define = (name: string, properties: Record<string, object>, effect: 'read' | 'write' | 'destructive') =>
  tool({ name, description: 'Does it', effect, inputSchema: { type: 'object', properties } as { type: 'object' } });

const tools = new Toolbox([
  define('put', { path: text }, 'write'),
  define('wipe', { path: text }, 'destructive'),
  define('send_email', { to: text }, 'write'),
  define('save', { meta: object, path: text, overwrite: { type: 'boolean' } }, 'write'),
  define('query', { table: text, where: object, limit: { type: 'integer' } }, 'read'),
  define('plot', { config: { type: 'object', properties: { width: { type: 'integer' } } }, title: text }, 'write'),
]);

type Reader = 'auto' | 'prompted' | (string & {});
const optionsFor = (reader: Reader) =>
  reader === 'auto' ? {} : reader === 'prompted' ? { prompted: true } : { dialect: reader };
const read = (reader: Reader, answer: string) => readCalls(answer, tools, optionsFor(reader));
const marked = (json: string): string => `<tool_call>${json}</tool_call>`;
const fenced = (json: string): string => `\`\`\`json\n${json}\n\`\`\``;
const refused = (reader: Reader, answer: string) => {
  const { calls } = read(reader, answer);
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 'invalid'));
  return calls.flatMap(({ problems }) => problems.map(({ code }) => code));
};
const runs = (reader: Reader, answer: string) => {
  const { calls } = read(reader, answer);
  expect(calls.flatMap(({ problems }) => problems)).toEqual([]);
  return calls.map(({ name, input }) => [name, input]);
};

const twoArguments = '{"function":{"name":"put","arguments":{"path":"/a"},"arguments":{"path":"/b"}}}';
const twoNames = '{"function":{"name":"wipe","name":"put","arguments":{"path":"/a"}}}';

describe('a key that the envelope of a call gives twice, with two values', () => {
  it.each<[Reader, string]>([
    ['auto', twoArguments],
    ['auto', `[${twoArguments}]`],
    ['auto', fenced(twoArguments)],
    ['auto', marked(twoArguments)],
    ['hermes', marked(`{"tool_calls":[${twoArguments}]}`)],
    ['generic-json', twoArguments],
    ['hermes', marked(twoArguments)],
    ['hermes', marked(twoNames)],
    ['hermes', marked('{"tool_call":{"name":"put","arguments":{"path":"/a","path":"/b"}}}')],
    ['prompted', twoArguments],
    ['prompted', `[${twoNames}]`],
    ['prompted', '{"name":"put","arguments":{"path":"/a"},"arguments":{"path":"/b"}}'],
    ['apertus', '<|tools_prefix|>[{"wipe":{"path":"/a"},"wipe":{"path":"/b"}}]<|tools_suffix|>'],
    ['apertus', '<|tools_prefix|>[{"put":{"path":"/a"},"wipe":{"path":"/a"},"put":{"path":"/b"}}]<|tools_suffix|>'],
  ])('%s refuses %s', (reader, answer) => {
    expect(new Set(refused(reader, answer))).toEqual(new Set(['duplicate_key']));
  });

  it.each([
    '{"function":{"name":"put","arguments":{"path":"/a"}},"function":{"name":"wipe","arguments":{}}}',
    '{"name":"put","path":"/a","path":"/b"}',
    '{"name":"put","arguments":{"path":"/a"},"arguments":{"path":"/b"}}',
  ])('guard: refuses %s', (json) => {
    expect(new Set(refused('hermes', marked(json)))).toEqual(new Set(['duplicate_key']));
  });

  it('runs a call once whose key is the same', () => {
    const answer = '<|tools_prefix|>[{"put":{"path":"/a"},"put":{"path":"/a"}}]<|tools_suffix|>';
    expect(runs('apertus', answer)).toEqual([['put', { path: '/a' }]]);
  });

  it.each<[Reader, string]>([
    ['hermes', marked('{"function":{"name":"put","name":"put","arguments":{"path":"/a"}}}')],
    ['hermes', marked('{"function":{"name":"put","arguments":{"path":"/a"},"arguments":{"path":"/a"}}}')],
    ['hermes', marked('{"name":"put","name":"put","arguments":{"path":"/a"}}')],
    ['auto', '{"function":{"name":"put","arguments":{"path":"/a","path":"/a"}}}'],
    ['prompted', '{"function":{"name":"put","name":"put","arguments":{"path":"/a"}}}'],
    ['hermes', marked('{"function":{"name":"put","arguments":"{\\"path\\":\\"/a\\"}"}}')],
  ])('guard: %s runs %s', (reader, answer) => {
    expect(runs(reader, answer)).toEqual([['put', { path: '/a' }]]);
  });

  it('guard: keys of two calls are no repeated keys', () => {
    const answer = '<|tools_prefix|>[{"put":{"path":"/a"}},{"put":{"path":"/b"}}]<|tools_suffix|>';
    expect(runs('apertus', answer)).toHaveLength(2);
  });
});

const types = [
  'tool_result',
  'function_call_output',
  'tool_response',
  'tool_call_result',
  'example',
  'denied',
  'blocked',
  'pending_approval',
  'test_case',
  'dry_run',
  'log',
  'object',
  '',
];
const typed = (type: string): string => `{"type":"${type}","name":"send_email","arguments":{"to":"a"}}`;
const wrapped = (type: string): string => `{"type":"${type}","function":{"name":"send_email","arguments":{"to":"a"}}}`;
const inside = (type: string): string => `{"function":{"type":"${type}","name":"send_email","arguments":{"to":"a"}}}`;

describe('an object whose type is not that of a call', () => {
  it.each(
    types.flatMap((type) =>
      [typed(type), wrapped(type), inside(type), `[${typed(type)}]`, fenced(typed(type))].flatMap((answer) =>
        ['auto', 'prompted'].map((reader) => [reader, answer] as const),
      ),
    ),
  )('%s leaves %s as text', (reader, answer) => {
    const { calls, text: left } = read(reader, answer);
    expect([calls, left]).toEqual([[], answer]);
  });

  it.each<[Reader, string]>([
    [
      'auto',
      '[{"type":"removed","name":"put","arguments":{"path":"a"}},{"type":"added","name":"put","arguments":{"path":"b"}}]',
    ],
    [
      'auto',
      '[{"type":"function","name":"put","arguments":{"path":"a"}},{"type":"log","name":"put","arguments":{"path":"b"}}]',
    ],
    ['auto', marked(typed('denied'))],
    ['generic-json', '{"type":"denied","name":"wipe","arguments":{"path":"a"}}'],
    ['json-fence', fenced('{"type":"denied","name":"wipe","arguments":{"path":"a"}}')],
    ['llama3-json', '{"type":"denied","name":"wipe","parameters":{"path":"a"}}'],
    ['prompted', '{"type":"denied","name":"wipe","arguments":{"path":"a"}}'],
    ['prompted', "{'type': 'denied', 'name': 'wipe', 'arguments': {'path': 'a'}}"],
    ['prompted', '{"type":"denied","function":{"name":"put","arguments":{"path":"a"}}'],
  ])('%s runs nothing of %s', (reader, answer) => {
    expect(read(reader, answer).calls).toEqual([]);
  });

  it.each<[Reader, string]>([
    ['hermes', marked(typed('denied'))],
    ['hermes', marked(wrapped('tool_result'))],
    ['granite3', `<|tool_call|>[${typed('example')}]`],
    ['cohere-cmd3', '<|START_ACTION|>[{"type":"log","tool_name":"put","parameters":{"path":"a"}}]<|END_ACTION|>'],
  ])('%s refuses %s with a reason', (reader, answer) => {
    expect(refused(reader, answer)).toEqual(['ambiguous']);
    expect(read(reader, answer).calls[0]?.problems[0]?.message).toContain("'type'");
  });

  const callTypes = ['function', 'tool_call', 'tool_use', 'function_call', 'tool', 'call', 'tool-call', 'functionCall'];
  it.each(
    callTypes.flatMap((type) =>
      (['auto', 'prompted', 'generic-json'] as const).flatMap((reader) => [
        [reader, typed(type)] as const,
        [reader, wrapped(type)] as const,
      ]),
    ),
  )('guard: %s runs %s', (reader, answer) => {
    expect(runs(reader, answer)).toEqual([['send_email', { to: 'a' }]]);
  });

  it('guard: a type inside the arguments is a field', () => {
    const answer = '{"name":"query","arguments":{"table":"t","where":{"type":"denied"}}}';
    for (const reader of ['auto', 'prompted', 'generic-json'])
      expect(runs(reader, answer)).toEqual([['query', { table: 't', where: { type: 'denied' } }]]);
  });
});

const inWhere = '{"name":"query","arguments":{"table":"t","where":{"col":"a","limit":5}}';
const inMeta = '{"name":"save","arguments":{"meta":{"title":"x","path":"/a","overwrite":true}}';
const alone = '{"name":"query","arguments":{"table":"t","where":{"col":"a"},"limit":5}';

describe('a closer that a call lacks, and that may be missing inside its arguments', () => {
  it.each<[Reader, string]>([
    ['hermes', marked(inWhere)],
    ['hermes', marked(inMeta)],
    ['hermes', marked('{"name":"plot","arguments":{"config":{"width":5,"height":4}}')],
    ['auto', marked(inWhere)],
    ['auto', inWhere],
    ['auto', fenced(inMeta)],
    ['auto', `[${inWhere}]`],
    ['generic-json', inMeta],
    ['granite3', `<|tool_call|>[${inWhere}]`],
    ['prompted', inWhere],
    ['prompted', `[${inWhere}]`],
    ['prompted', fenced(`[${inMeta}]`)],
  ])('%s refuses %s', (reader, answer) => {
    expect(new Set(refused(reader, answer))).toEqual(new Set(['unknown']));
  });

  it('a prompted list records the closer', () => {
    const [call] = read('prompted', `[${alone}]`).calls;
    expect(call?.repairs.map(({ kind, certainty }) => [kind, certainty])).toContainEqual(['closer', 'inferred']);
    expect(refused('prompted', '[{"name":"wipe","arguments":{"path":"/a"}]')).toEqual(['not_exact']);
  });

  it.each<[Reader, string]>([
    ['hermes', marked(alone)],
    ['auto', alone],
    ['auto', fenced(alone)],
    ['auto', `[${alone}]`],
    ['granite3', `<|tool_call|>[${alone}]`],
  ])('guard: %s runs %s', (reader, answer) => {
    const { calls } = read(reader, answer);
    expect(calls.map(({ status }) => status)).toEqual(['mended']);
    expect(calls[0]?.input).toMatchObject({ table: 't', limit: 5 });
  });

  it.each<[Reader, string]>([
    ['hermes', marked(`${inWhere}}`)],
    ['auto', `${inWhere}}`],
    ['prompted', `[${inWhere}}]`],
  ])('guard: %s runs %s, which lacks none', (reader, answer) => {
    expect(runs(reader, answer)).toEqual([['query', { table: 't', where: { col: 'a', limit: 5 } }]]);
  });

  it('guard: arguments in quotes show where they end', () => {
    const answer = marked('{"name":"query","arguments":"{\\"table\\":\\"t\\",\\"where\\":{\\"limit\\":5}}"');
    expect(runs('hermes', answer)).toEqual([['query', { table: 't', where: { limit: 5 } }]]);
  });
});
