import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { until } from '../until.ts';
import { ask, closeAll, json, open, upstream } from './around.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolmend-proxy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closeAll);

const token = 'token-for-this-test-only';
const env = { ...process.env, TOOLMEND_TOKEN: token, UPSTREAM_KEY: 'key-of-the-upstream', NO_COLOR: '1' };
const file = (name: string, value: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return join(folder, name);
};

interface Program {
  readonly url: string;
  readonly child: ChildProcess;
  /** All it said so far. */
  readonly said: () => string;
  readonly exit: Promise<number | null>;
}

/** Starts the program on a free port, and settles when it listens. */
async function program(...args: string[]): Promise<Program> {
  const child = spawn(process.execPath, [main, 'proxy', '--port', '0', ...args], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  // Not its exit: what it said last may still be on its way then.
  const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  open.push({
    close: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  });
  let over = false;
  void exit.then(() => {
    over = true;
  });
  const listening = await until(() => {
    if (over) throw new Error(text);
    return /(?:listens at |"listening":")(http:[^"\s]+)["\s]/.exec(text);
  });
  return { url: String(listening?.[1]), child, said: () => text, exit };
}

const refused = async (...args: string[]) => {
  const { status, stderr } = await runCli(['proxy', ...args], { env });
  return `${status} ${stderr}`;
};

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path', 'limit'],
};
const body = JSON.stringify({
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: { name: 'read_file', parameters } }],
});
const chat = '/v1/chat/completions';

describe('toolmend proxy --check', () => {
  const check = async (config: string, ...args: string[]) => {
    writeFileSync(join(folder, 'check.json'), config);
    const { status, stdout, stderr } = await runCli(
      ['proxy', '--check', '--config', join(folder, 'check.json'), ...args],
      {
        env,
      },
    );
    return { status, stdout, stderr };
  };
  const valid = `{
    // Comments and trailing commas are allowed.
    "token": "\${env:TOOLMEND_TOKEN}",
    "upstreams": {
      "local": { "url": ["http://10.0.0.1:8000", "http://10.0.0.2:8000"] },
      "hosted": { "url": "https://api.anthropic.com?secret=1", "headers": { "x-api-key": "\${env:UPSTREAM_KEY}" } },
    },
    "models": { "claude-*": ["hosted", { "upstream": "local", "model": "qwen3" }], "*": "local" },
    "keys": { "alice": { "key": "key-of-alice-123456", "perMinute": 60 } },
  }`;

  it('prints what would run, without secrets and without requests', async () => {
    const { status, stdout } = await check(valid);
    expect(status).toBe(0);
    expect(stdout).toContain('is valid.');
    expect(stdout).toContain('listens at http://127.0.0.1:17645, requires a key');
    expect(stdout).toContain('upstream local: http://10.0.0.1:8000/, http://10.0.0.2:8000/ (API formats are detected');
    expect(stdout).toContain('upstream hosted: https://api.anthropic.com/ (anthropic; known host');
    expect(stdout).toContain('model claude-*: hosted, then local as qwen3');
    expect(stdout).toContain('key alice: perMinute 60');
    const { stdout: lines } = await check(valid, '--json');
    expect(JSON.parse(lines)).toMatchObject({ valid: true, keys: [{ name: 'alice', perMinute: 60 }] });
    for (const secret of [token, 'key-of-alice-123456', 'key-of-the-upstream', 'secret=1'])
      expect(stdout + lines).not.toContain(secret);
  });

  it.each([
    ['a wrong name', valid.replace('"models"', '"modles"'), /modles.*did you mean 'models'/],
    ['an unknown upstream', valid.replace('"*": "local"', '"*": "remote"'), /models\.\*: unknown upstream 'remote'/],
    ['no token for keys', valid.replace(/"token".*/, '').replace(/"keys".*/, ''), /no token is set/],
    ['a short key', valid.replace('key-of-alice-123456', 'short'), /keys\.alice\.key/],
    [
      'a missing certificate',
      valid.replace('"headers"', '"ca": "none.pem", "headers"'),
      /upstreams\.hosted\.ca: 'none\.pem'/,
    ],
    ['an unknown dialect', valid.replace('"model": "qwen3"', '"dialect": "klingon"'), /klingon/],
    ['a fault in the syntax', valid.replace('"models":', '"models"'), /check\.json:8:\d+: invalid JSON/],
  ])('ends with 2 and the reason: %s', async (_, config, reason) => {
    const { status, stderr } = await check(config);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
  });
});

describe('toolmend proxy', () => {
  it('F32 serves on when the reader of its output goes away', async () => {
    const { url, child } = await program();
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let at = 0; at < 3; at += 1) expect((await ask(`${url}${chat}`, { body })).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  it('reloads upstreams and models on SIGHUP, and keeps serving if the file is invalid', async () => {
    const reply = (content: string) => ({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    });
    const [a, b] = [await upstream((one) => json(one, reply('A'))), await upstream((one) => json(one, reply('B')))];
    const config = (url: string) => file('reload.json', { upstreams: { one: { url, format: 'openai' } } });
    const { url, child, said, exit } = await program('--config', config(a.url));
    expect((await ask(`${url}${chat}`, { body })).text).toContain('"A"');
    config(b.url);
    child.kill('SIGHUP');
    await until(() => said().includes('Reloaded the upstreams, models and keys'));
    expect((await ask(`${url}${chat}`, { body })).text).toContain('"B"');
    file('reload.json', { upstreams: {} });
    child.kill('SIGHUP');
    await until(() => said().includes('was not reloaded'));
    expect((await ask(`${url}${chat}`, { body })).text).toContain('"B"');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('runs a scripted model without an upstream, and mends its call', async () => {
    const { url, said, child, exit } = await program();
    await until(() => said().includes(`curl ${url}/v1/chat/completions`));
    const { text, headers } = await ask(`${url}${chat}`, { body });
    const [call] = JSON.parse(text).choices[0].message.tool_calls;
    expect(JSON.parse(call.function.arguments)).toEqual({ path: expect.any(String), limit: expect.any(Number) });
    expect(headers['x-toolmend-calls']).toBe('ok=0 mended=1 invalid=0');
    expect((await ask(`${url}/metrics`, { method: 'GET' })).text).toMatch(/toolmend_calls_total\{outcome="mended"/);
    expect((await ask(`${url}/healthz`, { method: 'GET' })).text).toBe('ok\n');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(said()).toMatch(/200 POST \/v1\/chat\/completions m at scripted .* ms\n {2}mended read_file: /);
  });

  it('detects and reports the API format of its upstream, and writes a JSON line for each request', async () => {
    const { url: at, heard } = await upstream((response, { method, url }) => {
      if (url === '/api/version') json(response, { version: '1.2.3' });
      else json(response, { error: 'no' }, method === 'POST' && url === chat ? 400 : 404);
    });
    const { url, said, child, exit } = await program('--upstream', at, '--json');
    // The last may not be whole yet.
    const lines = (): Record<string, unknown>[] =>
      said()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    expect(await until(() => lines()[0])).toMatchObject({
      listening: url,
      upstreams: [{ formats: ['ollama', 'openai-chat'], why: expect.stringContaining('Ollama 1.2.3') }],
    });
    expect((await ask(`${url}${chat}`, { body })).status).toBe(400);
    expect(heard.at(-1)).toMatchObject({ url: chat, body });
    expect(await until(() => lines()[1])).toMatchObject({
      status: 400,
      model: 'm',
      client: 'openai-chat',
      wire: 'openai-chat',
    });
    child.kill('SIGINT');
    expect(await exit).toBe(0);
  });

  it('reads its configuration from a file: models by pattern, keys from the environment, a token for clients', async () => {
    const first = await upstream((response) => json(response, { first: true }));
    const second = await upstream((response) => json(response, { second: true }));
    const key = `\${env:UPSTREAM_KEY}`;
    const config = file('config.json', {
      token: `\${env:TOOLMEND_TOKEN}`,
      upstreams: {
        first: { url: first.url, format: 'openai', headers: { Authorization: `Bearer ${key}` } },
        second: { url: second.url, format: 'openai' },
      },
      models: { 'big-*': 'first', '*': 'second' },
    });
    const { url, said } = await program('--config', config);
    const asking = (model: string, headers = {}) =>
      ask(`${url}${chat}`, { body: JSON.stringify({ model }), ...headers });
    expect((await asking('big-one')).status).toBe(401);
    const shown = { authorization: `Bearer ${token}` };
    expect((await asking('big-one', shown)).text).toBe('{"first":true}');
    expect((await asking('small', shown)).text).toBe('{"second":true}');
    expect(first.heard[0]?.headers.authorization).toBe('Bearer key-of-the-upstream');
    expect(second.heard[0]?.headers.authorization).toBeUndefined();
    expect(said()).not.toContain('key-of-the-upstream');
    expect(said()).not.toContain(token);
  });

  it('finishes a stream after a signal, and stops immediately after a second one', async () => {
    let finish = (): void => {};
    const slow = await upstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
      finish = () => response.end('data: [DONE]\n\n');
    });
    const graceful = await program('--upstream', slow.url, '--format', 'openai');
    const answer = ask(`${graceful.url}${chat}`);
    await until(() => slow.heard.length > 0);
    graceful.child.kill('SIGTERM');
    await until(() => graceful.said().includes('Stopping'));
    finish();
    expect((await answer).text).toContain('[DONE]');
    expect(await graceful.exit).toBe(0);

    const never = await upstream((response) => response.writeHead(200).write('x'));
    const hasty = await program('--upstream', never.url, '--format', 'openai');
    const broken = ask(`${hasty.url}${chat}`).catch(() => 'broken');
    await until(() => never.heard.length > 0);
    hasty.child.kill('SIGTERM');
    await until(() => hasty.said().includes('Stopping'));
    hasty.child.kill('SIGTERM');
    expect(await hasty.exit).toBe(130);
    expect(await broken).toBe('broken');
  });

  it('stores responses in a file that the runs command can read', async () => {
    const log = join(folder, 'log.db');
    const { url, child, exit } = await program('--log-content', log, '--keep-days', '7');
    const { headers } = await ask(`${url}${chat}`, { body });
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    const { stdout } = spawnSync(process.execPath, [main, 'runs', '--store', log], { env, encoding: 'utf8' });
    expect(stdout).toContain(String(headers['x-toolmend-id']).slice(0, 16));
    expect(stdout).toMatch(/done .* Hi\n/);
  });

  it('reports a port in use in one line', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { status, stderr } = spawnSync(process.execPath, [main, 'proxy', '--port', String(port)], {
      env,
      encoding: 'utf8',
    });
    expect(`${status} ${stderr}`).toMatch(/^2 toolmend: Port \d+ is already in use.*--port\n$/);
    server.close();
  });

  it.each<[string, RegExp, readonly string[]]>([
    ['an address that others reach, without a token', /no token.*openssl rand/, ['--host', '0.0.0.0']],
    ['a variable that is not set', /NOT_SET is not set/, ['--token', 'NOT_SET']],
    ['a format there is none of', /format/, ['--upstream', 'http://127.0.0.1:9', '--format', 'soap']],
    ['an upstream that does not answer', /No response from/, ['--upstream', 'http://127.0.0.1:9']],
    ['an address that is none', /url/, ['--upstream', 'localhost:11434']],
    ['a port that is none', /Invalid --port 'x': expected a number/, ['--port', 'x']],
    ['days without a file', /--keep-days/, ['--keep-days', '3']],
    ['a format without an upstream', /--format and --dialect require --upstream/, ['--format', 'openai']],
    ['an option there is none of', /--upstrem/, ['--upstrem', 'x']],
  ])('reports %s as a usage error in one line', async (_, words, args) => {
    const said = await refused(...args);
    expect(said).toMatch(/^2 toolmend: [^\n]*\n$/);
    expect(said).toMatch(words);
  });

  it('reports faults in a file with their location', async () => {
    const config = file('faulty.json', { upstreams: { a: { url: 'http://x', heders: {} } }, prt: 1 });
    const said = await refused('--config', config);
    expect(said).toMatch(/faulty\.json: upstreams\.a\.heders: .*did you mean 'headers'/);
    expect(said).toMatch(/faulty\.json: prt: .*did you mean 'port'/);
  });
});
