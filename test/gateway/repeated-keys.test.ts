/** Arguments that repeat a key reach mending as the client wrote them, over HTTP and stdio. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.ts';
import { StdioTransport } from '../../src/gateway/host/call-arguments.ts';
import { closeAll, defined, folder, later, main, stateful } from './around.ts';

afterEach(closeAll);

const inputSchema = { type: 'object', properties: { path: { type: 'string' }, to: { type: 'object' } } };
const servers = () => ({ mcpServers: { a: stateful('a', { tools: [defined('write', { inputSchema })] }).server } });
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const callOf = (params: string): string =>
  `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write",${params}}}`;

type Send = (message: string) => Promise<string>;

const overHttp = async (): Promise<Send> => {
  const gateway = await createGateway(servers(), { http: true, timeout: 60_000 }).listen();
  later(() => gateway.close());
  const post = (body: string, more: Record<string, string> = {}): Promise<Response> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
    return fetch(gateway.url ?? '', { method: 'POST', headers, body });
  };
  const id = (await post(JSON.stringify(initialize))).headers.get('mcp-session-id') ?? '';
  return async (message) => (await post(message, { 'mcp-session-id': id })).text();
};

const overStdio = async (): Promise<Send> => {
  const file = join(folder(), 'gateway.json');
  writeFileSync(file, JSON.stringify(servers()));
  const args = ['--disable-warning=ExperimentalWarning', main, 'gateway', '--config', file];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  later(() => void child.stdin.end());
  const lines = createInterface({ input: child.stdout });
  const send: Send = async (message) => {
    const reply = once(lines, 'line');
    // In pieces, because a message may arrive in several.
    child.stdin.write(message.slice(0, 20));
    child.stdin.write(`${message.slice(20)}\n`);
    return String((await reply)[0]);
  };
  await send(JSON.stringify(initialize));
  return send;
};

describe.each([
  ['HTTP', overHttp],
  ['stdio', overStdio],
] as const)('F11 over %s', (_, open) => {
  it('arguments with two values for a key are refused, and equal ones are one', async () => {
    const send = await open();
    for (const args of [
      '"arguments":{"path":"/tmp/a","path":"/etc/passwd"}',
      '"arguments":{"path":"a","to":{"x":1,"x":2}}',
      '"arguments":{"path":"/tmp/a"},"arguments":{"path":"/etc/passwd"}',
      '"\\u0061rguments":{"path":"/tmp/a","p\\u0061th":"/etc/passwd"}',
    ]) {
      const reply = await send(callOf(args));
      expect(reply).not.toContain('a ran write');
      expect(reply).toContain('"isError":true');
    }
    expect(await send(callOf('"arguments":{"path":"b","path":"b"}'))).toContain('a ran write {\\"path\\":\\"b\\"}');
    expect(await send(callOf('"arguments":{"path":"c","to":{"path":"d"}}'))).toContain('a ran write');
  });

  it('messages with two values for another key are refused, and equal ones are one', async () => {
    const send = await open();
    const whole = '"params":{"name":"write","arguments":{"path":"/tmp/a"}}';
    const other = '"params":{"name":"write","arguments":{"path":"/etc/passwd"}}';
    const head = '"jsonrpc":"2.0","id":2,"method":"tools/call"';
    for (const message of [
      `{${head},${whole},${other}}`,
      `{${head},${whole},"p\\u0061rams":{"name":"write","arguments":{"path":"/etc/passwd"}}}`,
      `{"jsonrpc":"2.0","id":2,"method":"tools/list","method":"tools/call",${whole}}`,
      callOf('"name":"read","arguments":{"path":"a"}').replace('"name":"write"', '"name":"none"'),
      callOf('"_meta":{"progressToken":1,"progressToken":2},"arguments":{"path":"a"}'),
    ]) {
      const reply = await send(message);
      expect(reply).not.toContain('a ran write');
      expect(reply).toContain('"code":-32600');
      expect(reply).toContain('is given twice');
    }
    expect(await send(`{"jsonrpc":"2.0","id":3,"id":2,"method":"tools/call",${whole}}`)).toContain('"id":null');
    expect(await send(`{${head},${whole},${whole.replace(':{', ': {')}}`)).toContain('a ran write');
  });

  it('F10 numbers keep their digits', async () => {
    const send = await open();
    expect(await send(callOf('"arguments":{"path":1.10}'))).toContain('a ran write {\\"path\\":\\"1.10\\"}');
    const large = await send(callOf('"arguments":{"path":9007199254740993}'));
    expect(large).toContain('a ran write {\\"path\\":\\"9007199254740993\\"}');
  });
});

it("F11 a client's response with two values for a key is an error, and a notification is dropped", () => {
  const transport = new StdioTransport();
  const notices: string[] = [];
  transport.onerror = ({ message }) => notices.push(message);
  const { _readBuffer: buffer } = transport as unknown as {
    _readBuffer: { append(chunk: Buffer): void; readMessage(): unknown };
  };
  const receive = (line: string): unknown => {
    buffer.append(Buffer.from(`${line}\n`));
    return buffer.readMessage();
  };
  const decided = receive('{"jsonrpc":"2.0","id":4,"result":{"action":"decline","action":"accept"}}');
  expect(decided).toMatchObject({ id: 4, error: { code: -32600 } });
  expect(receive('{"jsonrpc":"2.0","method":"a/b","params":{"x":1,"x":2}}')).toBeNull();
  expect(notices.join()).toContain("'x' is given twice");
});
