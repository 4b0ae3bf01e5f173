/** F27 At the gateway: decisions that come late, after other decisions, and after the tool has changed. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { call, changing, closeAll, through } from '../gateway/around.ts';

afterEach(closeAll);

const config = { mcpServers: { changing: { ...changing, permissions: { ask: ['act'] } } } };
type Answer = (message: string, client: Client) => Promise<string>;

/** A client whose person answers by what is asked. */
async function withPerson(way: 'memory' | 'http', mode: 'legacy' | 'auto', answer: Answer) {
  const heard: string[] = [];
  const prepare = (client: Client): void =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      heard.push(params.message);
      return { action: 'accept', content: { answer: await answer(params.message, client) } };
    });
  const client = await through(way, mode, config, { capabilities: { elicitation: { form: {} } }, prepare });
  return { client, heard };
}

describe.each([
  ['memory', 'legacy'],
  ['memory', 'auto'],
  ['http', 'legacy'],
] as const)('over %s, the client speaking %s', (way, mode) => {
  it('a no that comes after an `always` to another call is a no', async () => {
    const always = Promise.withResolvers<void>();
    const { client, heard } = await withPerson(way, mode, async (message) => {
      if (message.includes('second')) return 'always';
      await always.promise;
      return 'no';
    });
    const first = call(client, 'act', { on: 'first' });
    expect((await call(client, 'act', { on: 'second' })).text).toBe('acted on second');
    expect((await call(client, 'act', { on: 'third' })).text).toBe('acted on third');
    always.resolve();
    expect((await first).text).toContain('The user refused');
    expect((await call(client, 'acted')).text).toBe('["second","third"]');
    expect(heard).toHaveLength(2);
  });

  it('guard: a yes to a tool that is redefined before it comes does not run it', async () => {
    let changed = false;
    const { client, heard } = await withPerson(way, mode, async (_, own) => {
      if (changed) return 'no';
      changed = true;
      await call(own, 'change');
      // The gateway hears of the change by itself, and lists anew.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return 'once';
    });
    expect((await call(client, 'act', { on: 'x' })).text).not.toContain('acted on');
    expect((await call(client, 'acted')).text).toBe('[]');
    expect(heard.length).toBeGreaterThan(0);
  });
});
