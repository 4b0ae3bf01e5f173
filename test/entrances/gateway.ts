import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Case } from './case.ts';
import { defined } from './command-line.ts';
import { type Entrance, inputOf, type OpenEntrance, type Seen } from './entrance.ts';
import { recordSeen } from './loop.ts';
import { act, type Stage, stage } from './toolbox-of.ts';
import { withRuns } from './with-runs.ts';

/** The MCP gateway between a client of the official SDK and a server that has the tools of the case. */
export const gateway: Entrance = {
  name: 'MCP gateway',
  column: 'gateway',
  hides: {},
  cannot: {
    words: 'an MCP client sends calls, not text',
    length: "an MCP client doesn't send the finish reason",
    'exact text': 'the MCP client parses the arguments before it sends them',
    unnamed: 'an MCP client expects a response to every call',
    runs: "the client receives the server's result unchanged",
    deadline: 'whether a server has started before the timeout depends on the connection',
    fallback: "a server doesn't receive calls to other servers, so its tool named `invalid` can't be a fallback",
    stop: 'a cancelled call gets no response',
  },
  open,
};

async function open(): Promise<OpenEntrance> {
  let serves: { one: Case; on: Stage } | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (piece) => {
        body += piece;
      })
      .on('end', async () => {
        const asked = request.method === 'POST' ? JSON.parse(body) : {};
        if (asked.id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
        const result = await answers[asked.method]?.(asked.params, serves as NonNullable<typeof serves>);
        const answer = result ? { result } : { error: { code: -32601, message: 'not here' } };
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answer }));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    async run(one) {
      const on = stage();
      serves = { one, on };
      return withRuns(await called(one, url), on.ran);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes the calls of a case, one after the other. */
async function called({ wrote, times = 1, deny }: Case, url: string): Promise<Seen[]> {
  const runs: (readonly RunEvent[])[] = [];
  const store = { ...memoryStore(), append: async (events: readonly RunEvent[]) => void runs.push(events) };
  const [here, there] = InMemoryTransport.createLinkedPair();
  const running = await createGateway(
    {
      mcpServers: { files: { url, trusted: true } },
      ...(deny && { permissions: { deny } }),
    },
    { transport: there, store, record: { content: true }, timeout: 60_000 },
  ).listen();
  const client = new Client({ name: 'case', version: '1' });
  try {
    await client.connect(here);
    const told: string[] = [];
    for (const { name, arguments: written } of 'calls' in wrote ? wrote.calls : []) {
      for (let time = 1; time <= times; time += 1) {
        const { content } = await client.callTool({ name, arguments: sentAs(written) });
        if (time < times) runs.pop();
        else told.push(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'));
      }
    }
    return runs.map((events, at) => {
      const [record] = fold(events).calls.values();
      if (!record) throw new Error('The call is not on record');
      return recordSeen(record, told[at] ?? 'nothing');
    });
  } finally {
    await client.close();
    await running.close();
  }
}

/** Hosts send a value; one that could read none sends the text. */
function sentAs(written: string): Record<string, unknown> {
  const value = inputOf(written);
  return (typeof value === 'object' && value !== null ? value : written) as Record<string, unknown>;
}

type Answer = (params: Record<string, unknown>, serves: { one: Case; on: Stage }) => unknown;

/** A server as small as one can be. */
const answers: Readonly<Record<string, Answer>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'case', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': (_, { one }) => ({ tools: defined(one) }),
  async 'tools/call'({ name, arguments: input }, { one, on }) {
    const tool = one.tools.find((each) => each.name === name);
    const text = tool ? await act(tool, input, on) : `There is no ${name}`;
    return { content: [{ type: 'text', text }], ...(!tool && { isError: true }) };
  },
};
