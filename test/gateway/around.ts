import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type ClientCapabilities,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { GatewayConfig, ServerConfig } from '../../src/gateway/config/config.ts';
import { createGateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { odd, published } from '../mcp/servers.ts';

/** What is closed in the end, the last first. */
const open: (() => unknown)[] = [];
export const later = (close: () => unknown): number => open.push(close);

/** To be called after each test, or after all of a file. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** A folder of this test's own. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'toolmend-gateway-'));
  later(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The ways a client can reach a gateway, and the protocols it can speak. */
export const fronts = [
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
] as const;
export type Way = (typeof fronts)[number][0] | 'memory';
export type Mode = (typeof fronts)[number][1];

const withoutName = ({ name: _, ...server }: { readonly name: string } & object): ServerConfig =>
  server as ServerConfig;
export const everything = withoutName(published('everything'));
export const memory = (file: string): ServerConfig =>
  ({ ...withoutName(published('memory')), env: { MEMORY_FILE_PATH: file } }) as ServerConfig;
export const files = (root: string): ServerConfig => withoutName(published('filesystem', root));
export const oddly = (...wrongs: string[]): ServerConfig => withoutName(odd(...wrongs));

const beside = (file: string, ...args: string[]): ServerConfig => ({
  command: process.execPath,
  args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, file), ...args],
});
export const plain = (name: string): ServerConfig => beside('plain-server.ts', name);
export const asking = beside('asking-server.ts');
export const changing = beside('changing-server.ts');

/** What a server of `stateful` lists. */
export interface ServerState {
  readonly tools?: readonly object[];
  readonly prompts?: readonly object[];
  readonly resources?: readonly object[];
  readonly templates?: readonly object[];
  readonly instructions?: string;
  readonly promptText?: string;
  /** The result of every call. */
  readonly result?: unknown;
}

/** A server whose lists can be changed while it runs and while it doesn't. */
export function stateful(name: string, first: ServerState) {
  const file = join(folder(), 'state.json');
  const set = (state: ServerState): void => {
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  set(first);
  return { server: beside('state-server.ts', name, file), set };
}

/** The definition of a tool of `stateful`. */
export const defined = (name: string, fields: object = {}) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object' },
  ...fields,
});

/** The names of the tools that a client is shown now. */
export const listed = async (client: Client): Promise<string[]> =>
  (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name).sort();

export const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface Around extends GatewayOptions {
  readonly capabilities?: ClientCapabilities;
  /** Sets the client up before it connects. */
  readonly prepare?: (client: Client) => void;
}

/** A client of the official SDK, connected through a gateway to these servers. */
export async function through(way: Way, mode: Mode, config: GatewayConfig, around: Around = {}): Promise<Client> {
  // Servers of a busy machine take their time to start.
  const { capabilities = {}, prepare, ...options } = { timeout: 60_000, ...around };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities });
  prepare?.(client);
  await client.connect(await ways[way](config, options));
  later(() => client.close());
  return client;
}

const ways: Record<Way, (config: GatewayConfig, options: GatewayOptions) => Promise<Transport>> = {
  memory: async (config, options) => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const gateway = await createGateway(config, { ...options, transport: there }).listen();
    later(() => gateway.close());
    return here;
  },
  stdio: async (config) => {
    const file = join(folder(), 'gateway.json');
    writeFileSync(file, JSON.stringify(config));
    const args = ['--disable-warning=ExperimentalWarning', main, 'gateway', '--config', file];
    return new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  },
  http: async (config, options) => {
    const gateway = await createGateway(config, { http: true, ...options }).listen();
    later(() => gateway.close());
    return new StreamableHTTPClientTransport(new URL(gateway.url ?? ''));
  },
};

/** Calls a tool with whatever was written for its arguments; gives the words of the result and the whole. */
export async function call(client: Client, name: string, written: unknown = {}) {
  const result = await client.callTool({ name, arguments: written as Record<string, unknown> });
  const text = result.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  return { ...result, text };
}

/** A result as it came, whatever stands in it. */
export const raw = (client: Client, method: string, params: Record<string, unknown> = {}): Promise<Raw> =>
  client.request({ method, params }, anything);

// Tests look into results at any depth.
// biome-ignore lint/suspicious/noExplicitAny: what came is what is tested
type Raw = any;
const anything = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value: value as Raw }) },
};
