import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayConfig, ServerConfig } from '../../src/gateway/config/config.ts';
import { until } from '../until.ts';
import { call, closeAll, everything, files, folder, memory, oddly, plain, raw, through } from './around.ts';

afterEach(closeAll);

const names = async (client: Awaited<ReturnType<typeof through>>): Promise<string[]> =>
  (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);

const dead: ServerConfig = { command: join('/', 'no', 'such', 'program'), connectTimeout: 500 };

describe('several servers', () => {
  it('are exposed as one, with the tools of each under their own names', async () => {
    const root = folder();
    const config = { mcpServers: { files: files(root), memory: memory(join(root, 'm.jsonl')), everything } };
    const client = await through('memory', 'legacy', config);
    expect(await names(client)).toEqual(expect.arrayContaining(['read_text_file', 'create_entities', 'echo']));
    expect((await call(client, 'list_allowed_directories')).text).toContain(root);
    expect((await call(client, 'echo', { message: 'a' })).text).toBe('Echo: a');
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect(client.getInstructions()).toContain('# everything');
  });

  it('get a server prefix for similar names of tools and prompts, except configured names', async () => {
    const config: GatewayConfig = {
      mcpServers: {
        one: { ...everything, include: ['echo', 'get-sum'], rename: { 'get-sum': 'add' } },
        two: { ...everything, include: ['echo'], prefix: '' },
        three: { ...everything, include: ['echo'], prefix: 'third_' },
      },
    };
    const client = await through('memory', 'legacy', config);
    expect((await names(client)).sort()).toEqual(['add', 'one__echo', 'third_echo', 'two__echo']);
    expect((await call(client, 'two__echo', { message: 'b' })).text).toBe('Echo: b');
    expect((await call(client, 'third_echo', { message: 'c' })).text).toBe('Echo: c');
    expect((await call(client, 'add', { a: 1, b: '1' })).text).toContain('2');
    expect((await call(client, 'echo', { message: 'd' })).text).toContain("did you mean 'third_echo'");
    const { messages } = await client.getPrompt({ name: 'two__simple-prompt' });
    expect(messages).toHaveLength(1);
  });

  it('neither list nor call hidden tools', async () => {
    const config = { mcpServers: { everything: { ...everything, exclude: ['get-env', 'trigger-*'] } } };
    const client = await through('memory', 'legacy', config);
    expect((await names(client)).some((name) => name === 'get-env' || name.startsWith('trigger-'))).toBe(false);
    const { isError, text } = await call(client, 'get-env');
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining("'get-env' does not exist") });
  });

  it('are listed page by page, and each resource is read from its own server', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { one: plain('one'), two: plain('two') } });
    const first = await raw(client, 'resources/list');
    expect(first.resources).toEqual([
      { uri: 'one://1', name: 'one' },
      { uri: 'two://1', name: 'one' },
    ]);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['one://1', 'two://1', 'one://2', 'two://2', 'one://3', 'two://3']);
    for (const uri of ['two://1', 'two://3', 'one://9'])
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, text: uri.slice(0, 3) }]);
    await expect(client.readResource({ uri: 'none://1' })).rejects.toThrow('has no resources/read');
    await expect(client.listResources({ cursor: 'what' })).rejects.toThrow('The cursor is invalid');
  });

  it('forwards log messages and resource changes, and sends the level to all servers', async () => {
    const heard: unknown[] = [];
    const prepare = (client: Client): void => {
      client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.logger));
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
    };
    const config = { mcpServers: { one: plain('one'), two: plain('two') } };
    const client = await through('memory', 'legacy', config, { prepare });
    await client.setLoggingLevel('warning');
    expect((await call(client, 'one__log')).text).toBe('logged at warning');
    expect((await call(client, 'two__log')).text).toBe('logged at warning');
    await client.listResources();
    await client.subscribeResource({ uri: 'two://2' });
    await until(() => heard.length > 2);
    expect(heard).toEqual(['one', 'two', 'two://2']);
  });
});

describe('an unavailable server', () => {
  it("doesn't affect the others, and is named where its tools are missing", async () => {
    const notices: string[] = [];
    const options = { onNotice: (line: string) => notices.push(line) };
    const client = await through('memory', 'legacy', { mcpServers: { dead, everything } }, options);
    expect((await call(client, 'echo', { message: 'a' })).text).toBe('Echo: a');
    const { isError, text } = await call(client, 'something');
    expect(isError).toBe(true);
    expect(text).toContain("The tools of the server 'dead' are missing");
    expect(notices.join('\n')).toContain('dead: ');
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  });

  it('is named where its tools are missing while it starts', async () => {
    const starting = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
    const client = await through('memory', 'legacy', { mcpServers: { starting } }, { timeout: 100 });
    const { isError, text } = await call(client, 'something');
    expect(isError).toBe(true);
    expect(text).toContain("The tools of the server 'starting' are missing: it is still starting");
  });

  it("reports why its known tools can't be called", async () => {
    const pins = join(folder(), 'pins.json');
    await through('memory', 'legacy', { pins, mcpServers: { late: everything } });
    const client = await through('memory', 'legacy', { pins, mcpServers: { late: dead, everything } });
    // The name stays what it was when both were there.
    expect(await names(client)).toContain('everything__echo');
    const { isError, text } = await call(client, 'late__echo', { message: 'a' });
    expect(isError).toBe(true);
    expect(text).toContain("its server 'late' can't be reached");
  });

  it('is connected again after it crashed', async () => {
    const client = await through('memory', 'legacy', { mcpServers: { odd: oddly() } });
    const first = (await call(client, 'pid')).text;
    const died = await call(client, 'die');
    expect(died.isError).toBe(true);
    expect(died.text).toContain('was lost during the call');
    const second = (await call(client, 'pid')).text;
    expect(Number(second)).toBeGreaterThan(0);
    expect(second).not.toBe(first);
  });

  it("doesn't delay the others while it connects", async () => {
    const silent: ServerConfig = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
    const config = { mcpServers: { silent, everything } };
    const client = await through('memory', 'legacy', config, { timeout: 1000 });
    await until(async () => (await call(client, 'echo', { message: 'a' })).text === 'Echo: a');
  });
});
