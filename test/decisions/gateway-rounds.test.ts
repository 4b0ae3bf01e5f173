/** F27 At the gateway: answers that come twice, late, for another call, without a question, or from nobody. */
import { afterEach, describe, expect, it } from 'vitest';
import { Pins } from '../../src/gateway/config/pins.ts';
import { callTool } from '../../src/gateway/handlers/call-tool.ts';
import type { RequestContext, Wire } from '../../src/gateway/rpc.ts';
import { Session } from '../../src/gateway/session.ts';
import { changing, closeAll, later } from '../gateway/around.ts';

afterEach(closeAll);

const config = { mcpServers: { changing: { ...changing, permissions: { ask: ['act', 'change'] } } } };

/** One session of clients of the newer protocol, who answer with their next request. */
async function shared() {
  const front = {
    isShared: true,
    capabilities: { elicitation: { form: {} } },
    ask: async (): Promise<Wire> => ({}),
    tell: () => {},
  };
  const session = new Session({ config, pins: new Pins(), front, notice: () => {}, timeout: 60_000 });
  later(() => session.close());
  await session.open();
  const send = (name: string, on: string, more: Partial<RequestContext> = {}): Promise<Wire> => {
    const own = { id: 1, meta: {}, capabilities: front.capabilities, reachable: false, tell: () => {} };
    const signal = new AbortController().signal;
    return callTool(session, { name, arguments: { on } }, { ...own, signal, ...more });
  };
  const acted = async (): Promise<string> => JSON.stringify((await send('acted', '')).content);
  const word = (result: Wire): string => String(result.requestState);
  return { send, acted, word };
}

const saying = (answer: unknown, action = 'accept') => ({
  inputResponses: { toolmend_approval: { action, content: { answer } } },
});
const isAsked = (result: Wire): boolean => result.resultType === 'input_required';

describe('guard: answers at the gateway', () => {
  it('count once', async () => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    expect(isAsked(await send('act', 'x', { requestState, ...saying('once') }))).toBe(false);
    expect(isAsked(await send('act', 'x', { requestState, ...saying('once') }))).toBe(true);
    expect(await acted()).toContain('[\\"x\\"]');
  });

  it('that come twice at once run it once', async () => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    await Promise.all([1, 2, 3].map(() => send('act', 'x', { requestState, ...saying('once') })));
    expect(await acted()).toContain('[\\"x\\"]');
  });

  it.each([
    ['to no question', 'act', 'x', false],
    ['to a question about other arguments', 'act', 'y', true],
    ['to a question about another tool', 'change', 'x', true],
  ])('%s do not count', async (_, name, on, isTaken) => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    const taken = isTaken ? { requestState } : {};
    expect(isAsked(await send(name, on, { ...taken, ...saying('once') }))).toBe(true);
    expect(await acted()).toContain('[]');
  });

  it('with a guessed word do not count', async () => {
    const { send, acted } = await shared();
    for (const requestState of ['toolmend.', 'toolmend.00000000-0000-4000-8000-000000000000', '__proto__', ''])
      expect(isAsked(await send('act', 'x', { requestState, ...saying('once') }))).toBe(true);
    expect(await acted()).toContain('[]');
  });

  it.each([
    ['declined', saying('once', 'decline')],
    ['cancelled', saying('once', 'cancel')],
    ['yes', saying('yes')],
    ['ONCE', saying('ONCE')],
    ['a list', saying(['once'])],
    ['true', saying(true)],
    ['nothing', { inputResponses: { toolmend_approval: { action: 'accept' } } }],
  ])('that are no yes are a no: %s', async (_, answer) => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    const result = await send('act', 'x', { requestState, ...answer });
    expect([isAsked(result), result.isError]).toEqual([false, true]);
    expect(await acted()).toContain('[]');
  });

  it('of `always` hold for nobody else where clients share a session', async () => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    await send('act', 'x', { requestState, ...saying('always') });
    expect(isAsked(await send('act', 'x'))).toBe(true);
    expect(isAsked(await send('act', 'y'))).toBe(true);
    expect(await acted()).toContain('[\\"x\\"]');
  });

  it('of a client that has left do not run it', async () => {
    const { send, acted, word } = await shared();
    const requestState = word(await send('act', 'x'));
    const signal = AbortSignal.abort(new Error('gone'));
    await send('act', 'x', { requestState, signal, ...saying('once') }).catch(() => {});
    expect(await acted()).toContain('[]');
  });
});
