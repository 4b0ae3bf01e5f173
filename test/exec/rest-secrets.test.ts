import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RestSettings, restTool } from '../../src/execute/rest/rest-tool.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { agent } from '../../src/run/agent.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import type { ToolDefinition } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { calls, plays, says } from '../run/plays.ts';
import { bodyOf, tinyServer } from './tiny-server.ts';

/** Told by no form and no name: only who holds it knows that it is a secret. */
const canary = 'Zq7"canary/93kd ü';
const pair = Buffer.from(`me:${canary}`).toString('base64');
let origin = '';

beforeAll(async () => {
  // The variable's name gives nothing away either, so that the log's own redactor can't help.
  process.env.REST_PLAIN = canary;
  ({ origin } = await tinyServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const said = { url: request.url, headers: request.headers, body: await bodyOf(request), again: canary };
    if (url.pathname === '/cut') return void request.socket.destroy();
    if (url.pathname === '/away') return void response.writeHead(302, { location: `http://10.0.0.1/${canary}` }).end();
    if (url.pathname === '/long') {
      const text = 'x'.repeat(Number(url.searchParams.get('before'))) + canary;
      const long = { 200: text, 400: JSON.stringify({ message: text }) }[url.searchParams.get('as') ?? 200] ?? '';
      const head = { 'content-type': url.searchParams.get('as') === '400' ? 'application/json' : 'text/plain' };
      return void response.writeHead(Number(url.searchParams.get('as')), head).end(long);
    }
    const status = Number(url.pathname.slice(1)) || 200;
    const type = url.searchParams.has('text') ? 'text/plain' : 'application/json';
    const escaped = JSON.stringify({
      message: `You sent ${canary} and ${encodeURIComponent(canary)}`,
      ...said,
      [canary]: 1,
    });
    // Another way to write the same text in JSON.
    response.writeHead(status, { 'content-type': type }).end(escaped.replaceAll('c', '\\u0063'));
  }));
});
afterAll(() => {
  delete process.env.REST_PLAIN;
});

/** Everything a run leaves behind: its file, what is published, what the model is sent. */
async function leftBy(rest: Partial<RestSettings>, input: unknown, words: Partial<ToolDefinition> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-rest-'));
  const settings = { url: `${origin}/200`, allow: ['127.0.0.1'], breaker: false as const, ...rest };
  const tool = restTool({
    name: 'ask',
    description: 'Asks',
    ...words,
    rest: { ...settings, retry: { times: 1, base: 1 } },
  });
  const model = plays([calls('ask', input)], [says('Done')]);
  const store = sqliteStore(join(folder, 'runs.db'));
  const run = agent({ model, tools: [tool], store }).run('Go');
  const heard: unknown[] = [];
  for await (const event of run) heard.push(event);
  await store.close?.();
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
  return { log: [...files, JSON.stringify(heard)].join('\n'), model: JSON.stringify(model.asked) };
}

const forms = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('latin1'),
  JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
];

describe('F23 the secret of a REST tool is found nowhere', () => {
  const auths = {
    header: { type: 'header', name: 'X-Who', env: 'REST_PLAIN' },
    basic: { type: 'basic', user: 'me', env: 'REST_PLAIN' },
  } as const;

  it.each([
    ['a good answer that quotes it', {}],
    ['a text that quotes it', { url: 'ORIGIN/200?text=1' }],
    ['an error that quotes it', { url: 'ORIGIN/422' }],
    ['an error in text', { url: 'ORIGIN/400?text=1' }],
    ['an error of the service', { url: 'ORIGIN/500' }],
    ['a login that was refused', { url: 'ORIGIN/401', auth: auths.basic }],
    ['a login that was taken', { auth: auths.basic }],
    ['a connection that was cut', { url: 'ORIGIN/cut' }],
    ['a redirect that holds it', { url: 'ORIGIN/away' }],
  ])('%s', async (_, { url = 'ORIGIN/200', auth = auths.header }: { url?: string; auth?: RestSettings['auth'] }) => {
    // A character no header may hold would keep it from being sent at all.
    process.env.REST_PLAIN = auth === auths.basic ? canary : canary.replace(' ü', '');
    const secret = process.env.REST_PLAIN;
    const left = await leftBy({ url: url.replace('ORIGIN', origin), ...(auth && { auth }) }, {}, { effect: 'read' });
    expect(left.log).toContain('tool.finished');
    for (const form of [...forms(secret), pair]) {
      expect(left.log).not.toContain(form);
      expect(left.model).not.toContain(form);
    }
    process.env.REST_PLAIN = canary;
  });

  it('not where it can not be sent, nor where a login stands in an unchecked address', async () => {
    process.env.REST_PLAIN = `${canary}\u0101`;
    const { log, model } = await leftBy({ auth: auths.header }, {});
    expect(model).toContain('REST_PLAIN contains a character');
    for (const form of forms(canary)) expect(log + model).not.toContain(form);
    process.env.REST_PLAIN = canary;
    const tool = restTool({ name: 'ask', description: 'Asks', rest: { url: 'http://me:word-canary@api.test/' } });
    const toolbox = new Toolbox([tool], { validate: false });
    const { value } = await invoke({ id: 'c', name: 'ask', arguments: {} }, { toolbox });
    expect(value).toMatchObject({ ok: false, error: expect.stringContaining('contains a login') });
    expect(JSON.stringify(value)).not.toContain('word-canary');
  });

  it('not even half of it, where an answer is cut off or a message shortened', async () => {
    for (const [as, before, maxBytes] of [
      [200, 990, 1000],
      [200, 992, 1000],
      [400, 1990, 100_000],
    ]) {
      const rest = {
        url: `${origin}/long?as=${as}&before=${before}`,
        auth: auths.basic,
        response: { maxBytes: maxBytes ?? 0 },
      };
      const { log, model } = await leftBy(rest, {}, { effect: 'read' });
      expect(model).toContain('xxx');
      expect(log + model).not.toContain(`x${canary.slice(0, 4)}`);
    }
  });

  it('nor one the model put into its arguments, in what is kept of the run', async () => {
    const input = z.object({ password: z.string(), token: z.string() });
    const given = { password: 'hunter-canary-2', token: 'token-canary-3' };
    for (const status of [200, 400]) {
      const rest = { url: `${origin}/${status}?token={token}`, method: 'POST' as const };
      const { log } = await leftBy(rest, given, { inputSchema: input });
      expect(log).toContain('tool.finished');
      expect(log).not.toMatch(/hunter-canary|token-canary/);
    }
  });
});
