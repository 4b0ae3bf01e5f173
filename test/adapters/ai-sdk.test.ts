import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasFailedTurns, mendMiddleware } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import type { ScriptedCall, ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { converse, most } from './ai-sdk-run.ts';

const installed = JSON.parse(readFileSync(new URL('../../node_modules/ai/package.json', import.meta.url), 'utf8'));

it('is tested with version 7 of the AI SDK', () => {
  expect(installed.version).toMatch(/^7\./);
});

const call = (name: string, given?: unknown): ScriptedTurn => ({ calls: [{ name, arguments: given } as ScriptedCall] });

interface Row {
  readonly first: ScriptedTurn;
  /** What the tool must get. */
  readonly gets: unknown;
}

/** Answers with which a run comes to nothing, and from which it is clear what is meant. */
const mended: Record<string, Row> = {
  'C4 arguments that are almost JSON': {
    first: call('read_file', "{path: 'a.ts', limit: 5,}"),
    gets: { path: 'a.ts', limit: 5 },
  },
  'C5 the name in another spelling': { first: call('readFile', '{"path": "a.ts"}'), gets: { path: 'a.ts' } },
  'C6 a call that stands in words': {
    first: { text: 'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>' },
    gets: { path: 'a.ts' },
  },
  'C10 a list and an object as text': {
    first: call('read_files', JSON.stringify({ paths: '["a.ts", "b.ts"]', options: '{"deep": true}' })),
    gets: { paths: ['a.ts', 'b.ts'], options: { deep: true } },
  },
  'C13 the name behind a prefix': { first: call('default_api:read_file', '{"path": "a.ts"}'), gets: { path: 'a.ts' } },
  'C15 broken JSON': { first: call('read_file', '```json\n{"path" "a.ts"}\n```'), gets: { path: 'a.ts' } },
  'a call whose answer ended in a way nobody knows': {
    first: { ...call('read_file', '{"path": "a.ts"}'), finish: 'other' },
    gets: { path: 'a.ts' },
  },
};

const both = [
  { how: 'generateText', stream: false },
  { how: 'streamText', stream: true },
];
const middleware = mendMiddleware();

describe.each(both)('$how with a model that repeats its mistakes', ({ stream }) => {
  it.each(Object.entries(mended))(
    '%s: runs nothing without the middleware, and the intended call with it',
    async (_, row) => {
      const first = { ...row.first, chunk: 3 };
      const without = await converse({ first, stream });
      expect(without.inputs).toEqual([]);
      const mending = await converse({ first, stream, middleware });
      expect(mending).toMatchObject({ inputs: [row.gets], text: 'Done.', finish: 'stop', steps: 2 });
    },
  );
});

describe.each(both)('$how with a model that follows feedback', ({ stream }) => {
  const path = 'poem.md';

  it('C2 a truncated write never runs, and only the middleware reports the limit to the model', async () => {
    const first: ScriptedTurn = {
      ...call('write_file', `{"path": "${path}", "content": "Of all the tr`),
      finish: 'length',
    };
    const better = call('write_file', JSON.stringify({ path, content: 'Of trees.' }));
    const conversation = { first, better, helps: /smaller pieces/, stream };
    expect((await converse(conversation)).inputs).toEqual([]);
    const mending = await converse({ ...conversation, middleware });
    expect(mending).toMatchObject({ inputs: [{ path, content: 'Of trees.' }], text: 'Done.', steps: 3 });
    expect(mending.told[0]).toContain('cut off by the output token limit');
  });

  it('C2 complete calls before a truncated one run; without the middleware, the run ends there', async () => {
    const { calls } = call('read_file', '{"path": "a.ts"}');
    const cut = call('write_file', `{"path": "${path}", "content": "Of all`).calls;
    const first: ScriptedTurn = { calls: [...(calls ?? []), ...(cut ?? [])], finish: 'length' };
    expect(await converse({ first, stream })).toMatchObject({ inputs: [], text: '', steps: 1 });
    const mending = await converse({ first, stream, middleware });
    expect(mending).toMatchObject({ inputs: [{ path: 'a.ts' }], text: 'Done.' });
    expect(mending.told[0]).toContain('Nothing was run.');
  });

  it('C4 reports bad arguments of a known tool with our message', async () => {
    const told = async (first: ScriptedTurn) => (await converse({ first, stream, middleware, helps: /./ })).told[0];
    expect(unwrapped(await told(call('read_file', '{"limit": "many"}')))).toBe(
      [
        'Parameter validation failed:',
        "1. Field 'path' is required but missing\n2. Field 'limit' expected integer, got string",
        'Please fix the parameters and try again.',
      ].join('\n\n'),
    );
    expect(unwrapped(await told(call('launch_rocket', '{}')))).toMatch(/^Tool 'launch_rocket' does not exist\./);
  });

  it('lets the SDK report valid JSON that its own validator refuses', async () => {
    const { refused, inputs } = await converse({
      first: call('read_file', '{"limit": 5}'),
      stream,
      middleware,
      helps: /./,
    });
    expect(inputs).toEqual([]);
    expect(refused).toMatchObject([{ input: { limit: 5 }, error: expect.stringContaining('Type validation failed') }]);
    expect(refused[0]?.error).not.toContain('JSON parsing failed');
  });

  it('guard: lets the SDK run nothing that it would accept', async () => {
    for (const first of [call('mcp_search', '{"tags": "a"}'), call('now', '{"a": 1, "a": 2}')]) {
      const { refused, inputs } = await converse({ first, stream, middleware, helps: /./ });
      expect(inputs).toEqual([]);
      expect(refused).toMatchObject([{ error: expect.stringContaining('Please fix') }]);
    }
  });

  it('C5 reports the closest name for an invented one', async () => {
    const first = call('read_fiel', '{"path": "a.ts"}');
    const better = call('read_file', '{"path": "a.ts"}');
    const conversation = { first, better, helps: /did you mean 'read_file'/i, stream };
    expect((await converse(conversation)).inputs).toEqual([]);
    expect((await converse({ ...conversation, middleware })).inputs).toEqual([{ path: 'a.ts' }]);
  });

  it('C8 accepts missing arguments, as the SDK does', async () => {
    const first = call('now', '');
    expect((await converse({ first, stream })).inputs).toEqual([{}]);
    expect((await converse({ first, stream, middleware })).inputs).toEqual([{}]);
  });

  it('C12 gives more detail for each repeated bad call, and ends a loop', async () => {
    const first = call('read_file', '{"limit": 5}');
    expect((await converse({ first, stream })).steps).toBe(most);
    const mending = await converse({ first, stream, middleware, stopWhen: hasFailedTurns(4) });
    expect(mending).toMatchObject({ inputs: [], steps: 4 });
    const lengths = mending.told.map(({ length }) => length);
    expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
    expect(new Set(lengths).size).toBe(3);
  });

  it('C14 checks a tool without a validator in the SDK', async () => {
    const first = call('mcp_search', '{"tags": "a"}');
    expect((await converse({ first, stream })).inputs).toEqual([{ tags: 'a' }]);
    const better = call('mcp_search', '{"query": "b", "tags": "[\\"a\\"]"}');
    const mending = await converse({ first, better, helps: /Field 'query' is required/, stream, middleware });
    expect(mending).toMatchObject({ inputs: [{ query: 'b', tags: ['a'] }], steps: 3 });
  });

  it('C19 keeps calls that are objects unchanged in the history, and adds nothing', async () => {
    const first = call('mcp_search', '{"tags": "a, b"}');
    const { asked } = await converse({ first, stream, middleware, helps: /./ });
    const history = JSON.stringify(asked.at(-1)?.messages);
    expect(history).not.toContain('toolmend');
    const [past] = asked.at(-1)?.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call')) ?? [];
    expect(past).toMatchObject({ name: 'mcp_search', arguments: '{"tags":"a, b"}' });
  });

  it('S4.6 removes a call without a name from the history, and lists the tools for the model', async () => {
    const better = call('read_file', '{"path": "a.ts"}');
    const { inputs, asked } = await converse({
      first: call('⚙', '{}'),
      better,
      helps: /named no tool/,
      stream,
      middleware,
    });
    expect(inputs).toEqual([{ path: 'a.ts' }]);
    expect(JSON.stringify(asked.at(-1)?.messages)).not.toContain('⚙');
  });

  it('reports dropped keys next to the result', async () => {
    const { inputs, told } = await converse({
      first: call('read_file', '{"path": "a.ts", "colour": 1}'),
      stream,
      middleware,
    });
    expect(inputs).toEqual([{ path: 'a.ts' }]);
    expect(told[0]).toMatch(/^It is done\.\nNote: .*colour/s);
  });
});

it('C7 separates calls that all have index 0, as the SDK does', async () => {
  const delta = (id: string, path: string): object[] => [
    { index: 0, id, type: 'function', function: { name: 'read_file', arguments: '' } },
    { index: 0, function: { arguments: JSON.stringify({ path }) } },
  ];
  const frames = [...delta('a', 'a.ts'), ...delta('b', 'b.ts')].map((one) => ({ delta: { tool_calls: [one] } }));
  const raw = [...frames, { delta: {}, finish_reason: 'tool_calls' }]
    .map((choice) => `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, ...choice }] })}\n\n`)
    .concat('data: [DONE]\n\n');
  for (const use of [{}, { middleware }]) {
    const { inputs } = await converse({ first: { raw }, stream: true, ...use });
    expect(inputs).toEqual([{ path: 'a.ts' }, { path: 'b.ts' }]);
  }
});

/** The words of a result, out of the object in which the provider's package sends errors. */
const unwrapped = (told = ''): unknown => JSON.parse(told).error;
