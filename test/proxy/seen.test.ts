import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { watchRequests } from '../../src/cli/proxy/command.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { forgetOld } from '../../src/log/forget-old.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { logJson, logText } from '../../src/proxy/observe/access-log.ts';
import { metrics } from '../../src/proxy/observe/metrics.ts';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { traceRequests } from '../../src/proxy/observe/tracing.ts';
import { until } from '../until.ts';
import { type Answerer, ask, closeAll, json, open, proxied, upstream } from './around.ts';

afterEach(closeAll);
const folder = mkdtempSync(join(tmpdir(), 'toolmend-seen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const canary = 'canary-7f3a91';
const chat = '/v1/chat/completions';
const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' }, api_key: { type: 'string' } },
  required: ['path'],
};
const tools = [{ type: 'function', function: { name: 'read_file', parameters } }];
const body = JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: `say ${canary}` }], tools });

const calling =
  (...texts: string[]): Answerer =>
  (response) =>
    json(response, {
      id: 'r',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: `words with ${canary}`,
            tool_calls: texts.map((text, at) => ({
              id: `c${at}`,
              type: 'function',
              function: { name: 'read_file', arguments: text },
            })),
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 7 },
    });

const good = `{"path":"${canary}"}`;
const mendable = `{path: '${canary}', limit: '5',}`;
const bad = `{"limit":"${canary}"}`;

async function eventsOf(store: { read(run: string): AsyncIterable<RunEvent> }, run: string): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of store.read(run)) all.push(event);
  return all;
}

describe('request records', () => {
  it('reports every request once, with its calls, times and status', async () => {
    const seen: RequestRecord[] = [];
    const proxy = await proxied(calling(good, mendable, bad), { onRequest: (one) => seen.push(one) });
    const { headers } = await ask(`${proxy.url}${chat}?key=${canary}`, { body });
    await until(() => seen.length > 0);
    await ask(`${proxy.url}/v1/models`, { method: 'GET' });
    await until(() => seen.length > 1);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatchObject({ id: headers['x-toolmend-id'], status: 200, path: chat, model: 'm-1', left: false });
    expect(seen[0]?.calls.map(({ outcome }) => outcome.status)).toEqual(['ok', 'mended', 'invalid']);
    expect(seen[0]?.own).toBeGreaterThan(0);
    expect(seen[0]?.own).toBeLessThanOrEqual(seen[0]?.ms ?? 0);
    expect(seen[1]).toMatchObject({ method: 'GET', path: '/v1/models', calls: [] });
  });

  it("a listener that throws doesn't affect the response", async () => {
    const proxy = await proxied(calling(good), {
      onRequest: () => {
        throw new Error('listener');
      },
    });
    expect((await ask(`${proxy.url}${chat}`, { body })).status).toBe(200);
    expect((await ask(`${proxy.url}${chat}`, { origin: 'https://a.example' })).status).toBe(403);
    await until(() => proxy.errors.length > 1);
    expect(proxy.errors).toEqual(['A listener failed: listener', 'A listener failed: listener']);
  });

  it('reports a disconnected client and an unavailable upstream', async () => {
    const seen: RequestRecord[] = [];
    const proxy = await proxied(() => {}, { onRequest: (one) => seen.push(one) });
    const leaving = new AbortController();
    const asked = fetch(`${proxy.url}${chat}`, { method: 'POST', body, signal: leaving.signal }).catch(() => {});
    await until(() => proxy.heard.length > 0);
    leaving.abort();
    await asked;
    await until(() => seen.length > 0);
    expect(seen[0]?.left).toBe(true);
    const gone = await proxied(() => {}, {
      upstreams: [{ url: 'http://127.0.0.1:1', formats: ['openai-chat'] }],
      onRequest: (one) => seen.push(one),
    });
    expect((await ask(`${gone.url}${chat}`, { body })).status).toBe(502);
    await until(() => seen.length > 1);
    expect(seen[1]).toMatchObject({ status: 502, error: expect.stringContaining("can't be reached") });
  });
});

describe('metrics', () => {
  it('count calls by outcome, tool and model, repairs by kind, and the added time', async () => {
    const figures = metrics();
    const seen: RequestRecord[] = [];
    const onRequest = (one: RequestRecord): void => {
      figures.see(one);
      seen.push(one);
    };
    const proxy = await proxied(calling(good, mendable, bad), { onRequest, metrics: figures });
    await ask(`${proxy.url}${chat}`, { body });
    await until(() => seen.length > 0);
    const { text, headers } = await ask(`${proxy.url}/metrics`, { method: 'GET' });
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const outcome of ['ok', 'mended', 'invalid'])
      expect(text).toContain(`toolmend_calls_total{outcome="${outcome}",tool="read_file",model="m-1"} 1`);
    expect(text).toMatch(/toolmend_repairs_total\{kind="comma",certainty="lossless"\} 1/);
    expect(text).toMatch(/toolmend_problems_total\{code="required"\} 1/);
    expect(text).toMatch(/toolmend_requests_total\{upstream="[^"]+",status="200"\} 1/);
    expect(text).toMatch(/toolmend_added_seconds_bucket\{le="1"\} 1/);
    expect(text).not.toContain(canary);
    expect(proxy.heard).toHaveLength(1);
  });

  it('count tokens, the time to the first one, errors, retries, fallbacks, and show what is in progress', async () => {
    const figures = metrics();
    const lines: { json: Record<string, unknown>; text: string }[] = [];
    const onRequest = (one: RequestRecord): void => {
      figures.see(one);
      lines.push({ json: JSON.parse(logJson(one)), text: logText(one) });
    };
    const usage = { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 };
    const chunk = (delta: object | undefined, more: object = {}) =>
      `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', model: 'q', choices: delta ? [{ index: 0, delta, finish_reason: null }] : [], ...more })}\n\n`;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const streaming = await upstream(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: '' }));
      await released;
      response.write(chunk({ content: 'Hi' }));
      response.end(`${chunk(undefined, { usage })}data: [DONE]\n\n`);
    });
    let failures = 0;
    const failing = await upstream((response) => {
      failures += 1;
      json(response, { error: { message: 'Overloaded', type: 'x' } }, failures > 2 ? 400 : 503);
    });
    const formats = ['openai-chat'] as const;
    const proxy = await proxied(() => {}, {
      onRequest,
      metrics: figures,
      failover: { attempts: 2, ejectAfter: 2 },
      upstreams: [
        {
          name: 'a',
          url: failing.url,
          formats,
          models: ['*'],
          fallbacks: [{ name: 'b', url: streaming.url, formats }],
        },
      ],
    });
    const began = Date.now();
    const asked = ask(`${proxy.url}${chat}`, { body });
    await until(() => streaming.heard.length > 0);
    const during = (await ask(`${proxy.url}/metrics`, { method: 'GET' })).text;
    expect(during).toMatch(/toolmend_requests_in_flight 1/);
    const waited = Date.now() - began;
    release();
    await asked;
    await until(() => lines.length > 0);
    const { text } = await ask(`${proxy.url}/metrics`, { method: 'GET' });
    expect(text).toMatch(/toolmend_requests_in_flight 0/);
    expect(text).toContain('toolmend_tokens_total{upstream="b",model="m-1",direction="input"} 120');
    expect(text).toContain('toolmend_tokens_total{upstream="b",model="m-1",direction="output"} 7');
    expect(text).toContain('toolmend_first_token_seconds_count{upstream="b"} 1');
    expect(text).toContain('toolmend_fallbacks_total{upstream="a",fallback="b",reason="503"} 1');
    expect(text).toMatch(/toolmend_retries_total\{upstream="a",reason="503"\} 1/);
    expect(text).toMatch(/toolmend_upstream_up\{upstream="a",url="http:[^"]+"\} 0/);
    expect(text).toMatch(/toolmend_upstream_up\{upstream="b",url="http:[^"]+"\} 1/);
    const [line] = lines;
    expect(line?.json).toMatchObject({
      tokens: { input: 120, output: 7 },
      upstream: 'b',
      attempts: [
        { upstream: 'a', kind: 'server', status: 503 },
        { upstream: 'a', kind: 'server', status: 503 },
      ],
    });
    // The role of the message isn't output of the model.
    expect(Number(line?.json.first_token_ms)).toBeGreaterThanOrEqual(waited / 2);
    expect(line?.text).toMatch(/, 120 → 7 tokens, first after \d+ ms\n {2}failed before: a \(503\)\n/);
  });

  it.each([
    ['a refusal', 400, 'request'],
    ['a limit', 429, 'rate_limit'],
    ['a server error', 500, 'server'],
    ['a timeout', 504, 'timeout'],
  ])('count errors by kind: %s', async (_, status, kind) => {
    const figures = metrics();
    const seen: RequestRecord[] = [];
    const onRequest = (one: RequestRecord): void => {
      figures.see(one);
      seen.push(one);
    };
    const proxy = await proxied((response) => json(response, { error: { message: 'No', type: 'x' } }, status), {
      onRequest,
    });
    await ask(`${proxy.url}${chat}`, { body });
    await until(() => seen.length > 0);
    expect((await figures.show())[2]).toMatch(
      new RegExp(`toolmend_errors_total\\{upstream="[^"]+",kind="${kind}"\\} 1`),
    );
    expect(JSON.parse(logJson(seen[0] as RequestRecord)).error_kind).toBe(kind);
  });

  it('count names that clients invent together beyond a limit', async () => {
    const figures = metrics();
    const seen: RequestRecord[] = [];
    const proxy = await proxied(calling(good), { onRequest: (one) => seen.push(one) });
    await ask(`${proxy.url}${chat}`, { body });
    const one = await until(() => seen[0]);
    for (let at = 0; at < 500; at += 1) figures.see({ ...one, model: `model-${at}` });
    const [, , text] = await figures.show();
    const models = new Set([...text.matchAll(/toolmend_calls_total\{[^}]*model="([^"]*)"/g)].map(([, name]) => name));
    expect(models.size).toBe(101);
    expect(text).toMatch(/model="other"\} 400/);
  });
});

describe('the log', () => {
  async function watched(log: object, lines: string[] = [], json = true) {
    const complaints: string[] = [];
    const watch = await watchRequests(
      { log, token: 'token-of-the-proxy-1' },
      { json, env: {}, write: (line) => lines.push(line), complain: (line) => complaints.push(line), guarded: true },
    );
    open.push(watch);
    return { ...watch, lines, complaints };
  }

  it('stores each response as a run that folds to the outcomes of its calls', async () => {
    const watch = await watched({});
    const proxy = await proxied(calling(good, mendable, bad), { onRequest: watch.onRequest, store: watch.store });
    const { headers } = await ask(`${proxy.url}${chat}`, { body });
    const id = String(headers['x-toolmend-id']);
    const { text } = await until(async () => {
      const shown = await ask(`${proxy.url}/toolmend/runs/${id}`, { method: 'GET' });
      return shown.status === 200 && shown;
    });
    const events = JSON.parse(text) as RunEvent[];
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'message.added',
      'turn.requested',
      'turn.completed',
      'call.accepted',
      'call.mended',
      'call.refused',
      'run.ended',
    ]);
    const { calls, usage } = fold(events);
    expect(usage).toMatchObject({ input: 5, output: 7 });
    expect(calls.get('c1')?.input).toEqual({ path: canary, limit: 5 });
    expect(calls.get('c2')).toMatchObject({ state: 'failed', errorType: 'validation' });
    expect(JSON.parse((await ask(`${proxy.url}/toolmend/runs`, { method: 'GET' })).text)).toMatchObject([{ run: id }]);
    expect((await ask(`${proxy.url}/toolmend/runs/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`${proxy.url}/toolmend/runs/${id}`, { method: 'GET' })).status).toBe(404);
    expect(watch.complaints).toEqual([]);
  });

  it('keeps only the last 200 responses in memory', async () => {
    const watch = await watched({});
    const seen: RequestRecord[] = [];
    const proxy = await proxied(calling(good), { onRequest: (one) => seen.push(one) });
    await ask(`${proxy.url}${chat}`, { body });
    const one = await until(() => seen[0]);
    for (let at = 0; at < 230; at += 1) watch.onRequest({ ...one, id: `run-${at}` });
    const runs = await until(async () => {
      const all = await watch.store.runs({ limit: 1000 });
      return all.length <= 200 && all.some(({ run }) => run === 'run-229') && all;
    });
    expect(runs).toHaveLength(200);
    expect(runs.some(({ run }) => run === 'run-29')).toBe(false);
    expect(runs.some(({ run }) => run === 'run-229')).toBe(true);
  });

  it.each([
    ['a file without content', false],
    ['a file with content', true],
  ])('F23 contains no canary in its lines, and in %s only if configured', async (_, content) => {
    const file = join(folder, `${content}.db`);
    const lines: string[] = [];
    const watch = await watched({ file, content }, lines);
    const text = await watched({}, lines, false);
    const secret = 'sk-abcdefghijklmnop1234567890';
    const withKeys = `{path: '${canary}', api_key: '${secret}',}`;
    const proxy = await proxied(calling(good, withKeys, bad), {
      onRequest: (one) => {
        watch.onRequest(one);
        text.onRequest(one);
      },
    });
    const shown = { authorization: `Bearer ${secret}`, 'x-canary': canary };
    const { headers } = await ask(`${proxy.url}${chat}?key=${canary}`, { body, ...shown });
    await until(() => lines.length > 1);
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).toMatch(/mended/);
    expect(lines.join('\n')).not.toContain(canary);
    expect(lines.join('\n')).not.toContain(secret);
    const events = await until(async () => {
      const all = await eventsOf(watch.store, String(headers['x-toolmend-id']));
      return all.at(-1)?.type === 'run.ended' && all;
    });
    expect(events.map(({ type }) => type)).toContain('call.refused');
    expect(JSON.stringify(events).includes(canary)).toBe(content);
    await watch.close();
    open.splice(
      open.findIndex((one) => (one as { store?: unknown }).store === watch.store),
      1,
    );
    const bytes = readFileSync(file, 'latin1');
    expect(bytes.includes(canary)).toBe(content);
    expect(bytes).not.toContain(secret);
  });

  it('reports a failing store, and still sends the response', async () => {
    const complaints: string[] = [];
    const { recordResponses: recordAnswers } = await import('../../src/proxy/observe/run-log.ts');
    const store = { ...memoryStore(), append: () => Promise.reject(new Error('disk full')) };
    const onRequest = recordAnswers(store, { content: true, redact: (one) => one, onError: (m) => complaints.push(m) });
    const proxy = await proxied(calling(good), { onRequest });
    expect((await ask(`${proxy.url}${chat}`, { body })).status).toBe(200);
    await until(() => complaints.length > 0);
    expect(complaints).toEqual([expect.stringContaining('disk full')]);
  });

  it('deletes responses older than its limit, and keeps the others', async () => {
    const store = sqliteStore(':memory:');
    const day = 86_400_000;
    const now = 100 * day;
    const started = { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [] } as const;
    for (let at = 0; at < 1200; at += 1)
      await store.append([{ ...started, run: `old-${at}`, seq: 1, at: now - 8 * day }]);
    await store.append([{ ...started, run: 'new', seq: 1, at: now - 6 * day }]);
    expect(await forgetOld(store, 7, now)).toBe(1200);
    expect((await store.runs()).map(({ run }) => run)).toEqual(['new']);
    await store.close();
  });
});

describe('traces', () => {
  it('have a span for each request, with the outcomes of its calls and no content', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const trace = traceRequests(provider.getTracer('test'));
    const seen: RequestRecord[] = [];
    const onRequest = (one: RequestRecord): void => {
      trace(one);
      seen.push(one);
    };
    const proxy = await proxied(calling(good, mendable, bad), { onRequest });
    await ask(`${proxy.url}${chat}`, { body });
    await ask(`${proxy.url}/v1/models`, { method: 'GET' });
    await until(() => seen.length > 1);
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual(['chat m-1']);
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.request.model': 'm-1',
      'gen_ai.usage.input_tokens': 5,
      'toolmend.calls.mended': 1,
      'toolmend.calls.invalid': 1,
      'http.response.status_code': 200,
    });
    expect(JSON.stringify(spans[0]?.attributes)).not.toContain(canary);
  });
});
