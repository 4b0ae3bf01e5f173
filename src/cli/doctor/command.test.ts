import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { serveScripted } from '../../provider/scripted/server.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { doctorCommand } from './command.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function run(args: readonly string[], { tty = false, env = {} as NodeJS.ProcessEnv } = {}) {
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), tty ? { isTTY: true, columns: 60 } : {});
  const said: string[] = [];
  output.on('data', (piece) => said.push(String(piece)));
  const terminal: Terminal = {
    input: new PassThrough(),
    output,
    errors: output,
    env: { TERM: 'xterm', NO_COLOR: '1', ...env },
    exit: () => {},
    onInterrupt: () => () => {},
  };
  const code = await doctorCommand(args, terminal);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, text: said.join('') };
}

/** A model that calls what it is given, or says that it is there. */
async function good(): Promise<string> {
  const server = await serveScripted(({ tools: [tool] = [] }) =>
    tool?.type === 'function' ? { calls: [{ name: tool.name, arguments: '{"city":"Paris"}' }] } : 'ready',
  );
  open.push(server);
  return server.url;
}

describe('toolmend doctor', () => {
  it('is one line a finding in a pipe, and 0 where calls work', async () => {
    const { code, text } = await run(['--upstream', await good(), '--model', 'm']);
    expect(text).toMatch(
      /^good {2}server {13}unknown server at http:\/\/127\.0\.0\.1:\d+ \(status 404 at \/v1\/models\)$/m,
    );
    expect(text).toMatch(/^good {2}call {15}native call received$/m);
    expect(text).toMatch(/\n\nTool calls work\.\n/);
    expect(text).not.toContain('\u001b');
    expect(code).toBe(0);
  });

  it('shows what it looks at on a terminal, and no line is wider', async () => {
    const { text } = await run(['--upstream', await good(), '--model', 'm'], { tty: true });
    expect(text).toContain('… nested argument\n\u001b[1A\u001b[J');
    expect(text).toContain('✓ call');
    for (const line of text.split('\n')) expect(line.replace('\u001b[1A\u001b[J', '').length).toBeLessThanOrEqual(60);
  });

  it('gives all of it as JSON', async () => {
    const { text, code } = await run(['--upstream', await good(), '--model', 'm', '--format', 'anthropic', '--json']);
    expect(JSON.parse(text)).toMatchObject({
      model: 'm',
      calls: 'native',
      formats: ['anthropic'],
      findings: expect.any(Array),
    });
    expect(code).toBe(0);
  });

  it('ends with 1 where no call can be made', async () => {
    const { text, code } = await run(['--upstream', '127.0.0.1:9', '--model', 'm']);
    expect(text).toContain("Tool calls don't work here.");
    expect(code).toBe(1);
  });

  it("F22 sends a key only to the given server, and a provider's own key only to that provider", async () => {
    const heard: (string | undefined)[] = [];
    const server: Server = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    const args = ['--upstream', `127.0.0.1:${(server.address() as AddressInfo).port}`, '--model', 'm'];
    const env = { OPENAI_API_KEY: 'sk-own', OTHER: 'sk-named' };
    const without = await run(args, { env });
    expect(without.text).toContain('--key-env NAME');
    expect(heard.every((key) => key === undefined)).toBe(true);
    const { text } = await run([...args, '--key-env', 'OTHER'], { env });
    expect(heard).toContain('Bearer sk-named');
    expect(text).not.toMatch(/sk-/);
  });

  it.each([
    [[], /^Missing --upstream/],
    [['--upstream', 'h'], /^Missing --model/],
    [['--upstream', 'http://u:secret@h', '--model', 'm'], /^Invalid --upstream: expected a URL(?!.*secret)/],
    [['--upstream', 'h', '--model', 'm', '--format', 'x'], /Unknown format 'x'\. Expected one of: openai/],
    [['--upstream', 'h', '--model', 'm', '--timeout', '0'], /Invalid --timeout '0': expected an integer/],
    [['--upstream', 'h', '--model', 'm', '--key-env', 'NOPE'], /NOPE is not set/],
  ])('%j is a wrong use', async (args, words) => {
    await expect(run(args)).rejects.toThrow(words);
  });
});
