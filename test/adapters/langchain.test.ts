import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mendMiddleware } from '../../src/adapter/langchain/index.ts';
import type { ServedTurn } from '../../src/provider/scripted/index.ts';
import { type Ran, type RunSettings, runAgent, type WireName } from './langchain-run.ts';

const call = (args: string, name = 'write_file'): ServedTurn => ({ calls: [{ name, arguments: args }], chunk: 6 });
const sound = call('{"path": "a.ts", "content": "x"}');
const written = ['write_file', { path: 'a.ts', content: 'x' }];
const middleware = [mendMiddleware()];
const ways = [
  ['OpenAI Chat', false],
  ['OpenAI Chat', true],
  ['OpenAI Responses', false],
  ['OpenAI Responses', true],
  ['Anthropic', false],
  ['Anthropic', true],
] as const satisfies readonly (readonly [WireName, boolean])[];
const wayOf = ([wire, streams]: readonly [WireName, boolean]): RunSettings => ({ wire, streams });

/** The same turns without and with the middleware. */
const both = async (turns: readonly ServedTurn[], settings: RunSettings = {}): Promise<[Ran, Ran]> => [
  await runAgent(turns, settings),
  await runAgent(turns, { ...settings, middleware }),
];

// The framework warns on the console of every call that it can't read.
beforeAll(() => vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterAll(() => vi.restoreAllMocks());

it('is tested with LangChain 1', () => {
  const version = (name: string): string =>
    JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
  for (const name of ['langchain', '@langchain/core', '@langchain/openai', '@langchain/anthropic'])
    expect(version(name)).toMatch(/^1\./);
});

describe('a LangChain agent without the middleware fails, and succeeds with it', () => {
  const cut = '{"path": "a.ts", "content": "the first half of';

  it('C2 reports a truncated write and runs its retry; without it, the run ends or the write runs partially', async () => {
    const turns: ServedTurn[] = [{ calls: [{ name: 'write_file', arguments: cut }], finish: 'length' }, sound, 'Done.'];
    const [bare, mended] = await both(turns);
    expect(bare).toMatchObject({ ran: [], last: '' });
    expect(mended).toMatchObject({ ran: [written], last: 'Done.' });
    expect(mended.told).toEqual([expect.stringContaining('cut off by the output token limit')]);
    const [streamed, whole] = await both(turns, { streams: true });
    expect(streamed.ran[0]).toEqual(['write_file', { path: 'a.ts', content: 'the first half of' }]);
    expect(whole).toMatchObject({ ran: [written], told: mended.told, last: 'Done.' });
  });

  it('C2 never runs a call truncated after a field, even if only its last brace is missing', async () => {
    const open = '{"path": "a.ts", "content": "x", "lines": 5';
    const turns: ServedTurn[] = [{ calls: [{ name: 'write_file', arguments: open }], finish: 'length' }, 'Done.'];
    const [bare, mended] = await both(turns, { streams: true });
    expect(bare.ran).toHaveLength(1);
    expect(mended).toMatchObject({ ran: [], told: [expect.stringContaining('cut off by the output token limit')] });
  });

  it('C4 reports malformed input for a known tool; without it, the run ends', async () => {
    const [bare, mended] = await both([call('{"path": "a.ts" "b.ts", "content": [}'), sound, 'Done.']);
    expect(bare).toMatchObject({ ran: [], last: '' });
    expect(mended).toMatchObject({ ran: [written], last: 'Done.' });
    expect(mended.told).toHaveLength(1);
    expect(mended.told[0]).not.toContain('does not exist');
  });

  it('C5 repairs a name with another separator; without it, a turn is lost', async () => {
    const [bare, mended] = await both([call('{"path": "a.ts", "content": "x"}', 'writeFile'), 'Done.']);
    expect(bare).toMatchObject({ ran: [], told: [expect.stringContaining('not a valid tool')] });
    expect(mended).toMatchObject({ ran: [written], told: [] });
  });

  it('C6 reads a call written as text; without it, the loop ends', async () => {
    const text =
      'I write.\n<tool_call>\n{"name": "write_file", "arguments": {"path": "a.ts", "content": "x"}}\n</tool_call>';
    const [bare, mended] = await both([{ text, chunk: 5 }, 'Done.']);
    expect(bare).toMatchObject({ ran: [], last: text });
    expect(mended).toMatchObject({ ran: [written], last: 'Done.' });
    expect(mended.messages[1]?.text.trim()).toBe('I write.');
  });

  it('C8 runs a tool without parameters on missing arguments; without it, the run ends', async () => {
    const [bare, mended] = await both([call('', 'now'), 'Done.']);
    expect(bare).toMatchObject({ ran: [], last: '' });
    expect(mended).toMatchObject({ ran: [['now', {}]], last: 'Done.' });
  });

  it('C10 reads a list sent as text; without it, the list is refused', async () => {
    const [bare, mended] = await both([call('{"tags": "[\\"a\\", \\"b\\"]"}', 'tag'), 'Done.']);
    expect(bare).toMatchObject({ ran: [], told: [expect.stringContaining('expected schema')] });
    expect(mended).toMatchObject({ ran: [['tag', { tags: ['a', 'b'] }]], told: [] });
  });

  it('C12 ends a repeated bad call after four turns with a reason; without it, the graph throws', async () => {
    const again = Array.from({ length: 30 }, () => call('{"path": "a.ts"}'));
    const [bare, mended] = await both(again);
    expect(bare).toMatchObject({ threw: true, last: expect.stringContaining('Recursion limit') });
    expect(mended).toMatchObject({ threw: false, last: 'The model made no valid call within the allowed turns.' });
    expect(mended.requests).toHaveLength(4);
    const told = mended.told.map(({ length }) => length);
    expect(told).toEqual([...told].sort((one, other) => one - other));
    expect(told).toHaveLength(3);
    // The last try is for the tool that fails, alone.
    expect(mended.requests.map(({ question }) => question?.tools?.length)).toEqual([4, 4, 4, 1]);
  });

  it('C13 repairs a prefixed name; without it, a turn is lost', async () => {
    const [bare, mended] = await both([call('{"path": "a.ts", "content": "x"}', 'default_api:write_file'), 'Done.']);
    expect(bare).toMatchObject({ ran: [], told: [expect.stringContaining('not a valid tool')] });
    expect(mended).toMatchObject({ ran: [written], told: [] });
  });

  it('C15 mends broken JSON; without it, the run ends with an empty response', async () => {
    const [bare, mended] = await both([call("{path: 'a.ts', content: 'x', lines: '5',}"), 'Done.']);
    expect(bare).toMatchObject({ ran: [], last: '' });
    expect(mended).toMatchObject({ ran: [['write_file', { path: 'a.ts', content: 'x', lines: 5 }]], last: 'Done.' });
  });

  it('S4.4 drops a call without a name; without it, the model gets an error', async () => {
    const turns: ServedTurn[] = [
      {
        calls: [
          { name: '⚙', arguments: '{}' },
          { name: 'now', arguments: '{}' },
        ],
      },
      'Done.',
    ];
    const [bare, mended] = await both(turns);
    expect(bare.told).toHaveLength(1);
    expect(mended).toMatchObject({ ran: [['now', {}]], told: [], last: 'Done.' });
  });
});

describe.each(ways)('with the middleware, over %s (streamed: %s),', (wire, streams) => {
  const settings = { ...wayOf([wire, streams]), middleware };

  it.each([
    ['{"path": "b", "content": "y"}', [{ path: 'b', content: 'y' }], []],
    ["{path: 'b', content: 'y',}", [{ path: 'b', content: 'y' }], []],
    ['{"path": "b"}', [], [expect.stringContaining("Field 'content' is required but missing")]],
  ])('C7 keeps two calls with one id apart, each with its arguments and result: %s', async (second, runs, tells) => {
    const made = ['{"path": "a", "content": "x"}', second].map((given) => ({
      id: 'c1',
      name: 'write_file',
      arguments: given,
    }));
    const { ran, told, messages } = await runAgent([{ calls: made }, 'Done.'], settings);
    expect(ran.map(([, input]) => input)).toEqual([{ path: 'a', content: 'x' }, ...runs]);
    expect(told).toEqual(tells);
    const answered = messages.flatMap((one) => ('tool_call_id' in one ? [one.tool_call_id] : []));
    expect(new Set(answered).size).toBe(2);
  });

  it('S4.6 a response with only a nameless call does not end the run', async () => {
    const turns = [{ calls: [{ name: '⚙', arguments: '{}' }] }, { calls: [{ name: 'now', arguments: '{}' }] }, 'Done.'];
    const { ran, last, requests } = await runAgent(turns, settings);
    expect({ ran, last }).toEqual({ ran: [['now', {}]], last: 'Done.' });
    expect(JSON.stringify(requests[1])).toContain('The last call named no tool. The tools are: write_file');
  });

  it('S4.1 reports a missing field, and the next attempt runs', async () => {
    const { ran, told, last, requests } = await runAgent([call('{"path": "a.ts"}'), sound, 'Done.'], settings);
    expect({ ran, last }).toEqual({ ran: [written], last: 'Done.' });
    expect(told).toEqual([
      "Parameter validation failed:\n\n1. Field 'content' is required but missing\n\nPlease fix the parameters and try again.",
    ]);
    const results = requests[1]?.question?.messages.flatMap(({ parts }) => [...parts]) ?? [];
    expect(results.filter(({ type }) => type === 'call')).toHaveLength(1);
    expect(results.filter(({ type }) => type === 'result')).toHaveLength(1);
  });

  it('sends the mended call back to the model once', async () => {
    const turns = [call('{"path": "a.ts", "content": "x", "lines": "5"}', 'write-file'), 'Done.'];
    const { ran, requests } = await runAgent(turns, settings);
    const input = { path: 'a.ts', content: 'x', lines: 5 };
    expect(ran).toEqual([['write_file', input]]);
    const calls = requests[1]?.question?.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call'));
    expect(calls).toHaveLength(1);
    const [{ name, arguments: given }] = calls as unknown as [{ name: string; arguments: unknown }];
    expect({ name, given: typeof given === 'string' ? JSON.parse(given) : given }).toEqual({
      name: 'write_file',
      given: input,
    });
  });

  it('reports an unknown tool, and runs the call next to it', async () => {
    const calls = [
      { name: 'launch', arguments: '{}' },
      { name: 'now', arguments: '{}' },
    ];
    const { ran, told, last } = await runAgent([{ calls, chunk: 4 }, 'Done.'], settings);
    expect({ ran, last }).toEqual({ ran: [['now', {}]], last: 'Done.' });
    expect(told).toEqual([
      expect.stringContaining("Tool 'launch' does not exist. Available tools: write_file, now, tag, fails"),
    ]);
  });

  it('runs a call in text, and keeps the text before it', async () => {
    const text =
      'I write.\n<tool_call>\n{"name": "write_file", "arguments": {"path": "a.ts", "content": "x"}}\n</tool_call>';
    const { ran, last, messages } = await runAgent([{ text, chunk: 5 }, 'Done.'], settings);
    expect({ ran, last }).toEqual({ ran: [written], last: 'Done.' });
    expect(messages[1]?.text.trim()).toBe('I write.');
  });

  it('converts a call in text to the types of the schema', async () => {
    const text =
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=content>\n007\n</parameter>\n<parameter=lines>\n7\n</parameter>\n</function>\n</tool_call>';
    const { ran, last } = await runAgent([{ text, chunk: 5 }, 'Done.'], settings);
    expect({ ran, last }).toEqual({ ran: [['write_file', { path: 'a.ts', content: '007', lines: 7 }]], last: 'Done.' });
  });

  it('reports ignored keys next to the result', async () => {
    const turns = [call('{"path": "a.ts", "content": "x", "zz_colour": 5}'), 'Done.'];
    const { ran, messages } = await runAgent(turns, settings);
    expect(ran).toEqual([written]);
    expect(messages[2]?.text).toMatch(/^done\nNote: .*zz_colour/);
  });

  it('reports the reason of a tool that throws, without a stack', async () => {
    const { told, last } = await runAgent([call('{}', 'fails'), 'Done.'], settings);
    expect(last).toBe('Done.');
    expect(told).toEqual([expect.stringMatching(/^The disk is full\n/)]);
    expect(told[0]).not.toMatch(/^\s+at /m);
  });

  it('passes valid calls on unchanged', async () => {
    const turns: ServedTurn[] = [{ text: 'I write.', ...(sound as object) }, 'Done.'];
    const bare = await runAgent(turns, { wire, streams });
    const passed = await runAgent(turns, settings);
    expect(passed.ran).toEqual(bare.ran);
    expect(said(passed)).toEqual(said(bare));
  });
});

describe.each([false, true])('refused calls stay refused (streamed: %s)', (streams) => {
  // What the history shows of these would pass, as a call of a tool that needs nothing.
  it.each(['I would call it here.', '[{"a": 1}, {"b": 2}]', '{"unheard": true', '"'])('%s', async (args) => {
    const { ran, told, last } = await runAgent([call(args, 'now'), 'Done.'], { middleware, streams });
    expect({ ran, last }).toEqual({ ran: [], last: 'Done.' });
    expect(told).toHaveLength(1);
  });

  it('F6 endless nesting, which would crash the framework', async () => {
    const deep = `{"path": ${'['.repeat(20_000)}${']'.repeat(20_000)}, "content": "x"}`;
    const turns: ServedTurn[] = [{ calls: [{ name: 'write_file', arguments: deep }] }, sound, 'Done.'];
    const { ran, told, last } = await runAgent(turns, { middleware, streams });
    expect({ ran, last }).toEqual({ ran: [written], last: 'Done.' });
    expect(told).toHaveLength(1);
  });
});

/** What the model was sent, without the ids that its server makes anew each time. */
const said = ({ requests }: Ran): unknown =>
  JSON.parse(JSON.stringify(requests.map(({ body }) => body)).replaceAll(/"(msg|fc|rs)_[^"]*"/g, '"$1"'));
