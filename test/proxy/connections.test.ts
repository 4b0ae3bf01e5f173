import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ignoredProxy } from '../../src/proxy/upstream/agents.ts';
import { until } from '../until.ts';
import { ask, closeAll, json, open } from './around.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolmend-tls-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closeAll);

/** An authority, and a certificate of it for `models.test` and this machine. */
beforeAll(() => {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=models.test');
  writeFileSync(at('names'), 'subjectAltName=DNS:models.test,IP:127.0.0.1');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.pem', ...signed);
});

const messages = [{ role: 'user', content: 'Hi' }];
const body = JSON.stringify({ model: 'm', messages });
const answer = (request: IncomingMessage): object => ({
  choices: [
    { index: 0, message: { role: 'assistant', content: `from ${request.headers.host}` }, finish_reason: 'stop' },
  ],
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  return (server.address() as AddressInfo).port;
}

/** A model server with TLS. */
const secured = () =>
  listen(
    createTlsServer(
      { key: readFileSync(at('server.key')), cert: readFileSync(at('server.pem')) },
      (request, response) => json(response, answer(request)),
    ),
  );

/** An HTTP proxy, which reaches every host at one port of this machine. */
async function forwarder(target: number): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    json(response, answer(request));
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const tunnel = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [tunnel, socket]) end.on('error', () => {});
  });
  return { port: await listen(server), asked };
}

async function started(upstream: object, env: Record<string, string> = {}, more: object = {}): Promise<string> {
  writeFileSync(at('proxy.json'), JSON.stringify({ upstreams: { one: { format: 'openai', ...upstream } }, ...more }));
  const args = [main, 'proxy', '--port', '0', '--config', at('proxy.json')];
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const exit = new Promise<void>((resolve) => child.on('close', () => resolve()));
  open.push({
    close: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  });
  return (await until(() => /listens at (http:\S+)/.exec(text)?.[1])) as string;
}

const said = async (url: string): Promise<string> => {
  const { status, text } = await ask(`${url}/v1/chat/completions`, { body });
  return status === 200 ? JSON.parse(text).choices[0].message.content : `${status} ${text}`;
};

describe('certificates', () => {
  it('of a configured authority are trusted', async () => {
    const port = await secured();
    expect(await said(await started({ url: `https://127.0.0.1:${port}`, ca: 'ca.pem' }))).toBe(
      `from 127.0.0.1:${port}`,
    );
  });

  it('guard: of an unknown authority are not trusted', async () => {
    const port = await secured();
    expect(await said(await started({ url: `https://127.0.0.1:${port}` }))).toMatch(/^502 .*certificate/);
  });
});

describe('HTTP_PROXY and HTTPS_PROXY', () => {
  it('are used for other machines, with a tunnel for TLS', async () => {
    const { port, asked } = await forwarder(await secured());
    const url = await started(
      { url: 'https://models.test', ca: 'ca.pem' },
      { HTTPS_PROXY: `http://127.0.0.1:${port}` },
    );
    expect([await said(url), await said(url)]).toEqual(['from models.test', 'from models.test']);
    // The tunnel is reused.
    expect(asked).toEqual(['CONNECT models.test:443']);
  });

  it.each<[string, (socket: Duplex) => void, RegExp]>([
    ['guard: a refusal', (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), /^502 .* 407 /],
    ['no response', () => {}, /^502 .*no connection within 300 ms/],
    ['guard: a closed connection', (socket) => socket.end(), /^502 /],
  ])('%s of the other proxy is reported, without the password', async (_, respond, expected) => {
    const other = createServer();
    const keys: unknown[] = [];
    other.on('connect', (request, socket) => {
      keys.push(request.headers['proxy-authorization']);
      socket.on('error', () => {});
      respond(socket);
    });
    const port = await listen(other);
    open.push({ close: () => other.closeAllConnections() });
    const env = { HTTPS_PROXY: `http://user:swordfish@127.0.0.1:${port}` };
    const url = await started({ url: 'https://models.test' }, env, { timeouts: { connect: 300 } });
    const text = await said(url);
    expect(text).toMatch(expected);
    expect(text).not.toContain('swordfish');
    expect(keys).toEqual([`Basic ${Buffer.from('user:swordfish').toString('base64')}`]);
  });

  it('are used without TLS', async () => {
    const { port, asked } = await forwarder(0);
    const url = await started({ url: 'http://models.test:8000' }, { http_proxy: `http://127.0.0.1:${port}` });
    expect(await said(url)).toBe('from models.test:8000');
    expect(asked).toEqual(['POST http://models.test:8000/v1/chat/completions']);
  });

  it.each([
    ['for hosts in NO_PROXY', 'http://models.test:9', { NO_PROXY: 'models.test' }],
    ['for this machine', 'http://127.0.0.1:9', {}],
    ['for localhost', 'http://localhost:9', {}],
  ])('guard: are not used %s', async (_, upstream, env) => {
    const { port, asked } = await forwarder(0);
    const url = await started({ url: upstream }, { HTTP_PROXY: `http://127.0.0.1:${port}`, ...env });
    expect(await said(url)).toMatch(/^502/);
    expect(asked).toEqual([]);
  });

  it.each([
    ['v22.18.0', true],
    ['v22.20.1', true],
    ['v22.21.0', false],
    ['v23.11.0', true],
    ['v24.4.0', true],
    ['v24.5.0', false],
    ['v26.0.0', false],
  ])('are reported if Node ignores them: %s %s', (version, ignored) => {
    expect(ignoredProxy({ HTTPS_PROXY: 'http://p' }, version) !== undefined).toBe(ignored);
    expect(ignoredProxy({ NO_PROXY: 'x' }, version)).toBeUndefined();
  });
});
