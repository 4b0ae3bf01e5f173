/** F27 Sessions of the older protocol over HTTP: an approval counts only from the client that was asked, while it is there. */
import { afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.ts';
import { changing, closeAll, later } from './around.ts';

afterEach(closeAll);

const config = { mcpServers: { changing: { ...changing, permissions: { ask: ['act'] } } } };
const accept = 'application/json, text/event-stream';

/** A client that speaks JSON-RPC by hand, so that it can say what no SDK says. */
async function client(url: string) {
  let session = '';
  const post = async (message: object, as = session): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: { 'content-type': 'application/json', accept, ...(as && { 'mcp-session-id': as }) },
    });
  const begun = await post({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { elicitation: {} },
      clientInfo: { name: 't', version: '1' },
    },
  });
  session = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
  await (await post({ method: 'notifications/initialized' })).text();
  /** Calls the tool; gives the question's id once it comes, and what comes in the end. */
  const act = async (on: string) => {
    const response = await post({ id: 7, method: 'tools/call', params: { name: 'act', arguments: { on } } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (pattern: RegExp): Promise<RegExpExecArray | null> => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        const next = await reader?.read().catch(() => undefined);
        if (!next || next.done) return null;
        text += next.value;
      }
    };
    const asked = await until(/\{[^\n]*elicitation\/create[^\n]*\}/);
    return { id: JSON.parse(asked?.[0] ?? '{}').id as number | string, end: () => until(/"id":7/) };
  };
  const acted = async (): Promise<string> => {
    const response = await post({ id: 9, method: 'tools/call', params: { name: 'acted', arguments: { on: '' } } });
    return response.text();
  };
  const leave = () => fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
  const answer = (id: unknown, as = session) =>
    post({ id, result: { action: 'accept', content: { answer: 'once' } } }, as);
  return { act, acted, answer, leave, session };
}

async function gateway(): Promise<string> {
  const started = await createGateway(config, { http: true, timeout: 60_000 }).listen();
  later(() => started.close());
  return started.url ?? '';
}

describe('guard: a session of the older protocol', () => {
  it('runs the calls that its own client allowed', async () => {
    const one = await client(await gateway());
    const call = await one.act('x');
    await (await one.answer(call.id)).text();
    await call.end();
    expect(await one.acted()).toContain('[\\"x\\"]');
  });

  it('rejects a decision from another session, from an unknown session or without a session', async () => {
    const url = await gateway();
    const [one, two] = [await client(url), await client(url)];
    const call = await one.act('x');
    for (const as of [two.session, '', 'none-such']) await (await two.answer(call.id, as)).text();
    for (const id of [0, 1, 2, '0', '1', null]) await (await two.answer(id)).text();
    expect(await one.acted()).not.toContain('\\"x\\"');
    expect(await two.acted()).not.toContain('\\"x\\"');
  });

  it('accepts no decision after the client disconnected', async () => {
    const url = await gateway();
    const one = await client(url);
    const call = await one.act('x');
    await (await one.leave()).text();
    expect((await one.answer(call.id)).status).toBe(404);
    expect(await (await client(url)).acted()).not.toContain('\\"x\\"');
  });

  it('accepts a decision once', async () => {
    const one = await client(await gateway());
    const call = await one.act('x');
    await Promise.all([1, 2, 3].map(async () => (await one.answer(call.id)).text()));
    await call.end();
    expect(await one.acted()).toContain('[\\"x\\"]');
  });
});
