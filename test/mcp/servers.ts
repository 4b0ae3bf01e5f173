import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type McpServer, type McpServerOptions, type McpSettings, mcpServer } from '../../src/execute/mcp/index.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import type { InvokeOptions } from '../../src/run/invoke/types.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { until } from '../until.ts';

const packages = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol');
const open: McpServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Connects to a server that is closed when the test is over. */
export async function connect(settings: McpSettings, options?: McpServerOptions): Promise<McpServer> {
  const server = await mcpServer(settings, options);
  open.push(server);
  return server;
}

/** How a server from npm is started. */
export const published = (name: 'everything' | 'filesystem' | 'memory', ...args: string[]): McpSettings => ({
  name,
  command: process.execPath,
  args: [join(packages, `server-${name}`, 'dist/index.js'), ...args],
});

/** A folder of this test's own. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'toolmend-mcp-'));

/** How the odd server is started, doing these things wrong. */
export const odd = (...wrongs: string[]): McpSettings => ({
  name: 'odd',
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'odd-server.ts'), ...wrongs],
  env: { ODD_STATE: join(folder(), 'state') },
});

/** Calls a server's tool by its own name, as a model does. */
export async function call(
  server: McpServer,
  name: string,
  written: unknown = {},
  options: Partial<InvokeOptions> = {},
) {
  const toolbox = options.toolbox ?? new Toolbox(server.tools);
  const call = { id: 'c1', name: `mcp__${server.name}__${name}`, arguments: written };
  const invocation = await invoke(call, { toolbox, ...options });
  const text = invocation.result?.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') ?? '';
  return { ...invocation, text };
}

/** Waits until so many calls hang in the odd server. */
export const untilHanging = (server: McpServer, count: number): Promise<unknown> =>
  until(async () => Number((await call(server, 'hanging')).text) === count);

/** Whether a process runs; one that has ended and that nobody has asked after yet does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}
