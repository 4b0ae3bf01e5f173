import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { call, closeAll, everything, files, folder, memory, oddly, plain, raw, through } from './around.ts';

afterEach(closeAll);

describe('calls through the gateway', () => {
  it('C10 sends lists and objects that arrived as text to a real server as lists and objects', async () => {
    const kept = join(folder(), 'memory.jsonl');
    const client = await through('memory', 'legacy', { mcpServers: { memory: memory(kept) } });
    const entity = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] };
    const made = await call(client, 'create_entities', { entities: JSON.stringify([entity]) });
    expect(made.isError).toBeUndefined();
    expect(JSON.parse(readFileSync(kept, 'utf8').trim())).toMatchObject(entity);
    const nested = { entities: [{ ...entity, name: 'Grace', observations: '["found a bug"]' }] };
    expect((await call(client, 'create_entities', nested)).isError).toBeUndefined();
    expect(readFileSync(kept, 'utf8')).toContain('"observations":["found a bug"]');
  });

  it('C9 keeps text that happens to be JSON as text if the schema expects text', async () => {
    const root = folder();
    const client = await through('memory', 'legacy', { mcpServers: { files: files(root) } });
    const content = '{"a": [1, 2]}';
    await call(client, 'write_file', { path: join(root, 'a.json'), content });
    expect(readFileSync(join(root, 'a.json'), 'utf8')).toBe(content);
  });

  it('reads arguments that arrived as one string, in either protocol version', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const client = await through('memory', mode, { mcpServers: { everything } });
      expect((await call(client, 'get-sum', "{a: 1, 'b': 2,}")).text).toContain('3');
      const cut = await call(client, 'get-sum', '{"a": 1, "b": 2');
      expect(cut.isError).toBe(true);
      expect(cut.text).toContain('cut off');
    }
  });

  it('accepts only lossless repairs for a destructive tool', async () => {
    const root = folder();
    const client = await through('memory', 'legacy', { mcpServers: { files: files(root) } });
    const path = join(root, 'a.txt');
    await call(client, 'WriteFile', { path, content: 'old' });
    const edits = JSON.stringify([{ oldText: 'old', newText: 'new' }]);
    const { isError, text } = await call(client, 'edit_file', { path, edits });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('edits') });
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('mentions a dropped key next to the result', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { plain: plain('a') } });
    const { content } = await call(client, 'strict', { n: 1, verbose: true });
    expect(content).toEqual([
      { type: 'text', text: '{"n":1}' },
      { type: 'text', text: "Note: Unknown parameter 'verbose' was ignored" },
    ]);
  });

  it.each(['legacy', 'auto'] as const)(
    'forwards fields that the protocol does not define unchanged (%s)',
    async (mode) => {
      const client = await through('memory', mode, { mcpServers: { plain: plain('a') } });
      const { tools } = await raw(client, 'tools/list');
      expect(tools[0]).toEqual({
        name: 'strict',
        description: 'Takes one key',
        'x-kept': { deep: [1] },
        inputSchema: expect.objectContaining({ 'x-order': 7, additionalProperties: false }),
      });
      const params = { name: 'meta', arguments: {}, _meta: { 'example.com/trace': 'abc' } };
      const result = await raw(client, 'tools/call', params);
      expect(result).toMatchObject({
        structuredContent: { list: [1, 'two'] },
        'x-further': true,
        _meta: { 'example.com/result': 1 },
        content: [{ 'x-beside': 1, _meta: { in: 'content' }, text: '{"example.com/trace":"abc"}' }],
      });
      expect(await raw(client, 'example/own', { a: 1 })).toMatchObject({ by: 'a' });
    },
  );

  it('gives more detailed feedback after each failed attempt, and starts again after a valid call', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { everything } });
    const bad = async () => (await call(client, 'get-sum', { a: 1 })).text;
    const [first, second, third] = [await bad(), await bad(), await bad()];
    expect(new Set([first.length < second.length, second.length < third.length])).toEqual(new Set([true]));
    await call(client, 'get-sum', { a: 1, b: 2 });
    expect(await bad()).toBe(first);
  });

  it('returns server errors as results that a model can use', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { odd: oddly() } });
    for (const [name, words] of [
      ['wrong_parameters', 'city is not on the map'],
      ['broken', 'out of order'],
      ['failing', 'The disk is full'],
    ] as const) {
      const { isError, text } = await call(client, name);
      expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(words) });
    }
  });

  it('records each call as a run with its repairs, and without content unless configured', async () => {
    for (const content of [false, true]) {
      const store = memoryStore();
      const options = { store, record: { content } };
      const client = await through('memory', 'legacy', { mcpServers: { everything } }, options);
      await call(client, 'getSum', { a: '1', b: 2 });
      await call(client, 'echo', { message: ['no'], token: 'sk-canary0123456789abcdef' });
      const runs = await store.runs();
      expect(runs).toHaveLength(2);
      const states = [];
      for (const { run } of runs) states.push(fold(await eventsOf(store, run)));
      const records = states.flatMap(({ calls }) => [...calls.values()]);
      expect(records.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
        'echo completed',
        'get-sum completed',
      ]);
      const text = JSON.stringify(await Promise.all(runs.map(({ run }) => eventsOf(store, run))));
      expect(text.includes('The sum of')).toBe(content);
      expect(text).not.toContain('sk-canary');
    }
  });
});

async function eventsOf(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}
