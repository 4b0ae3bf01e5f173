/**
 * An MCP server over its input and output, written by hand so that what it gets and gives is known to the byte. It lists
 * resources on three pages, says things the protocol has no words for, and sends log messages.
 */
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;
const send = (message: Json): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const own = process.argv[2] ?? 'plain';

const tools: Json[] = [
  {
    name: 'strict',
    description: 'Takes one key',
    'x-kept': { deep: [1] },
    inputSchema: {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
      'x-order': 7,
    },
  },
  { name: 'meta', description: 'Shows what came along', inputSchema: { type: 'object' } },
  { name: 'log', description: 'Says something on the side', inputSchema: { type: 'object' } },
];
let level: unknown = 'none';

const calls: Record<string, (params: Json) => Json> = {
  strict: ({ arguments: given }) => ({ content: [{ type: 'text', text: JSON.stringify(given) }] }),
  meta: ({ _meta }) => ({
    content: [{ type: 'text', text: JSON.stringify(_meta), 'x-beside': 1, _meta: { in: 'content' } }],
    structuredContent: { list: [1, 'two'] },
    _meta: { 'example.com/result': 1 },
    'x-further': true,
  }),
  log: () => {
    send({ method: 'notifications/message', params: { level: 'info', data: 'on the side', logger: own } });
    return { content: [{ type: 'text', text: `logged at ${level}` }] };
  },
};

const pages: Record<string, Json> = {
  '': { resources: [{ uri: `${own}://1`, name: 'one' }], nextCursor: 'b' },
  b: { resources: [{ uri: `${own}://2`, name: 'two' }], nextCursor: 'c' },
  c: { resources: [{ uri: `${own}://3`, name: 'three' }] },
};

const answers: Record<string, (params: Json) => Json> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: own, version: '1' },
    capabilities: { tools: {}, resources: { subscribe: true }, logging: {}, experimental: { [own]: {} } },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => calls[String(params.name)]?.(params) ?? {},
  'resources/list': ({ cursor }) => pages[String(cursor ?? '')] ?? {},
  'resources/subscribe': ({ uri }) => {
    send({ method: 'notifications/resources/updated', params: { uri } });
    return {};
  },
  'logging/setLevel': (params) => {
    level = params.level;
    return {};
  },
  'example/own': (params) => ({ said: params, by: own }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const uri = String((params as Json).uri ?? '');
  if (method === 'resources/read' && uri.startsWith(`${own}://`))
    send({ id, result: { contents: [{ uri, text: own }] } });
  else if (answers[method]) send({ id, result: answers[method]?.(params) });
  else send({ id, error: { code: -32601, message: `${own} has no ${method}` } });
});
