import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import { serveScripted } from '../../provider/scripted/server.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { runCommand } from './command.ts';
import { loadMcp } from './load-mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-run-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (value: unknown): string => {
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify(value));
  return join(folder, 'mcp.json');
};
/** Keeps what looks like a placeholder of ours from being one. */
const dollar = '$';
const odd = {
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../../test/mcp/odd-server.ts')],
  env: { ODD_STATE: `${dollar}{STATE:-}none` },
};

describe('--mcp', () => {
  it('C10 runs the tools of servers, mended and validated; an unavailable server affects no other', async () => {
    const server = await serveScripted([
      { calls: [{ name: 'mcp__odd__args', arguments: '{"tags": "[\\"a\\", \\"b\\"]",}' }] },
      'Done.',
    ]);
    const mcpServers = { odd, gone: { command: join(folder, 'nothing') }, off: { command: 'x', disabled: true } };
    const terminal = fakeTerminal({ tty: false });
    const flags = [
      '--base-url',
      `${server.url}/v1`,
      '--model',
      'played',
      '--mcp',
      file({ mcpServers }),
      '--mode',
      'auto',
    ];
    const code = await runCommand([...flags, 'go'], terminal);
    await server.close();
    expect(terminal.told()).toMatch(/The MCP server 'gone' could not be reached/);
    expect(terminal.told()).toMatch(/odd: skipped the tool mcp__odd__remote: the \$ref/);
    expect(terminal.text()).toContain('✓ mcp__odd__args {"tags":["a","b"]}  mended');
    expect(code).toBe(0);
  });

  it.each([
    [{}, /missing "mcpServers"/],
    [{ mcpServers: { a: 5 } }, /the server 'a' must be an object/],
    [
      { mcpServers: { a: { command: 'x', args: [`${dollar}{NOT_SET}`] } } },
      /'a' uses the environment variable NOT_SET, which is not set/,
    ],
    [{ mcpServers: { a: { url: 'no url' } } }, /The MCP server can't be set up/],
  ])('%j is a wrong use', async (value, words) => {
    const options = { env: {}, note: () => {} };
    await expect(loadMcp([file(value)], new Toolbox(), options)).rejects.toThrow(words);
  });
});
