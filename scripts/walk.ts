/**
 * Counts the source files that one call executes, by V8's coverage: a file counts when one of its functions runs during the
 * walk. `npm run walk` prints the table of docs/architecture.md and fails if a walk is over its limit; `-- --files` lists
 * the files too. Each walk is the first call in a new process, so that walks share no caches.
 */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { mend, Toolbox, tool } from '../src/index.ts';

interface Walk {
  readonly what: string;
  readonly limit: number;
  /** What the result must contain, so that no other path is counted. */
  readonly gives: string;
  /** Loads modules, and sets up everything around the call that isn't counted. */
  readonly prepare: () => Promise<{ walk(): unknown; close?(): unknown }>;
}

const root = join(import.meta.dirname, '..');
const source = pathToFileURL(join(root, 'src/')).href;

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
};

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  effect: 'read',
  inputSchema: schema,
  execute: () => 'It is empty.',
});

/** A trailing comma for the reader, a number in quotes for the coercion. */
const damaged = '{"path": "a.ts", "limit": "5",}';

const walks: readonly Walk[] = [
  {
    what: '`mend()` of a damaged call',
    limit: 30,
    gives: '"limit":5',
    async prepare() {
      const toolbox = new Toolbox([readFile]);
      return { walk: () => mend({ name: 'read_file', arguments: damaged }, toolbox) };
    },
  },
  {
    what: 'an agent turn that makes that call',
    limit: 75,
    gives: 'It is empty.',
    async prepare() {
      const { scripted } = await import('../src/provider/scripted/scripted.ts');
      const { agent } = await import('../src/run/index.ts');
      const calls = [{ name: 'read_file', arguments: damaged }];
      const helper = agent({ model: scripted([{ calls }, 'It is empty.']), tools: [readFile] });
      return { walk: () => helper.run('What does a.ts hold?').result };
    },
  },
  {
    what: 'a proxied stream with that call',
    limit: 80,
    gives: 'mended=1',
    async prepare() {
      const { createProxy } = await import('../src/proxy/index.ts');
      const upstream = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const frame of frames) response.write(`data: ${frame}\n\n`);
        response.end();
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      const { port } = upstream.address() as AddressInfo;
      const proxy = await createProxy({
        upstreams: [{ url: `http://127.0.0.1:${port}`, formats: ['openai-chat'] }],
      }).listen();
      const parameters = { type: 'function', function: { name: 'read_file', parameters: schema } };
      const messages = [{ role: 'user', content: 'What does a.ts hold?' }];
      const body = JSON.stringify({ model: 'm', stream: true, tools: [parameters], messages });
      const headers = { 'content-type': 'application/json' };
      return {
        walk: async () => (await fetch(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body })).text(),
        close: async () => {
          await proxy.close();
          upstream.close();
        },
      };
    },
  },
  {
    what: 'a gateway call with a number in quotes',
    limit: 60,
    gives: 'The sum of 1 and 2 is 3.',
    async prepare() {
      const { Client, InMemoryTransport } = await import('@modelcontextprotocol/client');
      const { createGateway } = await import('../src/gateway/index.ts');
      const server = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
      const [here, there] = InMemoryTransport.createLinkedPair();
      const gateway = await createGateway(
        { mcpServers: { everything: { command: process.execPath, args: [server, 'stdio'] } } },
        { transport: there },
      ).listen();
      const client = new Client({ name: 'walk', version: '1' });
      await client.connect(here);
      // The server adds tools for what the client supports, and the gateway lists them again.
      await pause(1000);
      const { tools } = await client.listTools();
      const name = tools.find((one) => one.name.includes('sum'))?.name ?? '';
      return {
        walk: () => client.callTool({ name, arguments: { a: '1', b: 2 } }),
        close: async () => {
          await client.close();
          await gateway.close();
        },
      };
    },
  },
];

const call = (delta: object) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...delta }] } }] });
const frames = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'I look.' } }] },
  call({ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '' } }),
  call({ function: { arguments: damaged.slice(0, 12) } }),
  call({ function: { arguments: damaged.slice(12) } }),
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
]
  .map((one) => JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', ...one }))
  .concat('[DONE]');

/** The files of `src/` with a function that ran during a walk; the body of a module doesn't count. */
async function filesOf({ what, gives, prepare }: Walk): Promise<string[]> {
  const { walk, close } = await prepare();
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const given = JSON.stringify(await walk());
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();
  await close?.();
  if (!given.includes(gives)) throw new Error(`${what} came to ${given}, and not to ${gives}`);
  return result
    .filter(({ functions }) => functions.some(({ ranges: [all] }) => all && all.startOffset > 0 && all.count > 0))
    .flatMap(({ url }) => (url.startsWith(source) ? [url.slice(source.length)] : []))
    .sort();
}

const own = walks[Number(process.env.WALK)];
if (own) {
  process.stdout.write(JSON.stringify(await filesOf(own)), () => process.exit());
} else {
  const rows = walks.map(({ what, limit }, at) => {
    const env = { ...process.env, WALK: String(at) };
    const files = JSON.parse(
      execFileSync(process.execPath, [import.meta.filename], { env, encoding: 'utf8' }),
    ) as string[];
    if (process.argv.includes('--files')) console.log(`${what}\n${files.map((file) => `  ${file}`).join('\n')}\n`);
    if (files.length > limit) process.exitCode = 1;
    return `| ${what} | ${files.length} | ${limit} |`;
  });
  console.log(['| walk | files | at most |', '| --- | --- | --- |', ...rows].join('\n'));
}
