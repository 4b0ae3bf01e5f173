/** What holds for a tool when the tools of other servers come, go and change: its rules, its approvals and its name. */
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayConfig } from '../../src/gateway/config/config.ts';
import { until } from '../until.ts';
import { call, closeAll, defined, folder, listed, stateful, through } from './around.ts';

afterEach(closeAll);

/** A user who answers every request for approval. */
const user = (answer: 'once' | 'always' | 'no', before: () => unknown = () => {}) => {
  const heard: string[] = [];
  const prepare = (client: Client): void =>
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      heard.push(params.message.split('\n')[0] ?? '');
      await before();
      return { action: 'accept', content: { answer } };
    });
  return { heard, around: { capabilities: { elicitation: {} }, prepare } };
};

/** Two servers: the tool of the first, and what the second lists. */
const pair = (tool: string, other: Partial<GatewayConfig['mcpServers'][string]> = {}) => {
  const [a, b] = [stateful('a', { tools: [defined(tool)] }), stateful('b', { tools: [defined('hello')] })];
  const pins = join(folder(), 'pins.json');
  const mcpServers = {
    a: a.server,
    b: { ...b.server, acceptNew: true, ...other } as GatewayConfig['mcpServers'][string],
  };
  return { a, b, config: { pins, mcpServers } };
};

/** Every name that a tool of `a` could have. */
const tryAll = async (client: Client, own: string): Promise<string> => {
  const names = [...new Set([own, `a__${own}`, ...(await listed(client))])];
  const texts: string[] = [];
  for (const name of names) texts.push((await call(client, name)).text);
  return texts.join('\n');
};

describe('rules about a tool whose exposed name changes', () => {
  it.each([
    ['denies', { deny: ['delete_file'] }, 'delete_file', {}],
    ['denies, with a name that is only similar', { deny: ['delete_file'] }, 'Delete-File', {}],
    ['denies, though the other tool is not accepted', { deny: ['delete_file'] }, 'delete_file', { acceptNew: false }],
    ['asks', { ask: ['delete_file'] }, 'delete_file', {}],
    ['denies by pattern', { deny: ['delete_*'] }, 'delete_file', {}],
    ['denies by the name with its server', { deny: ['a__delete_file'] }, 'delete_file', {}],
    ['denies by server and name', { deny: ['a/delete_file'] }, 'delete_file', {}],
  ] as const)('%s, before and after a restart', async (_, rules, added, other) => {
    const { b, config } = pair('delete_file', other);
    const permissions = rules as NonNullable<GatewayConfig['permissions']>;
    const client = await through('memory', 'legacy', { ...config, permissions }, user('no').around);
    expect(await tryAll(client, 'delete_file')).not.toContain('a ran');
    b.set({ tools: [defined('hello'), defined(added)] });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await tryAll(client, 'delete_file')).not.toContain('a ran');
    const later = await through('memory', 'legacy', { ...config, permissions }, user('no').around);
    expect(await tryAll(later, 'delete_file')).not.toContain('a ran');
    expect((await call(later, 'hello')).text).toBe('b ran hello {}');
  });

  it('guard: a rule that allows covers only the exposed name, and a mode is not stricter for other names', async () => {
    const { config } = pair('read_file');
    const permissions = { mode: 'ask', allow: ['read_file'] } as const;
    const { heard, around } = user('no');
    const client = await through('memory', 'legacy', { ...config, permissions }, around);
    expect((await call(client, 'read_file')).text).toBe('a ran read_file {}');
    expect(heard).toEqual([]);
    const other = await through(
      'memory',
      'legacy',
      { ...config, permissions: { mode: 'ask', allow: ['a/*'] } },
      around,
    );
    expect((await call(other, 'read_file')).text).toContain('The user refused');
  });
});

describe('an approval', () => {
  it('names the server, and an "always" does not move to another server', async () => {
    const { a, b, config } = pair('search');
    const { heard, around } = user('always');
    const client = await through('memory', 'legacy', { ...config, permissions: { ask: ['*'] } }, around);
    expect((await call(client, 'search')).text).toBe('a ran search {}');
    expect((await call(client, 'search')).text).toBe('a ran search {}');
    expect(heard).toEqual([expect.stringContaining("may search of the server 'a' run?")]);
    a.set({ tools: [] });
    b.set({ tools: [defined('search')] });
    await until(async () => (await listed(client)).includes('b__search'));
    expect((await call(client, 'b__search')).text).toBe('b ran search {}');
    expect(heard.at(-1)).toContain("of the server 'b'");
  });

  it('that is open does not move to another server', async () => {
    const { a, b, config } = pair('search');
    const { heard, around } = user('once', async () => {
      a.set({ tools: [] });
      b.set({ tools: [defined('search')] });
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    const client = await through('memory', 'legacy', { ...config, permissions: { ask: ['*'] } }, around);
    const { text } = await call(client, 'search');
    expect(heard[0]).toContain("of the server 'a'");
    // Whatever ran, the user was asked about its server.
    if (text.startsWith('b ran')) expect(heard.at(-1)).toContain("of the server 'b'");
  });
});

describe('an exposed name', () => {
  const three = (first: object[] = []) => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => {
      return stateful(name, { tools: name === 'b' ? first : [defined('search')], prompts: [{ name: 'review' }] });
    }) as [ReturnType<typeof stateful>, ReturnType<typeof stateful>, ReturnType<typeof stateful>];
    return {
      a,
      b,
      c,
      config: {
        pins: join(folder(), 'pins.json'),
        mcpServers: { b: { ...b.server, acceptNew: true }, a: { ...a.server, acceptNew: true }, c: c.server },
      },
    };
  };

  it('is not taken over by another server, which gets another name and a notice', async () => {
    const { b, config } = three();
    const notices: string[] = [];
    const client = await through('memory', 'legacy', config, { onNotice: (line) => notices.push(line) });
    b.set({ tools: [defined('c__search')] });
    await until(async () => (await listed(client)).includes('b__c__search'));
    expect((await call(client, 'c__search')).text).toBe('c ran search {}');
    expect((await call(client, 'b__c__search')).text).toBe('b ran c__search {}');
    expect(notices).toContain('b: c__search is exposed as b__c__search, because another server has a similar name');
    const restarted = await through('memory', 'legacy', config);
    expect(await listed(restarted)).toEqual(['a__search', 'b__c__search', 'c__search']);
  });

  it('stays when another server adds the same name, also for prompts and after a restart', async () => {
    const { a, b, c, config } = three([defined('hello')]);
    for (const one of [a, c]) one.set({ tools: [] });
    a.set({ tools: [defined('look')], prompts: [{ name: 'plan' }] });
    b.set({ tools: [defined('hello')] });
    const promptOf = async (client: Client, name: string): Promise<string> =>
      JSON.stringify((await client.getPrompt({ name })).messages);
    const first = await through('memory', 'legacy', config);
    expect(await listed(first)).toEqual(['hello', 'look']);
    expect(await promptOf(first, 'plan')).toContain('a wrote plan');
    b.set({ tools: [defined('hello'), defined('look')], prompts: [{ name: 'plan' }, { name: 'a__plan' }] });
    const restarted = await through('memory', 'legacy', config);
    for (const client of [first, restarted]) {
      await until(async () => (await listed(client)).includes('b__look'));
      expect((await call(client, 'look')).text).toBe('a ran look {}');
      expect((await client.listPrompts()).prompts.map(({ name }) => name).sort()).toEqual([
        'b__a__plan',
        'b__plan',
        'plan',
      ]);
      expect(await promptOf(client, 'plan')).toContain('a wrote plan');
    }
    // The name is not free if its tool is gone.
    a.set({ tools: [], prompts: [] });
    const last = await through('memory', 'legacy', config);
    expect(await listed(last)).toEqual(['b__look', 'hello']);
  });

  it('a resource that two servers list is listed once, and read from the server that is listed', async () => {
    const [a, b] = ['a', 'b'].map((name) => stateful(name, { resources: [{ uri: 'doc://1', name }] }).server);
    const mcpServers = { b, a } as GatewayConfig['mcpServers'];
    const client = await through('memory', 'legacy', { mcpServers });
    expect((await client.listResources()).resources).toEqual([{ uri: 'doc://1', name: 'b' }]);
    const { contents } = await client.readResource({ uri: 'doc://1' });
    expect(contents).toEqual([{ uri: 'doc://1', text: 'b has doc://1' }]);
  });
});

describe('a result that is not an object', () => {
  it.each(['text', null, [1], 5, false])('such as %j is an error, and the call ends', async (result) => {
    const { server } = stateful('a', { tools: [defined('act')], result });
    const client = await through('memory', 'legacy', { mcpServers: { a: server } });
    const { isError, text } = await call(client, 'act');
    expect([isError, text]).toEqual([true, expect.stringContaining('The server sent a result that is not an object')]);
  });
});
