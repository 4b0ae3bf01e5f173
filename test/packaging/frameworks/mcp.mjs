/** The MCP SDK of a user, version 1 or 2: a server for `toolmend/mcp`, a client whose tools are mended, and both around the gateway. */
import { Toolbox, toolFromMcp } from 'toolmend';
import { mcpServer } from 'toolmend/mcp';
import { invoke } from 'toolmend/run';

const isNew = await import('@modelcontextprotocol/server').then(
  () => true,
  () => false,
);
const description = 'Writes';
const serveArguments = [process.argv[1], '--serve'];
/** The content of the result is what the server received. */
const received = (input) => ({ content: [{ type: 'text', text: JSON.stringify(input) }] });

async function serve() {
  if (isNew) {
    const { McpServer } = await import('@modelcontextprotocol/server');
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    const { z } = await import('zod');
    const inputSchema = z.object({ path: z.string(), lines: z.number() });
    return serveStdio(() => {
      const server = new McpServer({ name: 'files', version: '1' });
      server.registerTool('write_file', { description, inputSchema }, async (input) => received(input));
      return server;
    });
  }
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const server = new Server({ name: 'files', version: '1' }, { capabilities: { tools: {} } });
  const properties = { path: { type: 'string' }, lines: { type: 'number' } };
  const inputSchema = { type: 'object', properties, required: ['path', 'lines'] };
  const tools = [{ name: 'write_file', description, inputSchema }];
  server.setRequestHandler(types.ListToolsRequestSchema, async () => ({ tools }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => received(params.arguments));
  return server.connect(new StdioServerTransport());
}

async function connect(args) {
  const [{ Client }, { StdioClientTransport }] = isNew
    ? await Promise.all([import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio')])
    : await Promise.all([
        import('@modelcontextprotocol/sdk/client/index.js'),
        import('@modelcontextprotocol/sdk/client/stdio.js'),
      ]);
  const client = new Client({ name: 'user', version: '1' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return client;
}

/** A result is text, or a list of parts. */
const print = (content) => console.log(JSON.stringify([JSON.parse(content.at?.(0)?.text ?? content)]));
const call = { id: 'c1', name: 'write_file', arguments: "{path: 'a.ts', lines: '3',}" };

async function use() {
  const server = await mcpServer({ name: 'files', command: process.execPath, args: serveArguments });
  print((await invoke(call, { toolbox: new Toolbox(server.tools) })).result.content);
  await server.close();

  const client = await connect(serveArguments);
  const { tools } = await client.listTools();
  const execute = async (input) => (await client.callTool({ name: 'write_file', arguments: input })).content[0].text;
  const toolbox = new Toolbox(tools.map((definition) => toolFromMcp(definition, { execute })));
  print((await invoke(call, { toolbox })).result.content);
  await client.close();

  const gateway = ['node_modules/toolmend/dist/toolmend.js', 'gateway', '--', process.execPath, ...serveArguments];
  const host = await connect(gateway);
  const [{ name }] = (await host.listTools()).tools;
  print((await host.callTool({ name, arguments: { path: 'a.ts', lines: '3' } })).content);
  await host.close();
}

await (process.argv[2] === '--serve' ? serve() : use());
