/** An MCP server over its input and output whose tool `act` gets another description whenever `change` is called. */
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;
const send = (message: Json): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object', properties: { on: { type: 'string' } } };
let version = 1;
const acted: unknown[] = [];

const calls: Record<string, (given: Json) => string> = {
  act: ({ on }) => {
    acted.push(on);
    return `acted on ${on}`;
  },
  acted: () => JSON.stringify(acted),
  change: () => {
    version += 1;
    send({ method: 'notifications/tools/list_changed' });
    return `version ${version}`;
  },
};

const answers: Record<string, (params: Json) => Json> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'changing', version: '1' },
    capabilities: { tools: { listChanged: true } },
  }),
  'tools/list': () => ({
    tools: Object.keys(calls).map((name) => {
      return { name, description: name === 'act' ? `Acts, version ${version}` : name, inputSchema };
    }),
  }),
  'tools/call': ({ name, arguments: given }) => ({
    content: [{ type: 'text', text: calls[String(name)]?.((given ?? {}) as Json) ?? 'none' }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (answers[method]) send({ id, result: answers[method]?.(params) });
  else send({ id, error: { code: -32601, message: 'none' } });
});
