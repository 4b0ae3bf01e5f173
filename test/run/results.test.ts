/** Results from outside: client-side tools, webhooks, questions and jobs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { permissions } from '../../src/execute/permission-rules.ts';
import { pending, toolOutput } from '../../src/execute/tool-result.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { eventsOfRun, type Store } from '../../src/log/store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { InvalidResult } from '../../src/run/invoke/receive-result.ts';
import { recordResult } from '../../src/run/results/record-result.ts';
import { resultHandler } from '../../src/run/results/result-handler.ts';
import { resultUrl } from '../../src/run/results/result-url.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { until } from '../until.ts';
import { calls, plays, says } from './plays.ts';
import { wordsOf } from './recorded.ts';

const secret = 'a secret that is long enough to sign';
const question = tool({
  name: 'ask_user',
  description: 'Asks the user',
  inputSchema: z.object({ question: z.string() }),
  outputSchema: z.object({ answer: z.string() }),
});
const asks = () => [calls('ask_user', '{"question": "Which?"}', 'a')];
const make = (store: Store, more: Partial<AgentOptions> = {}) =>
  agent({
    store,
    tools: [question],
    model: plays(({ messages }) => (messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : asks())),
    ...more,
  });
const eventTypes = async (store: Store, run: string) => {
  const types: string[] = [];
  for await (const { type } of store.read(run)) types.push(type);
  return types;
};

describe('a tool without execute', () => {
  it('waits for its result, which reaches the model once', async () => {
    const run = make(memoryStore()).run('Go');
    expect(await run.result).toMatchObject({ end: 'awaiting_result' });
    expect(run.calls()[0]).toMatchObject({ state: 'result_required', input: { question: 'Which?' } });
    await run.complete('a', { answer: 'both' });
    expect(await run.result).toMatchObject({ end: 'done', text: 'Done.' });
    expect(wordsOf(run)).toEqual(['{"answer":"both"}']);
    expect(run.calls()[0]?.audit.map(({ state }) => state)).toEqual(['pending', 'result_required', 'completed']);
    await expect(run.complete('a', { answer: 'again' })).rejects.toMatchObject({ code: 'not_waiting' });
  });

  it('is approved first where the rules require it', async () => {
    const run = make(memoryStore(), { permissions: permissions({ mode: 'ask' }) }).run('Go');
    expect((await run.result).end).toBe('awaiting_approval');
    await expect(run.complete('a', { answer: 'x' })).rejects.toMatchObject({ code: 'not_waiting' });
    await run.approve('a', { type: 'allow' });
    expect((await run.result).end).toBe('awaiting_result');
    await run.complete('a', { answer: 'x' });
    expect((await run.result).end).toBe('done');
  });

  it('keeps waiting after a result that does not match its outputSchema', async () => {
    const run = make(memoryStore()).run('Go');
    await run.result;
    const thrown = await run.complete('a', { answer: 5 }).catch((error: unknown) => error);
    expect(InvalidResult.isInstance(thrown)).toBe(true);
    expect((thrown as InvalidResult).problems[0]?.message).toBe("Field 'answer' expected string, got number");
    await expect(run.complete('a', 5n)).rejects.toMatchObject({ code: 'invalid_result' });
    await run.complete('a', { ok: false, error: 'The user left', recommendations: ['Ask later'] });
    await run.result;
    expect(wordsOf(run)).toEqual(['The user left\n\n- Ask later']);
    expect(run.calls()[0]).toMatchObject({ state: 'failed', errorType: 'logical' });
  });

  it('accepts content, and nothing at all', async () => {
    const screen = tool({ name: 'ask_user', description: 'S' });
    const run = make(memoryStore(), { tools: [screen] }).run('Go');
    await run.result;
    const image = { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } } as const;
    await run.complete('a', toolOutput({ content: [image] }));
    await run.result;
    expect(run.calls()[0]?.result?.content).toEqual([image]);

    const empty = make(memoryStore(), { tools: [screen] }).run('Go');
    await empty.result;
    await empty.complete('a', undefined);
    await empty.result;
    expect(wordsOf(empty)).toEqual(['Done.']);
  });

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['an infinite number in a list', [1, Number.POSITIVE_INFINITY]],
    ['a missing item', { list: [1, undefined] }],
    ['a function', { run: () => 1 }],
    ['a symbol', Symbol('a')],
    ['a BigInt', { size: 10n }],
    ['a map', { found: new Map([['a', 1]]) }],
    ['an error', new Error('It broke')],
    ['bytes', new Uint8Array([1])],
    ['a boxed NaN', new Number(Number.NaN)],
    ['an invalid date', { at: new Date(Number.NaN) }],
    ['content with NaN', toolOutput({ content: [], structured: { mean: Number.NaN } })],
  ])('keeps waiting after a result with what JSON would leave out or change: %s', async (_, result) => {
    const store = memoryStore();
    const tools = [tool({ name: 'ask_user', description: 'S' })];
    const run = make(store, { tools }).run('Go');
    await run.result;
    await expect(run.complete('a', result)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(recordResult(store, run.id, 'a', result)).rejects.toMatchObject({ code: 'unsupported' });
    expect(await eventTypes(store, run.id)).not.toContain('result.received');
    await run.complete('a', 'Tea');
    expect(await run.result).toMatchObject({ end: 'done' });
  });

  it.each<[string, unknown, string]>([
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['a missing field', { a: 1, b: undefined }, '{"a":1}'],
    [
      'an object of a class',
      new (class Reply {
        text = 'Yes';
      })(),
      '{"text":"Yes"}',
    ],
    ['null', null, 'null'],
    ['a failure with an error object', { ok: false, error: new Error('It broke') }, 'It broke'],
  ])('accepts %s', async (_, result, words) => {
    const run = make(memoryStore(), { tools: [tool({ name: 'ask_user', description: 'S' })] }).run('Go');
    await run.result;
    await run.complete('a', result);
    await run.result;
    expect(wordsOf(run)[0]).toContain(words);
  });

  it('fails at its time limit, in the process that waits and in one that resumes later', async () => {
    const slow = tool({ name: 'ask_user', description: 'S', resultTimeout: 30 });
    const store = memoryStore();
    const run = make(store, { tools: [slow] }).run('Go');
    expect((await run.result).end).toBe('awaiting_result');
    await until(() => run.state.ended?.end === 'done');
    expect(wordsOf(run)[0]).toContain('It did not finish within 30 ms');
    expect(run.calls()[0]).toMatchObject({ state: 'failed', errorType: 'timeout' });

    const first = make(store, { tools: [slow] }).run('Go', { id: 'later' });
    await first.result;
    const forked = await make(store, { tools: [slow] }).fork('later');
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await forked.continue().result).end).toBe('done');
  });

  it('refuses a result once its time limit is over, while the call gets that as its result and in other processes', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = tool({ name: 'ask_user', description: 'S', resultTimeout: 30 });
    const after = async () => await gate.promise;
    const store = memoryStore();
    const run = make(store, { tools: [slow], hooks: { after } }).run('Go', { id: 'r' });
    await run.result;
    const paused = memoryStore();
    for (const event of await eventsOfRun(store, 'r')) await paused.append([event]);
    await until(() => run.isActive);
    await expect(run.complete('a', 'late')).rejects.toMatchObject({ code: 'not_waiting' });
    await expect(recordResult(paused, 'r', 'a', 'late')).rejects.toMatchObject({ code: 'not_waiting' });
    gate.resolve();
    expect((await run.result).end).toBe('done');
    expect(wordsOf(run)[0]).toContain('It did not finish within 30 ms');
  });

  it('checks the result as it will be used, without the fields that JSON leaves out', async () => {
    const outputSchema = z.object({ n: z.number().or(z.undefined()), m: z.number().optional() });
    const run = make(memoryStore(), { tools: [tool({ name: 'ask_user', description: 'S', outputSchema })] }).run('Go');
    await run.result;
    await expect(run.complete('a', { n: undefined })).rejects.toThrow(InvalidResult);
    await run.complete('a', { n: 1, m: undefined });
    await run.result;
    expect(wordsOf(run)[0]).toBe('{"n":1}');
  });

  it('is found by its key, though another call that has ended has that as its id', async () => {
    const hear = tool({ name: 'ask_user', description: 'S', execute: () => pending('b') });
    const look = tool({ name: 'look', description: 'L', execute: () => 'Seen' });
    const model = plays(({ messages }) =>
      messages.some(({ role }) => role === 'assistant')
        ? [says('Done.')]
        : [calls('ask_user', '{}', 'a'), calls('look', '{}', 'b')],
    );
    const run = make(memoryStore(), { tools: [hear, look], model }).run('Go');
    await run.result;
    await run.complete('b', 'Tea');
    await run.result;
    expect(wordsOf(run)).toEqual(['Tea', 'Seen']);
  });

  it.each(['abort', 'interrupt'] as const)('is refused in the moment after %s()', async (stop) => {
    const run = make(memoryStore()).run('Go');
    await run.result;
    run[stop]('Lunch');
    await expect(run.complete('a', { answer: 'x' })).rejects.toMatchObject({ code: 'not_waiting' });
    await run.result;
    expect(wordsOf(run)[0]).toContain('No result has arrived');
  });

  it('of the original run does not count for a fork', async () => {
    const store = memoryStore();
    const helper = make(store);
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    await run.complete('a', { answer: 'Tea' });
    await run.result;
    const received = (await eventsOfRun(store, 'r')).find(({ type }) => type === 'result.received')?.seq;
    const early = await helper.fork('r', received);
    expect((await early.continue().result).end).toBe('awaiting_result');
    await early.complete('a', { answer: 'Coffee' });
    await early.result;
    expect(wordsOf(early)).toEqual(['{"answer":"Coffee"}']);
    const late = await helper.fork('r', (received ?? 0) + 2);
    expect(wordsOf(late)).toEqual(['{"answer":"Tea"}']);
  });

  it('gets a result that says so when the run is stopped or interrupted', async () => {
    const run = make(memoryStore()).run('Go');
    await run.result;
    run.abort('Lunch');
    expect((await run.result).end).toBe('aborted');
    expect(wordsOf(run)[0]).toContain('No result has arrived for the call: Lunch. It may still take effect.');
    await expect(run.complete('a', { answer: 'x' })).rejects.toMatchObject({ code: 'not_waiting' });
  });

  it.each([true, false])('can poll if it is repeatable, also after a restart: %s', async (repeatable) => {
    const store = memoryStore();
    const poll = tool({ name: 'poll', description: 'Polls', repeatable });
    const model = plays(({ messages }) => (messages.length < 14 ? [calls('poll', '{}')] : [says('Done.')]));
    const helper = agent({ store, model, tools: [poll] });
    let run = helper.run('Go');
    let { end } = await run.result;
    for (let polls = 0; end === 'awaiting_result'; polls += 1) {
      if (polls === 3) run = await helper.resume(run.id);
      await run.complete(run.calls().at(-1)?.callId ?? '', 'still running');
      end = (await run.result).end;
    }
    expect(end).toBe(repeatable ? 'done' : 'repeated_calls');
  });

  it.each(['abort', 'interrupt'] as const)('gets a result that has arrived before %s()', async (stop) => {
    const store = memoryStore();
    const { id, result } = make(store).run('Go');
    await result;
    await recordResult(store, id, 'a', { answer: 'both' });
    const run = await make(store).resume(id);
    run[stop]('Never mind');
    expect((await run.result).end).toBe(stop === 'abort' ? 'aborted' : 'done');
    expect(wordsOf(run)).toEqual(['{"answer":"both"}']);
    expect(run.calls()[0]?.state).toBe('completed');
  });

  it('survives restarts: another process completes it, and a third one continues', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'results-'));
    const file = join(folder, 'runs.db');
    const first = sqliteStore(file);
    const { id, result } = make(first).run('Go');
    await result;
    await first.close();

    const second = sqliteStore(file);
    await expect(recordResult(second, id, 'a', { answer: 1 })).rejects.toMatchObject({ code: 'invalid_result' });
    await recordResult(second, id, 'a', { answer: 'stored' });
    await expect(recordResult(second, id, 'a', { answer: 'more' })).rejects.toMatchObject({ code: 'not_waiting' });
    await second.close();

    const third = sqliteStore(file);
    const run = await make(third).resume(id);
    expect((await run.continue().result).end).toBe('done');
    expect(wordsOf(run)).toEqual(['{"answer":"stored"}']);
    expect((await eventTypes(third, id)).filter((type) => /result|finished|settled/.test(type))).toEqual([
      'result.requested',
      'result.received',
      'tool.finished',
    ]);
    await third.close();
    rmSync(folder, { recursive: true });
  });

  it('still fails for callers of invoke() that cannot wait', async () => {
    const toolbox = new Toolbox([question, tool({ name: 'job', description: 'J', execute: () => pending('j') })]);
    const call = { id: 'a', name: 'ask_user', arguments: '{"question": "?"}' };
    expect((await invoke(call, { toolbox })).value).toMatchObject({ ok: false, errorType: 'runtime' });
    const job = await invoke({ id: 'b', name: 'job', arguments: '' }, { toolbox });
    expect(job.value).toMatchObject({
      ok: false,
      error: "The result of 'job' arrives later, and this program can't wait for it",
    });
    expect(await invoke(call, { toolbox, wait: true })).toMatchObject({ state: 'result_required' });
  });
});

describe('pending()', () => {
  it.each(['5', Number.NaN, 0, null])('refuses a time limit that would have no effect: %s', (timeout) => {
    expect(() => pending('job', { timeout: timeout as number })).toThrow(/Invalid timeout: expected a positive number/);
  });

  const render = (store: Store, started: (url: string) => void, more: Partial<AgentOptions> = {}) =>
    make(store, {
      tools: [
        tool({
          name: 'ask_user',
          description: 'Renders',
          inputSchema: z.object({ question: z.string() }),
          execute: (_, { resultUrl: url = '' }) => {
            started(url);
            return pending('job-7', { timeout: 60_000 });
          },
        }),
      ],
      ...more,
    });

  it('waits for the job by its key, beside calls that run', async () => {
    const started: string[] = [];
    const run = render(memoryStore(), (url) => started.push(url)).run('Go');
    expect((await run.result).end).toBe('awaiting_result');
    expect(run.calls()[0]?.waiting).toMatchObject({ key: 'job-7', expiresAt: expect.any(Number) });
    await run.complete('job-7', 'rendered');
    await run.result;
    expect(wordsOf(run)).toEqual(['rendered']);
    expect(started).toHaveLength(1);
  });

  it('accepts a result that arrives before the tool has returned', async () => {
    let early: Promise<void> | undefined;
    const run = make(memoryStore(), {
      tools: [
        tool({
          name: 'ask_user',
          description: 'R',
          execute: async () => {
            early = run.complete('a', 'fast');
            await new Promise((resolve) => setTimeout(resolve, 20));
            return pending();
          },
        }),
      ],
    }).run('Go');
    await until(() => run.state.ended?.end === 'done');
    await early;
    expect(wordsOf(run)).toEqual(['fast']);
  });

  it('never starts a job again on resuming', async () => {
    const store = memoryStore();
    let jobs = 0;
    const first = render(store, () => (jobs += 1)).run('Go');
    await first.result;
    const run = await render(store, () => (jobs += 1)).resume(first.id);
    expect((await run.continue().result).end).toBe('awaiting_result');
    await run.complete('a', 'ok');
    expect((await run.result).end).toBe('done');
    expect(jobs).toBe(1);
  });
});

describe('POST /runs/RUN/calls/CALL', () => {
  const post = (url: string, body: string, type = 'application/json') =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': type } });

  it('accepts one result at a signed URL, and continues the run', async () => {
    const store = memoryStore();
    let url = '';
    const server = createServer(async (request, response) => {
      if (!(await handle.node(request, response))) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const resultUrls = { url: base, secret };
    const helper = make(store, {
      resultUrls,
      tools: [
        tool({
          name: 'ask_user',
          description: 'R',
          outputSchema: { type: 'object', required: ['answer'] },
          execute: (_, context) => {
            url = context.resultUrl ?? '';
            return pending();
          },
        }),
      ],
    });
    const handle = resultHandler({ secret, complete: helper.complete, maxBytes: 1000 });
    const run = helper.run('Go', { id: 'r/1' });
    await run.result;
    expect(url).toMatch(/\/hooks\/runs\/r%2F1\/calls\/a\?expires=\d+&signature=[\w-]{43}$/);

    const statuses = async (...tries: Promise<Response>[]) => (await Promise.all(tries)).map(({ status }) => status);
    expect(await statuses(fetch(url), post(url.replace('/calls/a', '/calls/b'), '{}'))).toEqual([405, 403]);
    expect(await statuses(post(url.replace(/expires=\d/, 'expires=9'), '{}'), post(`${base}/x`, ''))).toEqual([
      403, 404,
    ]);
    const short = resultUrl({ ...resultUrls, expiresIn: 1 }, 'r/1', 'a');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await statuses(post(short, '{}'))).toEqual([410]);
    expect(await statuses(post(url, '{"answer":'), post(url, 'x'.repeat(1001)))).toEqual([400, 413]);
    const invalid = await post(url, '{}');
    expect([invalid.status, ((await invalid.json()) as { problems: unknown[] }).problems.length]).toEqual([422, 1]);
    expect((await run.result).end).toBe('awaiting_result');

    expect((await statuses(post(url, '{"answer": 1}'), post(url, '{"answer": 2}'))).sort()).toEqual([200, 409]);
    await until(() => run.state.ended?.end === 'done');
    expect(wordsOf(run)).toHaveLength(1);
    server.close();
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string, number, unknown?]>([
    ['a number with too many digits', '{"orderId": 9007199254740993}', 'application/json', 400],
    ['one that is said to be text', '{"orderId": 9007199254740993}', 'text/plain', 400],
    ['a number beyond all limits', '{"v": 1e999}', 'application/json', 400],
    ['two values with one key', '{"paid": false, "paid": true}', 'application/json', 400],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 400],
    ['an id as text', '9007199254740993', 'text/plain', 200, '9007199254740993'],
    ['one value twice', '{"paid": true, "paid": true}', 'application/json', 200, '{"paid":true}'],
    ['ordinary numbers', '{"a": 1.50, "b": 1e3, "c": 0.1}', 'application/json', 200, '{"a":1.5,"b":1000,"c":0.1}'],
    ['text', 'Paid "in full"', 'text/plain', 200, 'Paid "in full"'],
  ])('takes a body as it was sent, or refuses it: %s', async (_, body, type, status, words) => {
    const resultUrls = { url: 'http://127.0.0.1', secret };
    const helper = make(memoryStore(), { tools: [tool({ name: 'ask_user', description: 'S' })] });
    const run = helper.run('Go', { id: 'r' });
    await run.result;
    const handle = resultHandler({ secret, complete: helper.complete });
    const url = resultUrl(resultUrls, 'r', 'a');
    const reply = await handle(new Request(url, { method: 'POST', body, headers: { 'content-type': type } }));
    expect(reply.status).toBe(status);
    expect((await run.result).end).toBe(status === 200 ? 'done' : 'awaiting_result');
    if (status === 200) expect(wordsOf(run)).toEqual([words]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5, 0, '5' as never])(
    'refuses times and sizes that are none: %s',
    (n) => {
      const url = 'http://127.0.0.1';
      expect(() => agent({ model: plays([]), resultUrls: { url, secret, expiresIn: n } })).toThrow(/Invalid expiresIn/);
      const handler = () => resultHandler({ secret, complete: async () => {}, maxBytes: n });
      if (n > 0 || n === 0) expect(handler).not.toThrow(TypeError);
      else expect(handler).toThrow(/Invalid maxBytes/);
    },
  );

  it('leaves a request whose target is not a URL to the server, and throws nothing', async () => {
    const handle = resultHandler({ secret, complete: async () => {} });
    const heard: unknown[] = [];
    const server = createServer((request, response) => {
      void handle.node(request, response).then(
        (isOurs) => {
          heard.push(isOurs);
          if (!isOurs) response.writeHead(404).end();
        },
        (error: unknown) => {
          heard.push(error);
          response.writeHead(500).end();
        },
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const target of ['//[', 'http://[/', '/runs/%zz/calls/%', '*']) {
      const socket = connect(port, '127.0.0.1');
      socket.end(`POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      await new Promise((resolve) => socket.resume().once('close', resolve));
    }
    await new Promise((resolve) => server.close(resolve));
    expect(heard).toEqual([false, false, false, false]);
  });

  it('continues a run whose process has ended, and accepts text', async () => {
    const store = memoryStore();
    const first = make(store, { tools: [tool({ name: 'ask_user', description: 'S' })] }).run('Go');
    await first.result;
    const other = make(store, { tools: [tool({ name: 'ask_user', description: 'S' })] });
    const handle = resultHandler({ secret, complete: other.complete });
    const url = resultUrl({ url: 'http://localhost', secret }, first.id, 'a');
    const request = () => new Request(url, { method: 'POST', body: 'plain words' });
    expect((await handle(request())).status).toBe(200);
    await until(async () => (await eventTypes(store, first.id)).at(-1) === 'run.ended');
    expect((await handle(request())).status).toBe(409);
    const missing = resultUrl({ url: 'http://localhost', secret }, 'none', 'a');
    expect((await handle(new Request(missing, { method: 'POST', body: '1' }))).status).toBe(404);
  });

  it('asks to send the result later while other calls of the run are active', async () => {
    const store = memoryStore();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = tool({ name: 'slow', description: 'S', execute: () => gate });
    const both = [...asks(), calls('slow', '', 'b')];
    const model = plays(({ messages }) => (messages.some(({ role }) => role === 'assistant') ? [says('Done.')] : both));
    const run = make(store, { model, tools: [question, slow] }).run('Go');
    await until(() => run.calls().some(({ state }) => state === 'result_required'));
    const answer = { answer: 'x' };
    await expect(recordResult(store, run.id, 'a', answer, { patience: 50 })).rejects.toMatchObject({
      code: 'run_active',
    });
    const late = recordResult(store, run.id, 'a', answer);
    release();
    expect((await run.result).end).toBe('awaiting_result');
    await late;
  });

  it('refuses a short secret and an invalid URL', () => {
    expect(() => make(memoryStore(), { resultUrls: { url: 'nope', secret } })).toThrow('url');
    expect(() => make(memoryStore(), { resultUrls: { url: 'http://x', secret: 'short' } })).toThrow('32 characters');
    expect(() => resultHandler({ secret: 'short', complete: async () => {} })).toThrow('32 characters');
  });
});
