import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import { sqliteStore } from '../../log/sqlite-store.ts';
import { scripted } from '../../provider/scripted/scripted.ts';
import { agent } from '../../run/agent.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { replayCommand } from './command.ts';
import { loggedCalls, replayCall } from './replay-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const store = join(folder, 'runs.db');

/** Definitions of a tool whose limit is of some type. */
const definition = (type: string) => ({
  name: 'look',
  description: 'Looks',
  inputSchema: { type: 'object', properties: { at: { type: 'string' }, limit: { type } }, required: ['at'] },
});
const file = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return join(folder, name);
};
const now = file('now.json', [definition('integer')]);
const text = file('text.json', [definition('string')]);
const other = file('other.json', [{ ...definition('integer'), name: 'other' }]);

beforeAll(async () => {
  const own = sqliteStore(store);
  const written = ['{"at": "a", "limit": 5}', "{at: 'a',}", '{"at": "a", "limit": "5"}', '{"limit": 5}'];
  const model = scripted([
    ...written.map((given) => ({ calls: [{ name: 'look', arguments: given }] })),
    { calls: [{ name: 'look', arguments: '{"at": "half of i' }], finish: 'length' as const },
    { calls: [{ name: 'paint', arguments: '{}' }] },
    'Done.',
  ]);
  const tools = [toolFromMcp(definition('integer'), { execute: () => 'seen' })];
  await agent({ model, tools, store: own }).run('Look').result;
  await own.close();
});

async function replay(...args: string[]): Promise<{ text: string; code: number }> {
  const terminal = fakeTerminal({ tty: false });
  const code = await replayCommand([store, ...args], terminal);
  return { text: terminal.text(), code };
}

describe('toolmend replay', () => {
  it('finds nothing changed with the same tools', async () => {
    expect(await replay('--tools', now)).toEqual({ text: '6 calls: 6 unchanged, 0 changed, 0 not checked\n', code: 0 });
  });

  it('shows what was mended and is refused now, or runs otherwise, and exits with 1', async () => {
    const { text: shown, code } = await replay('--tools', text);
    expect(code).toBe(1);
    expect(shown).toContain('wrote: {"at": "a", "limit": "5"}');
    expect(shown).toContain(
      '  was  mended look {"at":"a","limit":5}\n         limit: changed the type, "5" → 5 (inferred)',
    );
    expect(shown).toContain('  now  ok look {"at":"a","limit":"5"}');
    expect(shown).toContain('  was  ok look {"at":"a","limit":5}\n  now  mended look {"at":"a","limit":"5"}');
    expect(shown).toMatch(/6 calls: 4 unchanged, 2 changed, 0 not checked\n$/);
  });

  it('uses the schemas in the log', async () => {
    expect(await replay()).toEqual({ text: '6 calls: 6 unchanged, 0 changed, 0 not checked\n', code: 0 });
  });

  it('says what can not be judged: without schemas, or without the tool', async () => {
    const own = sqliteStore(store);
    const [run] = await own.runs({ limit: 1 });
    const events = [];
    for await (const event of own.read(run?.run ?? '')) events.push(event);
    await own.close();
    const bare = events.map((event) => (event.type === 'run.started' ? { ...event, specs: [] } : event));
    const types = loggedCalls(bare).map((logged) => replayCall(logged, undefined).type);
    expect(types.filter((type) => type === 'unjudged')).toHaveLength(2);
    expect((await replay('--tools', other)).text).toContain('5 not checked: the tool look is not in the --tools file');
  });

  it('judges the refusal of a destructive tool only if the log has its effect', () => {
    const [problem] = [{ path: ['n'], code: 'not_exact' as const, message: "Field 'n' expected number, got string" }];
    const base = { run: 'r', at: 0 };
    const call = { type: 'call' as const, id: 'c', name: 'wipe', arguments: '{"n": "1"}' };
    const schema = { type: 'object' as const, properties: { n: { type: 'number' as const } } };
    const started = {
      ...base,
      seq: 1,
      type: 'run.started' as const,
      model: { name: 'm', provider: 'p' },
      tools: ['wipe'],
      specs: [{ type: 'function' as const, name: 'wipe', schema }],
    };
    const refused = {
      ...base,
      seq: 2,
      type: 'call.refused' as const,
      callId: 'c',
      call,
      name: 'wipe',
      input: { n: '1' },
      repairs: [],
      errorType: 'validation' as const,
      problems: [problem],
    };
    const [unknown] = loggedCalls([started, refused] as never);
    expect(replayCall(unknown as never, undefined)).toEqual({
      type: 'unjudged',
      why: 'the outcome depends on the effect of the tool; pass it with --tools',
    });
    const ran = { ...base, seq: 3, type: 'tool.started', name: 'wipe', effect: 'destructive' };
    const [known] = loggedCalls([started, refused, ran] as never);
    expect(replayCall(known as never, undefined)).toMatchObject({ type: 'same', now: { status: 'invalid' } });
  });

  it('writes a line for each call with --json', async () => {
    const lines = (await replay('--json', '--tools', text)).text.trimEnd().split('\n');
    const calls = lines.map((line) => JSON.parse(line));
    expect(calls.map(({ type }) => type)).toEqual(['changed', 'same', 'changed', 'same', 'same', 'same']);
    expect(calls[0]).toMatchObject({ name: 'look', was: { status: 'ok' }, now: { status: 'mended' } });
  });

  it('is used wrongly without a store', async () => {
    await expect(replayCommand([], fakeTerminal())).rejects.toThrow(/^Missing STORE/);
    await expect(replayCommand([join(folder, 'none')], fakeTerminal())).rejects.toThrow(/no such file/);
  });

  it('works as a process', () => {
    const main = join(import.meta.dirname, '../main.ts');
    const { status, stdout } = spawnSync(process.execPath, [main, 'replay', store, '--tools', text], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('2 changed');
    expect(status).toBe(1);
  });
});
