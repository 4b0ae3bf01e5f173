import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunList } from '../../src/inspect/api.ts';
import { runCli } from '../cli/run-cli.ts';
import { isAlive } from '../mcp/servers.ts';
import { until } from '../until.ts';
import { call, closeAll, folder, later, main, oddly } from './around.ts';

afterEach(closeAll);

const flags = ['--disable-warning=ExperimentalWarning', main, 'gateway'];
const token = 'token-for-this-test-only';
const env = { ...process.env, NO_COLOR: '1', GATEWAY_TOKEN: token };

/** The command of a server that tells its process id. */
function oddCommand(): string[] {
  const odd = oddly();
  return 'command' in odd ? [odd.command, ...(odd.args ?? [])] : [];
}

const config = (value: object): string => {
  const file = join(folder(), 'gateway.json');
  writeFileSync(file, JSON.stringify(value));
  return file;
};

function start(...args: string[]): {
  readonly child: ChildProcess;
  readonly said: () => string;
  exit: Promise<unknown>;
} {
  const child = spawn(process.execPath, [...flags, ...args], { env });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const exit = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  later(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, said: () => text, exit };
}

const run = (...args: string[]) => spawnSync(process.execPath, [...flags, ...args], { env, encoding: 'utf8' });

describe('toolmend gateway', () => {
  it('serves one server by its command, and stops with its client and its server', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...flags, '--', ...oddCommand()],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    later(() => client.close());
    expect((await call(client, 'args', { tags: '["a"]' })).text).toBe('{"tags":["a"]}');
    const pids = [Number((await call(client, 'pid')).text), transport.pid ?? 0];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await client.close();
    await until(() => !pids.some(isAlive));
  });

  it('listens over HTTP with a token, and stops on a signal', async () => {
    const file = config({ mcpServers: { odd: oddly() } });
    const { child, said, exit } = start('--config', file, '--http', '--port', '0', '--token', 'GATEWAY_TOKEN');
    const [, url = ''] = await until(() => /the gateway listens at (http:\S+)\s/.exec(said()) ?? undefined);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    const pid = Number((await call(client, 'pid')).text);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    await until(() => !isAlive(pid));
    expect(said()).not.toContain(token);
    await client.close();
  });

  it('F24 shows calls in the inspector to clients with the token', async () => {
    const log = join(folder(), 'calls.db');
    const file = config({ mcpServers: { odd: oddly() } });
    const { said } = start('--config', file, '--http', '--port', '0', '--log-content', log);
    const [, url = ''] = await until(() => /the gateway listens at (http:\S+)\s/.exec(said()) ?? undefined);
    const [, page = ''] = await until(() => /inspector: (http:\S+)\s/.exec(said()) ?? undefined);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    later(() => client.close());
    await call(client, 'args', { tags: '["a"]' });
    const { origin, pathname, searchParams } = new URL(page);
    const at = `${origin}${pathname}api/runs`;
    expect((await fetch(at)).status).toBe(401);
    const headers = { 'x-toolmend-token': searchParams.get('token') ?? '' };
    const shown = await until(async () => {
      const { runs } = (await (await fetch(at, { headers })).json()) as RunList;
      return runs[0]?.calls[0]?.status === 'mended' ? runs[0] : undefined;
    });
    expect(shown.calls[0]?.name).toContain('args');
    const evil = { ...headers, origin: 'https://evil.example' };
    expect((await fetch(at, { headers: evil })).status).toBe(403);
  });

  it('stores calls in the configured file, and acceptances next to the configuration', async () => {
    const file = config({ mcpServers: { odd: oddly() } });
    const log = join(folder(), 'calls.db');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...flags, '--config', file, '--log', log],
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    await call(client, 'args', { tags: '["a"]' });
    await client.close();
    const { accepted } = JSON.parse(readFileSync(file.replace('.json', '.pins.json'), 'utf8'));
    expect(Object.keys(accepted.odd)).toContain('weather');
    const runs = spawnSync(process.execPath, [...flags.slice(0, 2), 'runs', 'list', '--store', log, '--json'], {
      env,
      encoding: 'utf8',
    });
    expect(runs.stdout.trim().split('\n')).toHaveLength(1);
  });

  it("lists definitions that aren't accepted yet, and accepts the named ones", async () => {
    const odd = oddly();
    const file = config({ mcpServers: { odd: { ...odd, include: ['weather'] } } });
    const first = run('accept', '--config', file);
    expect([first.status, first.stdout]).toEqual([0, 'All tools are accepted.\n']);
    writeFileSync(('env' in odd && odd.env?.ODD_STATE) || '', '');
    const second = await runCli(['gateway', 'accept', '--config', file]);
    expect(second.status).toBe(1);
    expect(second.stdout).toContain('not accepted: odd/weather');
    expect(second.stdout).toContain('evil.example');
    const third = await runCli(['gateway', 'accept', '--config', file, 'odd/*']);
    expect(third.stdout).toBe('accepted odd/weather\n');
    expect(run('accept', '--config', file).status).toBe(0);
    const unknown = run('accept', '--config', file, 'odd/wether');
    expect([unknown.status, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain("'odd/wether' matches no tool");
    expect(run('accept', '--config', file, 'odd/weather').stdout).toBe('All tools are accepted.\n');
  });

  it("doesn't report that all tools are accepted if a server can't be reached", () => {
    const file = config({ mcpServers: { gone: { command: 'toolmend-no-such-program' } } });
    const { status, stdout, stderr } = run('accept', '--config', file, 'gone/weather');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain("The tools of the server 'gone' are missing");
    expect(stderr).not.toContain('matches no tool');
  });

  it.each([
    [['--config', 'no-such-file.json'], 'no-such-file.json'],
    [['files'], "Unexpected argument 'files'"],
    [['--http', '--host', '0.0.0.0', '--', 'x'], 'no token is set'],
    [['--token', 'NOT_SET', '--', 'x'], 'NOT_SET is not set'],
    [['--port', 'x', '--', 'x'], 'Invalid --port'],
  ])('reports %j as a usage error', async (args, words) => {
    const { status, stderr, stdout } = await runCli(['gateway', ...args], { env });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(existsSync('no-such-file.pins.json')).toBe(false);
  });
});
