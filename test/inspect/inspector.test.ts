import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Figures, LiveMessage, RunDetail, RunList } from '../../src/inspect/api.ts';
import { type InspectorOptions, startInspector } from '../../src/inspect/index.ts';
import { ToolmendError } from '../../src/json/toolmend-error.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Store } from '../../src/log/store.ts';
import { agent } from '../../src/run/agent.ts';
import type { RunControl } from '../../src/run/workers/control.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from '../run/plays.ts';
import { until } from '../until.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
const tools = [
  tool({ name: 'look', description: 'Looks', inputSchema: input, effect: 'read', execute: ({ n }) => n }),
  tool({ name: 'send', description: 'Sends', inputSchema: input, execute: ({ n }) => `sent ${n}` }),
  tool({
    name: 'fail',
    description: 'Fails',
    inputSchema: input,
    execute: () => {
      throw new Error('broke');
    },
  }),
];

/** A store with a run: a good call, a mended one, a bad one, one that fails, one that waits for a person. */
async function played(store: Store = memoryStore()) {
  const model = plays(
    [calls('look', '{"n": 1}', 'good'), calls('Look', "{n: '2',}", 'mended'), calls('look', '{}', 'bad')],
    [calls('fail', '{"n": 3}', 'failing'), calls('send', '{"n": 4}', 'asks')],
    [says('All done.')],
  );
  const made = agent({ model, store, tools, permissions: permissions({ ask: ['send'] }) });
  const run = made.run('Please look at <b>this</b>');
  await run.result;
  return { made, run, store };
}

async function inspected(options: Partial<InspectorOptions> = {}) {
  const store = options.store ?? (await played()).store;
  const { url, close } = await startInspector({ ...options, store });
  closing.push(close);
  return { url, store, get: async <T>(path: string): Promise<T> => (await fetch(`${url}api/${path}`)).json() as T };
}

/** Asks with headers that `fetch` does not let one set. */
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => {
          text += piece;
        })
        .on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    asked.on('error', reject).end(body);
  });
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

describe('the inspector', () => {
  it('forgets runs that the store has forgotten: the oldest by itself, any other when it is asked for', async () => {
    const store = memoryStore();
    const started = (run: string, at: number): RunEvent => ({
      type: 'run.started',
      model: { name: 'm', provider: 'p' },
      tools: [],
      run,
      seq: 1,
      at,
    });
    for (const [at, run] of ['a', 'b', 'c', 'd'].entries()) await store.append([started(run, at)]);
    const { get, url } = await inspected({ store });
    const listed = async (): Promise<object> => {
      const { runs, read } = await get<RunList>('runs');
      return { runs: runs.map(({ run }) => run), read };
    };
    expect(await listed()).toEqual({ runs: ['d', 'c', 'b', 'a'], read: { runs: 4, of: 4 } });
    await store.remove('b');
    await store.remove('a');
    expect(await listed()).toEqual({ runs: ['d', 'c'], read: { runs: 2, of: 2 } });
    await store.remove('d');
    expect((await ask(`${url}api/runs/d`)).status).toBe(404);
    expect(await listed()).toEqual({ runs: ['c'], read: { runs: 1, of: 1 } });
    await store.remove('c');
    expect(await listed()).toEqual({ runs: [], read: { runs: 0, of: 0 } });
  });

  it('lists runs with the outcome of each call', async () => {
    const { get } = await inspected();
    const { runs, total, tools: names, repairs, read } = await get<RunList>('runs');
    expect({ total, names, read }).toEqual({ total: 1, names: ['fail', 'look', 'send'], read: { runs: 1, of: 1 } });
    expect(runs[0]).toMatchObject({ model: 'played', asked: 'Please look at <b>this</b>', end: 'awaiting_approval' });
    expect(Object.fromEntries((runs[0]?.calls ?? []).map(({ callId, status }) => [callId, status]))).toEqual({
      good: 'ok',
      mended: 'mended',
      bad: 'invalid',
      failing: 'failed',
      asks: 'waiting',
    });
    expect(repairs).toContain('name');
  });

  it.each<[string, string, number]>([
    ['an outcome', 'outcome=invalid', 1],
    ['an outcome nobody has', 'outcome=denied', 0],
    ['a tool', 'tool=send', 1],
    ['a tool with an outcome that another has', 'tool=send&outcome=mended', 0],
    ['a kind of repair', 'repair=name', 1],
    ['a model', 'model=other', 0],
    ['words, in any order and case', 'text=THIS+look', 1],
    ['words that are not there', 'text=elephant', 0],
    ['what means nothing', 'outcome=nonsense&limit=-4', 1],
  ])('filters by %s', async (_, query, count) => {
    const { get } = await inspected();
    expect((await get<RunList>(`runs?${query}`)).total).toBe(count);
  });

  it('F19 a store that could not be read at first is read when it can be', async () => {
    const { store } = await played();
    let broken = true;
    const flaky: Store = {
      ...store,
      runs: (query) => (broken ? Promise.reject(new Error('down')) : store.runs(query)),
    };
    const { url, get } = await inspected({ store: flaky });
    expect((await fetch(`${url}api/runs`)).status).toBe(500);
    broken = false;
    expect((await get<RunList>('runs')).total).toBe(1);
  });

  it('F25 a page that left before its feed began is not fed', async () => {
    const { store } = await played();
    const ready = Promise.withResolvers<void>();
    let looks = 0;
    const slow: Store = {
      ...store,
      runs: async (query) => {
        looks += 1;
        await ready.promise;
        return store.runs(query);
      },
    };
    const { url } = await inspected({ store: slow });
    await expect(fetch(`${url}api/live`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    await sleep(100);
    ready.resolve();
    await sleep(800);
    expect(looks).toBe(1);
  });

  it('pages through many runs, the newest first', async () => {
    const store = memoryStore();
    const at = (index: number): RunEvent => ({
      type: 'run.started',
      model: { name: 'm', provider: 'p' },
      tools: [],
      run: `r${String(index).padStart(3, '0')}`,
      seq: 1,
      at: 1000 + index,
    });
    for (let index = 0; index < 450; index += 1) await store.append([at(index)]);
    const { get } = await inspected({ store });
    await until(async () => (await get<RunList>('runs')).read.runs === 450);
    const { runs } = await get<RunList>('runs?limit=200');
    expect([runs.length, runs[0]?.run, runs[199]?.run]).toEqual([200, 'r449', 'r250']);
    const next = await get<RunList>(`runs?limit=1000&after=${runs[199]?.run}`);
    expect([next.runs.length, next.runs[0]?.run, next.total]).toEqual([250, 'r249', 450]);
  });

  it('gives a run with its events, its tools and whether it can be decided here', async () => {
    const { store, run } = await played();
    const { get } = await inspected({ store });
    const { events, canApprove: decides, row } = await get<RunDetail>(`runs/${run.id}`);
    expect(decides).toBe(false);
    expect(row.run).toBe(run.id);
    expect(events[0]).toMatchObject({
      type: 'run.started',
      specs: [{ name: 'look' }, { name: 'send' }, { name: 'fail' }],
    });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await get('runs/none')).toEqual({ error: { message: expect.stringContaining('Unknown run') } });
  });

  it('a request that brings results alone is listed by them', async () => {
    const store = memoryStore();
    const content = [{ type: 'text', text: 'Parameter validation failed' }] as const;
    const message = { role: 'user', parts: [{ type: 'result', callId: 'c', name: 'look', content }] } as const;
    await store.append([{ type: 'message.added', message, run: 'back', seq: 1, at: 1 }]);
    const { get } = await inspected({ store });
    expect((await get<RunList>('runs')).runs[0]?.asked).toBe('↩ look: Parameter validation failed');
  });

  it('cuts what no page could show, and says so', async () => {
    const store = memoryStore();
    const text = 'x'.repeat(1_000_000);
    const message = { role: 'user', parts: [{ type: 'text', text }] } as const;
    await store.append([{ type: 'message.added', message, run: 'long', seq: 1, at: 1 }]);
    const { get } = await inspected({ store });
    const { events } = await get<RunDetail>('runs/long');
    expect(JSON.stringify(events)).toMatch(/x… \(800000 more characters\)/);
  });

  it('counts', async () => {
    const { get } = await inspected();
    const figures = await get<Figures>('figures');
    expect(figures).toMatchObject({ runs: 1, calls: 5, saved: 1 });
    expect(figures.tools.find(({ name }) => name === 'look')).toMatchObject({ calls: 3, ok: 1, mended: 1, invalid: 1 });
    const counted = figures.spans.map(({ ok, mended, invalid, failed }) => ok + mended + invalid + failed);
    expect(counted.reduce((a, b) => a + b)).toBe(4);
  });

  it.each([
    ['a repeated key', '{"n": 40, "n": 41}'],
    ['a number that is too large', '{"n": 12345678901234567890}'],
    ['a key of the language', '{"n": 40, "__proto__": {"n": 41}}'],
  ])('gives an edit back that reading would change: %s', async (_, input) => {
    const { store, run } = await played();
    const { url } = await inspected({ store, canApprove: true });
    const headers = { 'content-type': 'application/json' };
    const at = `${url}api/approvals/${run.id}/asks`;
    const answer = await fetch(at, { method: 'POST', headers, body: `{"type":"edit","input":${input}}` });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("arguments can't be used")]);
    expect((await fetch(at, { method: 'POST', headers, body: '{"type":"allow"}' })).status).toBe(200);
  });

  it('records a decision once, and applies it when the run is resumed', async () => {
    const { store, run, made } = await played();
    const onDecision = vi.fn();
    const { url, get } = await inspected({ store, canApprove: true, onDecision });
    const at = `${url}api/approvals/${run.id}/asks`;
    const post = (value: unknown) =>
      fetch(at, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
    expect((await post({ type: 'perhaps' })).status).toBe(400);
    expect((await post({ type: 'edit', input: { n: 40 } })).status).toBe(200);
    expect((await post({ type: 'allow' })).status).toBe(409);
    expect(onDecision).toHaveBeenCalledExactlyOnceWith(run.id, 'asks', {
      type: 'edit',
      input: { n: 40 },
      by: 'inspector',
    });
    const taken = await made.resume(run.id);
    taken.continue();
    await taken.result;
    const { events, row } = await get<RunDetail>(`runs/${run.id}`);
    expect(events.find((event) => event.type === 'tool.finished' && event.callId === 'asks')).toMatchObject({
      ok: true,
    });
    expect(row).toMatchObject({ end: 'done', answered: 'All done.' });
  });

  it('decides by the control where there is one, so that a worker that has the run applies it', async () => {
    const { store, run } = await played();
    const approve = vi.fn(async () => {});
    const { url } = await inspected({
      store,
      canApprove: true,
      control: { approve } as Partial<RunControl> as RunControl,
    });
    const headers = { 'content-type': 'application/json' };
    const post = async (id: string, body: string) =>
      (await fetch(`${url}api/approvals/${id}/asks`, { method: 'POST', headers, body })).status;
    expect(await post(run.id, '{"type":"allow","asked":1}')).toBe(409);
    expect(await post('none', '{"type":"allow"}')).toBe(404);
    expect(approve).not.toHaveBeenCalled();
    expect(await post(run.id, '{"type":"allow"}')).toBe(200);
    expect(approve).toHaveBeenCalledExactlyOnceWith(run.id, 'asks', { type: 'allow', by: 'inspector' });
  });

  it.each([
    ['fork', '{"seq": "3"}', 400],
    ['fork', '{"seq": 1.5}', 400],
    ['fork', '{"seq": 0}', 400],
    ['cancel', '{"reason": ', 400],
    ['cancel', '{"reason": 5}', 400],
    ['cancel', '{"reason": "a", "reason": "b"}', 400],
    ['cancel', '[]', 400],
    ['send', '{"message": {}}', 400],
    ['send', '{"message": "ended"}', 409],
    ['cancel', '', 200],
    ['cancel', '{}', 200],
    ['fork', '{"seq": 3}', 200],
  ])('checks a command: %s %s', async (action, body, status) => {
    const done: unknown[] = [];
    const control = {
      cancel: async (...given: unknown[]) => void done.push(given),
      fork: async (_: string, seq = 1) => {
        if (seq < 1) throw new ToolmendError('invalid_option', "Can't fork there");
        done.push(seq);
        return 'copy';
      },
      send: async () => {
        throw new ToolmendError('not_waiting', 'The child run has ended');
      },
    } as Partial<RunControl> as RunControl;
    const { url } = await inspected({ control });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}api/runs/r/${action}`, { method: 'POST', headers, body });
    expect([reply.status, done.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  it('refuses a path that cannot be decoded', async () => {
    const { url } = await inspected();
    expect((await fetch(`${url}api/runs/%E0%A4%A`)).status).toBe(400);
  });

  it('nothing is decided where that was not opened', async () => {
    const { url } = await inspected();
    const headers = { 'content-type': 'application/json' };
    expect((await ask(`${url}api/approvals/a/b`, headers, 'POST', '{"type":"allow"}')).status).toBe(403);
  });

  it.each(['//', '//[', '///'])('F24 refuses the path %s, which is not a URL', async (path) => {
    const { url } = await inspected();
    const status = new Promise((resolve, reject) => {
      request(url, { path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(await status).toBe(400);
  });

  it('streams rows, and all events of one run', async () => {
    const store = memoryStore();
    let say: (event: { type: 'text.delta'; run: string; turn: number; text: string }) => void = () => {};
    const { url } = await inspected({
      store,
      live: (listener) => {
        say = listener;
        return () => {};
      },
    });
    const started = (run: string): RunEvent => ({
      type: 'run.started',
      model: { name: 'm', provider: 'p' },
      tools: [],
      run,
      seq: 1,
      at: Date.now(),
    });
    const leave = new AbortController();
    closing.push(async () => leave.abort());
    const heard = async (path: string): Promise<LiveMessage[]> => {
      const messages: LiveMessage[] = [];
      const { body } = await fetch(`${url}api/${path}`, { signal: leave.signal });
      void (async () => {
        let text = '';
        for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
          text += piece;
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            if (text.startsWith('data: ')) messages.push(JSON.parse(text.slice(6, end)));
            text = text.slice(end + 2);
          }
        }
      })().catch(() => {});
      return messages;
    };
    const list = await heard('live');
    const one = await heard('live?run=mine');
    await store.append([started('mine')]);
    await store.append([started('other')]);
    say({ type: 'text.delta', run: 'mine', turn: 1, text: 'Hel' });
    say({ type: 'text.delta', run: 'other', turn: 1, text: 'Not' });
    const rows = () => list.flatMap((message) => (message.type === 'rows' ? message.rows.map(({ run }) => run) : []));
    const events = () =>
      one.flatMap((message) => (message.type === 'event' ? [`${message.event.run} ${message.event.type}`] : []));
    await until(() => rows().length > 1 && events().length > 1);
    expect(rows().sort()).toEqual(['mine', 'other']);
    expect(events().sort()).toEqual(['mine run.started', 'mine text.delta']);
  });

  describe('F24 a web page attacks it', () => {
    it.each<[string, Record<string, string>, number]>([
      ['its own page', { 'sec-fetch-site': 'same-origin' }, 200],
      ['another page asks', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
      ['another page says where it is from', { origin: 'https://evil.example' }, 403],
      [
        'a page of the same machine, another port',
        { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
        403,
      ],
      [
        'a page in a frame',
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
        403,
      ],
      ['a sandboxed page', { origin: 'null' }, 403],
      ['a name bent to this machine', { host: 'evil.example' }, 403],
    ])('%s', async (_, headers, status) => {
      const { url } = await inspected();
      expect((await ask(`${url}api/runs`, headers)).status).toBe(status);
    });

    it('everything is sent under a strict policy, and listens to this machine alone', async () => {
      const { url } = await inspected();
      for (const path of ['', 'api/runs', 'nothing.js', '../../package.json', 'assets/..%2f..%2fpackage.json']) {
        const { headers, text } = await ask(`${url}${path}`);
        expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(text).not.toContain('"devDependencies"');
      }
      expect(new URL(url).hostname).toBe('127.0.0.1');
    });

    it('requires a token once, and then accepts a cookie', async () => {
      const token = 'only-for-this-test';
      const { url } = await inspected({ token });
      expect((await ask(`${url}api/runs`)).status).toBe(401);
      expect((await ask(`${url}?token=wrong`)).status).toBe(401);
      const { status, headers } = await ask(`${url}?token=${token}`);
      expect([status, headers.location]).toEqual([303, '/inspector/']);
      // A path that browsers take for the address of another host.
      for (const path of ['//evil.example/inspector/', '/\\evil.example/inspector/', '///inspector/']) {
        const { location = '' } = (await ask(`${new URL(url).origin}${path}?token=${token}`)).headers;
        expect(location).toMatch(/^\//);
        expect(new URL(location, url).host).toBe(new URL(url).host);
      }
      const cookie = String(headers['set-cookie']);
      expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
      expect(cookie).not.toContain(token);
      expect((await ask(`${url}api/runs`, { cookie: cookie.split(';')[0] as string })).status).toBe(200);
      expect((await ask(`${url}api/runs`, { 'x-toolmend-token': token })).status).toBe(200);
    });
  });
});
