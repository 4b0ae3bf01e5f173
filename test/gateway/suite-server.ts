/**
 * A server with all that the MCP project's conformance suite asks a server for, over HTTP with a session for each client.
 * It says its address on its output.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type ServerContext, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { readJsonBody, sendWeb, webRequest } from '../../src/gateway/host/http.ts';
import { anything, type Wire } from '../../src/gateway/rpc.ts';
import { enums, prompts, resourceAt, resources, templates, texts, tools, withDefaults } from './suite-contents.ts';

type Call = (given: Wire, ctx: ServerContext['mcpReq']) => Promise<Wire> | Wire;
const text = (said: string): Wire => ({ content: [{ type: 'text', text: said }] });

/** Asks the person in front of the client, on the stream of the call: there may be no other yet. */
const elicit = (requestedSchema: Wire, message = 'Please fill this in'): Call => {
  return async (given, { id, elicitInput }) => {
    const params = { mode: 'form', message: String(given.message ?? message), requestedSchema };
    const { action, content } = await elicitInput(params as never, { relatedRequestId: id });
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
  };
};

const calls: Record<string, Call> = {
  test_error_handling: () => ({ ...text('This tool fails whenever it is called'), isError: true }),
  test_tool_with_logging: async (_, { log }) => {
    for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await log('info', said);
    return text('Three messages were logged');
  },
  test_tool_with_progress: async (_, { _meta, notify }) => {
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    return text('All of it was done');
  },
  test_sampling: async ({ prompt }, { id, requestSampling }) => {
    const content = { type: 'text' as const, text: String(prompt) };
    const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
    const said = await requestSampling(params, { relatedRequestId: id });
    return text(`LLM response: ${JSON.stringify(said.content)}`);
  },
  test_elicitation: elicit(texts('username', 'email')),
  test_elicitation_sep1034_defaults: elicit(withDefaults),
  test_elicitation_sep1330_enums: elicit(enums),
  json_schema_2020_12_tool: (given) => text(JSON.stringify(given)),
};

const answers: Record<string, (params: Wire, ctx: ServerContext['mcpReq']) => Promise<Wire> | Wire> = {
  'tools/list': () => ({ tools: tools.map(({ result: _, ...tool }) => tool) }),
  'tools/call': ({ name, arguments: given = {} }, ctx) =>
    calls[String(name)]?.(given as Wire, ctx) ??
    tools.find((tool) => tool.name === name)?.result ??
    text('No such tool'),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates: templates }),
  'resources/read': ({ uri }) => ({ contents: [resourceAt(String(uri))] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': () => ({ prompts: prompts.map(({ messages: _, ...prompt }) => prompt) }),
  'prompts/get': ({ name, arguments: given = {} }) => ({
    messages: prompts.find((prompt) => prompt.name === name)?.messages(given as Wire) ?? [],
  }),
  'completion/complete': ({ argument }) => {
    const begun = String((argument as Wire).value);
    return { completion: { values: ['paris', 'park', 'party'].filter((word) => word.startsWith(begun)) } };
  },
};

function suiteServer(): Server {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'suite', version: '1' }, { capabilities });
  for (const [method, answer] of Object.entries(answers))
    server.setRequestHandler(method, { params: anything }, async (params, { mcpReq }) => {
      const result = await answer(params, mcpReq);
      return result as never;
    });
  return server;
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function beginSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await suiteServer().connect(transport as never);
  return transport;
}

const http = createServer(async (request, response) => {
  if (request.headers.host !== here()) {
    response.writeHead(403).end();
    return;
  }
  const body = request.method === 'POST' ? await readJsonBody(request, 1_000_000) : { value: undefined };
  const transport = sessions.get(String(request.headers['mcp-session-id'])) ?? (await beginSession());
  const parsedBody = 'value' in body ? body.value : undefined;
  await sendWeb(await transport.handleRequest(webRequest(request, response), { parsedBody }), response);
});
const here = (): string => `127.0.0.1:${(http.address() as AddressInfo).port}`;
http.listen(0, '127.0.0.1', () => console.log(`http://${here()}/mcp`));
