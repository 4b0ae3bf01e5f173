/** Bad calls that people met in the field, through the whole loop. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { calls, plays, says } from './plays.ts';
import { endsOf, recording, told, wordsOf } from './recorded.ts';

const string = { type: 'string' } as const;
const path = { type: 'object', properties: { path: string }, required: ['path'] } as const;

/** Runs one call after another, each in a turn of its own, and ends in words. */
async function play(tools: readonly Tool[], ...written: readonly [name: string, given: unknown][]) {
  const turns = written.map(([name, given]) => ({ calls: [{ name, arguments: given }] }));
  const run = agent({ model: scripted([...turns, 'Done.']), tools }).run('x');
  const result = await run.result;
  return { run, ...result };
}

describe('calls that stay invalid', () => {
  it('C1 C12 end the run across different tools, and the reason says why', async () => {
    const tools = ['edit', 'write', 'move'].map((name) => recording({ name, inputSchema: path }));
    const model = scripted((_, turn) => ({ calls: [{ name: tools[turn % 3]?.name ?? '', arguments: '{}' }] }));
    const run = agent({ model, tools }).run('x');
    expect(await run.result).toMatchObject({ end: 'invalid_calls', message: expect.stringContaining('no valid call') });
    expect(run.state.turn).toBe(4);
    expect(tools.flatMap(({ received }) => received)).toEqual([]);
  });

  it('C1 C12 end the run next to valid calls of another tool', async () => {
    const read = recording({ name: 'read', inputSchema: path, effect: 'read' });
    const edit = recording({ name: 'edit', inputSchema: path });
    const model = scripted((_, turn) => ({
      calls: [
        { name: 'read', arguments: { path: `${turn}` } },
        { name: 'edit', arguments: '{}' },
      ],
    }));
    const run = agent({ model, tools: [read, edit] }).run('x');
    expect((await run.result).end).toBe('invalid_calls');
    expect([read.received.length, edit.received.length]).toEqual([4, 0]);
  });

  it('C5 end the run if unknown names are repeated despite the list; separators are repaired', async () => {
    const todo = recording({ name: 'todowrite', inputSchema: path });
    const model = scripted((_, turn) => ({ calls: [{ name: `make_todos_${turn}`, arguments: '{}' }] }));
    const run = agent({ model, tools: [todo] }).run('x');
    expect((await run.result).end).toBe('invalid_calls');
    expect(endsOf(run)).toEqual(['unknown_tool', 'unknown_tool', 'unknown_tool', 'unknown_tool']);
    for (const text of wordsOf(run)) expect(text).toContain('todowrite');
    const repaired = await play([todo], ['todo_write', '{"path": "a"}']);
    expect(repaired.end).toBe('done');
    expect(todo.received).toEqual([{ path: 'a' }]);
  });
});

describe('calls with similar faults', () => {
  it('C3 send a call without a name to the fallback tool as a valid payload, and continue the run', async () => {
    const payload = z.strictObject({ tool: z.string().min(1), error: z.string().min(1), receivedArgs: z.unknown() });
    const invalid = recording({ name: 'invalid', inputSchema: payload, execute: () => 'Look at the list of tools' });
    const model = plays([calls('', undefined), calls(undefined as never, '{')], [says('Sorry.')]);
    const run = agent({ model, tools: [invalid, recording({ name: 'read', inputSchema: path })] }).run('x');
    expect((await run.result).text).toBe('Sorry.');
    expect(invalid.received.map((one) => payload.safeParse(one).success)).toEqual([true, true]);
    expect(wordsOf(run)).toEqual(['Look at the list of tools', 'Look at the list of tools']);
  });

  it('C4 distinguish malformed input for a known tool from an unknown tool, in the record and in the feedback', async () => {
    const edit = recording({ name: 'edit', inputSchema: path });
    const { run } = await play([edit], ['edit', '{"path"'], ['edit', 'no json'], ['editor', '{'], ['edit', []]);
    expect(endsOf(run)).toEqual(['truncated', 'validation', 'unknown_tool', 'validation']);
    expect(wordsOf(run).map((text) => /no tool|unknown tool|does not exist|not known/i.test(text))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('C13 run the tool if its name has a server prefix', async () => {
    const read = recording({ name: 'read_file', inputSchema: path, effect: 'read' });
    const names = ['default_api:read_file', 'default_api.read_file', 'functions.read_file', 'tools.read_file'];
    const { run } = await play([read], ...names.map((name, at) => [name, { path: `${at}` }] as [string, unknown]));
    expect(endsOf(run)).toEqual(names.map(() => 'completed'));
    expect(run.calls().map(({ name }) => name)).toEqual(names.map(() => 'read_file'));
  });
});

describe('arguments', () => {
  it('C9 keep text that happens to be JSON as text in a string field', async () => {
    const write = recording({ name: 'write', inputSchema: { type: 'object', properties: { text: string } } });
    const texts = ['{"a": 1}', '[1]', '5', 'true', 'null'];
    await play([write], ...texts.map((text) => ['write', JSON.stringify({ text })] as [string, unknown]));
    expect(write.received).toEqual(texts.map((text) => ({ text })));
  });

  it('C10 C14 convert lists and objects for an MCP tool that arrived as JSON text, and check them', async () => {
    const got: unknown[] = [];
    const inputSchema = {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' } }, at: { type: 'object' } },
      required: ['ids'],
    };
    const run = (input: unknown) => got.push(input);
    const mcp = toolFromMcp({ name: 'pick', description: 'Picks', inputSchema }, { execute: run });
    const played = await play([mcp], ['pick', { ids: '[1, 2]', at: '{"x": 1}' }], ['pick', { ids: 'all' }]);
    expect(got).toEqual([{ ids: [1, 2], at: { x: 1 } }]);
    expect(endsOf(played.run)).toEqual(['completed', 'validation']);
  });

  it('C11 report a schema that requires an undeclared property when the agent is created', () => {
    const broken = recording({ name: 'broken', inputSchema: { ...path, required: ['file'] } });
    expect(() => agent({ model: scripted([]), tools: [broken] })).toThrow(/required/);
  });

  it('C15 get feedback if they are broken JSON, and the next attempt runs', async () => {
    const read = recording({ name: 'read', inputSchema: path });
    const { run, end, text } = await play([read], ['read', '}}}{{{ ???'], ['read', '{"path": "a"}']);
    expect({ end, text }).toEqual({ end: 'done', text: 'Done.' });
    expect(endsOf(run)).toEqual(['validation', 'completed']);
    expect(told(run.messages())[0]?.isError).toBe(true);
  });

  it('C16 refuse the call for one invalid item of a list; no shorter list runs', async () => {
    const items = z.object({ items: z.array(z.object({ id: z.number() })) });
    const add = recording({ name: 'add', inputSchema: items });
    const { run } = await play([add], ['add', '{"items": [{"id": 1}, {"id": "two"}, {"id": 3}]}']);
    expect(add.received).toEqual([]);
    expect(wordsOf(run)[0]).toContain("Field 'items.1.id' expected number, got string");
  });

  it.each(['length', 'tool_calls', 'stop'] as const)(
    'C2 C18 never run a truncated write, even with the finish reason %s; smaller pieces run',
    async (finish) => {
      const write = recording({ name: 'write', inputSchema: { ...path, properties: { path: string, text: string } } });
      const cut = { calls: [{ name: 'write', arguments: '{"path": "a", "text": "Once upon a ti' }], finish };
      const good = { calls: [{ name: 'write', arguments: '{"path": "a", "text": "Once."}' }] };
      const run = agent({ model: scripted([cut, good, 'Done.']), tools: [write] }).run('x');
      expect((await run.result).end).toBe('done');
      expect(endsOf(run)).toEqual(['truncated', 'completed']);
      expect(write.received).toEqual([{ path: 'a', text: 'Once.' }]);
      expect(wordsOf(run)[0]).toMatch(/smaller pieces/);
      if (finish === 'length') expect(wordsOf(run)[0]).toMatch(/token limit/);
    },
  );

  it('C2 invalidate only the last call of a message that reached the token limit', async () => {
    const write = recording({ name: 'write', inputSchema: path, target: (input) => (input as { path: string }).path });
    const model = scripted([
      {
        calls: [
          { name: 'write', arguments: '{"path": "a"}' },
          { name: 'write', arguments: '{"path": "b' },
        ],
        finish: 'length',
      },
      'Done.',
    ]);
    const run = agent({ model, tools: [write] }).run('x');
    await run.result;
    expect(endsOf(run)).toEqual(['completed', 'truncated']);
    expect(write.received).toEqual([{ path: 'a' }]);
  });

  it.each([
    ['a tag', 'I look.\n<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'],
    ['XML', '<function_calls><invoke name="read"><parameter name="path">a</parameter></invoke></function_calls>'],
    ['a cut-off tag', '<tool_call>{"name": "read", "arguments": {"path": "a'],
  ])('C6 continue the loop after a call written as %s in text', async (kind, text) => {
    const read = recording({ name: 'read', inputSchema: path });
    const run = agent({ model: scripted([text, 'Done.']), tools: [read] }).run('x');
    expect((await run.result).text).toBe('Done.');
    expect(endsOf(run)).toEqual([kind === 'a cut-off tag' ? 'truncated' : 'completed']);
    const off = agent({ model: scripted([text]), tools: [read], textCalls: false }).run('x');
    expect(await off.result).toMatchObject({ end: 'done', text });
  });
});
