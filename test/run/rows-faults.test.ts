/** Faults of tools and secrets, and the rules for what a model is told, through the whole loop. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { spillTo } from '../../src/run/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { until } from '../until.ts';
import { calls, plays, says } from './plays.ts';
import { endsOf, recording, wordsOf } from './recorded.ts';

const n = z.object({ n: z.number() });

describe('tools', () => {
  it('F15 settle at the deadline if they ignore an abort; the run continues, and the late result is an orphan', async () => {
    const store = memoryStore();
    let letGo = (_: unknown): void => {};
    const late = new Promise((resolve) => {
      letGo = resolve;
    });
    const deaf = tool({ name: 'deaf', description: 'Deaf', inputSchema: n, timeout: 30, execute: () => late });
    const model = scripted([{ calls: [{ name: 'deaf', arguments: { n: 1 } }] }, 'I go on.']);
    const run = agent({ model, tools: [deaf], store }).run('x');
    expect((await run.result).text).toBe('I go on.');
    expect(endsOf(run)).toEqual(['timeout']);
    letGo('after all');
    const last = await until(async () => (await all(store, run.id)).find(({ type }) => type === 'tool.orphaned'));
    expect(last).toMatchObject({ outcome: 'after all' });
    expect((await all(store, run.id)).at(-1)).toEqual(last);
    expect(wordsOf(run)).toEqual([expect.stringContaining('did not finish within 30 ms')]);
  });

  it('F16 can return or throw anything: the other calls get their results and the run continues', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-spill-'));
    const odd: (() => unknown)[] = [
      () => 1n,
      () => cycle,
      () => 'x'.repeat(20_000_000),
      () => Promise.reject('just words'),
      () => 'fine',
    ];
    const run = recording({
      name: 'odd',
      inputSchema: n,
      effect: 'read',
      execute: (input) => odd[(input as { n: number }).n]?.(),
    });
    const model = scripted([{ calls: odd.map((_, at) => ({ name: 'odd', arguments: { n: at } })) }, 'Done.']);
    const one = agent({ model, tools: [run], results: { spill: spillTo(folder) } }).run('x');
    expect((await one.result).end).toBe('done');
    expect(endsOf(one)).toEqual(['runtime', 'runtime', 'completed', 'runtime', 'completed']);
    const [big = '', , words] = wordsOf(one).slice(2);
    expect(big.length).toBeLessThan(60_000);
    expect(words).toBe('fine');
    expect(readFileSync(/All of it: (.*)\]$/.exec(big)?.[1] ?? '', 'utf8').length).toBe(20_000_000);
  });
});

describe('F23 secrets', () => {
  const canaries = ['canary-password-71c9', 'canary-variable-8d02', 'canary-bearer-5e5e5e', 'canary-query-44aa'];
  const [password = '', variable = '', bearer = '', query = ''] = canaries;

  it("in arguments, headers, URLs, errors and results don't appear in the store or in published events", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-secrets-'));
    const store = sqliteStore(join(folder, 'runs.db'));
    process.env.ROWS_SERVICE_TOKEN = variable;
    const login = recording({
      name: 'login',
      inputSchema: z.object({ user: z.string(), password: z.string() }),
      execute: () => {
        throw new Error(`401 from https://x.test/?api_key=${query} with Authorization: Bearer ${bearer}`);
      },
    });
    const leak = recording({ name: 'leak', execute: () => ({ token: password, text: `it is ${variable}` }) });
    const model = plays(
      [
        calls('login', JSON.stringify({ user: 'me', password })),
        calls('login', { password }),
        calls('login', `{"user": "me", "password": "${password}", "n": ${variable}`),
        calls('leak', '{}'),
      ],
      [says(`The token is ${variable}.`)],
    );
    const run = agent({ model, tools: [login, leak], store }).run(`Log in with Bearer ${bearer}`);
    delete process.env.ROWS_SERVICE_TOKEN;
    const published: unknown[] = [];
    for await (const event of run.watch({ channels: ['monitor', 'control'], after: 0 })) {
      published.push(event);
      if (event.type === 'run.ended') break;
    }
    expect(login.received).toEqual([{ user: 'me', password }]);
    await store.close();
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
    const said = [...bytes, JSON.stringify(published)].join('\n');
    expect(said).toContain('[redacted]');
    expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
  });
});

describe('the feedback, attempt by attempt', () => {
  const input = z.object({ path: z.string(), mode: z.enum(['fast', 'slow']) });

  it('has the list; the arguments with each fault marked; the schema and an example; that tool alone; the end', async () => {
    const read = recording({ name: 'read', inputSchema: input, effect: 'read' });
    const model = plays([calls('read', '{"mode": "quick"}')]);
    const run = agent({ model, tools: [read, recording({ name: 'other' })] }).run('x');
    expect((await run.result).end).toBe('invalid_calls');
    const [one = '', two = '', three = ''] = wordsOf(run);
    expect(one).toMatch(/^Parameter validation failed:\n\n1\. Field 'path' is required but missing\n2\. /);
    expect(one).toMatch(/Please fix the parameters and try again\.$/m);
    expect(two).toContain('as received');
    expect(one).not.toContain('as received');
    expect(three).toMatch(/example/i);
    expect(three).toContain('"fast"');
    expect(model.asked.map(({ tools, toolChoice }) => [tools?.length, toolChoice])).toEqual([
      ...[2, 2, 2].map((count) => [count, undefined]),
      [1, { tool: 'read' }],
    ]);
  });

  it('counts turns, not calls, and a valid call resets the count', async () => {
    const read = recording({ name: 'read', inputSchema: input, effect: 'read' });
    const bad = calls('read', '{}');
    const three = [bad, { ...bad, id: 'b' }, { ...bad, id: 'c' }];
    const good = (path: string) => [calls('read', { path, mode: 'fast' })];
    const model = plays(three, three, good('1'), three, three, good('2'), [says('Done.')]);
    const run = agent({ model, tools: [read] }).run('x');
    expect((await run.result).end).toBe('done');
    const levels = wordsOf(run).map((text) => (/example/i.test(text) ? 3 : text.includes('as received') ? 2 : 1));
    expect(levels.slice(0, 6)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(levels.slice(7, 10)).toEqual([1, 1, 1]);
  });

  it("doesn't count a tool's own errors as invalid calls", async () => {
    const fails = recording({
      name: 'fails',
      inputSchema: n,
      execute: () => ({ ok: false, error: 'x', errorType: 'validation' }),
    });
    const model = scripted((_, turn) => (turn < 6 ? { calls: [{ name: 'fails', arguments: { n: turn } }] } : 'Done.'));
    const run = agent({ model, tools: [fails] }).run('x');
    expect((await run.result).end).toBe('done');
    expect(fails.received.length).toBe(6);
  });
});

describe('effects', () => {
  it('let a destructive tool run only after lossless repairs by default, and others after both kinds', async () => {
    const drop = recording({ name: 'drop', inputSchema: n, effect: 'destructive' });
    const brave = recording({ name: 'brave', inputSchema: n, effect: 'destructive', minCertainty: 'inferred' });
    const write = recording({ name: 'write', inputSchema: n });
    const tools = [drop, brave, write];
    const turn = tools.flatMap(({ name }) => ['{n: 1,}', '{"n": "2"}'].map((given) => ({ name, arguments: given })));
    const run = agent({ model: scripted([{ calls: turn }, 'Done.']), tools }).run('x');
    await run.result;
    expect(tools.map(({ received }) => received)).toEqual([[{ n: 1 }], [{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 2 }]]);
    expect(endsOf(run)[1]).toBe('validation');
  });
});
