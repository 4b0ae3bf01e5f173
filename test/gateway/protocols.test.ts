import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { asking, call, closeAll, plain, through } from './around.ts';

afterEach(closeAll);

const fronts = [
  ['memory', 'legacy'],
  ['memory', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
] as const;

/** A person who answers each question with the next of these words. */
const person = (...words: string[]) => {
  const heard: string[] = [];
  const prepare = (client: Client): void =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      heard.push(params.message);
      return { action: 'accept', content: { word: words[heard.length - 1] ?? 'nothing' } };
    });
  return { heard, around: { capabilities: { elicitation: { form: {} } }, prepare } };
};

describe.each(fronts)('over %s, with a client of %s and a server of the 2026 protocol', (way, mode) => {
  it('forwards all questions of the server to the user', async () => {
    const { heard, around } = person('one', 'two');
    const client = await through(way, mode, { mcpServers: { asking } }, around);
    expect((await call(client, 'ask', { times: '2' })).text).toBe('one two');
    expect(heard).toEqual(['Word 1?', 'Word 2?']);
  });

  it('forwards questions of the server after its own question, which it asks once', async () => {
    const heard: string[] = [];
    const prepare = (client: Client): void =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        heard.push(params.message.split('\n')[0] ?? '');
        return { action: 'accept', content: { answer: 'once', word: 'yes' } };
      });
    const around = { capabilities: { elicitation: { form: {} } }, prepare };
    const client = await through(way, mode, { mcpServers: { asking }, permissions: { mode: 'ask' } }, around);
    expect((await call(client, 'ask', { times: 2 })).text).toBe('yes yes');
    expect(heard).toEqual([
      "WRITES: may ask of the server 'asking' run? Approval is needed because it may change something.",
      'Word 1?',
      'Word 2?',
    ]);
  });
});

describe('a client of the 2026 protocol', () => {
  it('receives updates of its resources, even if the server only supports the older protocol', async () => {
    for (const way of ['memory', 'http'] as const) {
      const heard: string[] = [];
      const prepare = (client: Client): void =>
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
      const client = await through(way, 'auto', { mcpServers: { one: plain('one'), two: plain('two') } }, { prepare });
      await client.listResources();
      await client.listen({ resourceSubscriptions: ['two://2'] });
      await until(() => heard.length > 0);
      expect(heard).toEqual(['two://2']);
    }
  });

  it('receives log messages with its calls if it requests them', async () => {
    const heard: unknown[] = [];
    const prepare = (client: Client): void =>
      client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
    const client = await through('http', 'auto', { mcpServers: { one: plain('one') } }, { prepare });
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    await client.callTool({ name: 'log', arguments: {} });
    await client.callTool({ name: 'log', arguments: {}, _meta });
    await until(() => heard.length > 0);
    expect(heard).toEqual(['on the side']);
  });
});
