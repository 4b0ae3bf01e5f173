/** Coercing: fields next to a wrapper around the arguments, and second wrappers, are never lost. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { boolean, closed, mendWith, named, open, string } from './mend-with.ts';

const schemas = {
  closed: closed({ path: string, force: boolean }),
  open: open({ path: string, force: boolean }),
  zod: z.object({ path: z.string().optional(), force: z.boolean().optional() }),
};

const envelope = { name: named, arguments: { path: 'a' } };

/** Refused whatever the schema allows. */
const refused: readonly unknown[] = [
  { ...envelope, path: 'x' },
  { ...envelope, path: 'a' },
  { ...envelope, dry_run: true },
  { ...envelope, status: 'pending' },
  { arguments: { path: 'a' }, force: true },
  { arguments: { path: 'a' }, dry_run: true },
  { arguments: '{"path": "a"}', force: true },
  { arguments: [{ path: 'a' }], force: true },
  { input: { path: 'a' }, path: 'b' },
  { params: { path: 'a' }, timeout: 5 },
  { function: envelope, dry_run: true },
  { function: { ...envelope, dry_run: true } },
  { function: envelope, arguments: { path: 'b' } },
  { function_call: envelope, force: true },
  { tool_call: envelope, path: 'b' },
  { arguments: { path: 'a' }, parameters: { path: 'b' } },
  { arguments: { path: 'a' }, input: { force: true } },
  { arguments: { path: 'a' }, parameters: {} },
  { input: { arguments: { path: 'a' }, force: true } },
  { arguments: { arguments: { path: 'a' }, dry_run: true } },
  { function: { name: 'other', arguments: { path: 'a' } }, id: 'c' },
  [{ arguments: { path: 'a' }, force: true }],
];

/** Refused where the wrapper would be dropped; an object that allows other keys keeps them all. */
const lost: readonly unknown[] = [
  { arguments: {}, force: true },
  { arguments: { other: 1 }, path: 'b' },
  { input: { other: 1 }, path: 'b' },
  { arguments: {}, input: {} },
  { arguments: { other: 1 }, input: { more: 2 } },
  { [named]: { other: 1 }, path: 'b' },
  { type: 'dry', arguments: { other: 1 } },
];

const kept: readonly unknown[] = [
  { path: 'a' },
  { path: 'a', input: 'b' },
  { path: 'a', input: null },
  { path: 'a', extra: { other: 1 } },
];

const unwrapped: readonly unknown[] = [
  { arguments: { path: 'a' } },
  { arguments: '{"path": "a"}' },
  { ...envelope, id: 'c', type: 'function', index: 0 },
  { tool_name: named, input: { path: 'a' }, call_id: 'c' },
  { tool: named, args: { path: 'a' }, tool_call_id: 'c' },
  { type: 'function', id: 'c', function: envelope },
];

describe.each(Object.entries(schemas))('Coercing: a wrapper next to other fields, %s', (kind, schema) => {
  it.each(refused.map((value) => [value]))('refuses %j', (value) => {
    for (const effect of ['read', 'write'] as const)
      for (const args of [value, JSON.stringify(value)])
        expect(mendWith(schema, args, { effect })).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
  it.each(lost.map((value) => [value]))(kind === 'open' ? 'guard: never drops %j' : 'never drops %j', (value) => {
    const outcome = mendWith(schema, value, { effect: 'read' });
    if (kind === 'open') expect(outcome).toMatchObject({ status: 'ok', input: value });
    else expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
  it.each(kept.map((value) => [value]))('guard: runs %j', (value) =>
    expect(mendWith(schema, value, { effect: 'read' })).toMatchObject({ input: { path: 'a' }, problems: [] }),
  );
  it.each(unwrapped.map((value) => [value]))('guard: unwraps %j', (value) =>
    expect(mendWith(schema, value, { effect: 'read' })).toMatchObject({ problems: [] }),
  );
});

describe('guard: Coercing: a wrapper that the schema declares, or a map, is the value', () => {
  const object = { type: 'object' } as const;
  it.each([
    [open({ command: string, arguments: object }), { command: 'a', arguments: { path: 'b' } }],
    [closed({ path: string, input: object }), { path: 'a', input: { path: 'b' } }],
    [object, { input: { path: 'a' }, path: 'b' }],
    [
      { type: 'object', properties: { path: string }, additionalProperties: object },
      { path: 'a', input: { path: 'b' } },
    ],
    [
      { type: 'object', properties: { path: string }, patternProperties: { '^in': object } },
      { path: 'a', input: { path: 'b' } },
    ],
    [open({ query: string }), { query: 'a', params: { id: 5 } }],
  ])('%j takes %j', (schema, value) => expect(mendWith(schema, value)).toMatchObject({ status: 'ok', input: value }));
});

it('Coercing: the problem names the field, and the wrapper', () => {
  const [problem] = mendWith(schemas.closed, { arguments: { path: 'a' }, path: 'a' }).problems;
  expect(problem).toMatchObject({ path: ['path'], code: 'ambiguous', received: 'a' });
  expect(problem?.message).toBe(
    "Field 'path' is next to 'arguments', which contains arguments; send all fields in one object",
  );
});

const put = tool({
  name: 'put',
  description: 'Puts a file',
  inputSchema: closed({ path: string, force: boolean }) as { type: 'object' },
});
const toolbox = new Toolbox([put]);
const inner = '{"name": "put", "arguments": {"path": "a"}}';

describe('Calls in text: keys next to a wrapper', () => {
  const objects = [
    `{"function": ${inner}, "arguments": {"path": "b"}}`,
    `{"function": ${inner}, "input": {"force": true}}`,
    `{"tool_call": ${inner}, "parameters": {"force": true}}`,
    `{"tool_calls": [${inner}], "args": {"force": true}}`,
    `{"function": ${inner}, "action": {"x": 1}}`,
    `{"name": "put", "arguments": {"path": "a"}, "function": {"dry_run": true}}`,
    `{"name": "put", "arguments": {"path": "a"}, "tool": {"x": 1}}`,
    `{"name": "put", "arguments": {"path": "a"}, "action": ["x"]}`,
    `{"name": "put", "arguments": {"arguments": {"path": "a"}, "dry_run": true}}`,
    `{"name": "put", "arguments": {"input": {"path": "a"}, "force": true}}`,
    `{"name": "put", "arguments": {"input": {}, "force": true}}`,
  ];
  it.each(objects)('%s doesn’t run', (object) => {
    const marked = `<tool_call>${object}</tool_call>`;
    const { calls } = readCalls(marked, toolbox, { dialect: 'hermes' });
    expect(calls.map(({ status }) => status)).toEqual(['invalid']);
    for (const [text, options] of [
      [marked, {}],
      [object, {}],
      [object, { dialect: 'generic-json' }],
      [object, { prompted: true }],
      [`\`\`\`json\n${object}\n\`\`\``, { prompted: true }],
    ] as const) {
      const reading = readCalls(text, toolbox, options);
      expect(reading.calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
      if (reading.calls.length === 0) expect(reading.text).toBe(text);
    }
  });
  it.each([
    '[put(arguments={"path": "a"}, force=True)]',
    '[put(arguments={"path": "a"}, parameters={"path": "b"})]',
    '[put(input={"other": 1}, path="b")]',
  ])('%s doesn’t run', (text) => {
    for (const options of [{ dialect: 'pythonic' }, {}, { prompted: true }])
      expect(readCalls(text, toolbox, options).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
  it.each([
    inner,
    `{"id": "c", "type": "function", "index": 0, "function": ${inner}}`,
    `{"tool_calls": [{"id": "c", "type": "function", "function": ${inner}}]}`,
    '{"tool": "put", "args": {"path": "a"}, "call_id": "c"}',
  ])('guard: %s runs', (object) => {
    for (const options of [{ dialect: 'hermes' }, {}, { prompted: true }])
      expect(readCalls(`<tool_call>${object}</tool_call>`, toolbox, options).calls).toMatchObject([
        { name: 'put', input: { path: 'a' }, problems: [] },
      ]);
  });
});
