/**
 * An MCP server over its input and output that lists what a JSON file says, and announces when the file changes. Its
 * tools tell who ran them, so that a test sees where a call went.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;
const [, , own = 'state', file = ''] = process.argv;
const send = (message: Json): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (): string => readFileSync(file, 'utf8');
const state = (): Json => JSON.parse(text());
const say = (words: string): Json => ({ content: [{ type: 'text', text: words }] });

let last = text();
setInterval(() => {
  const now = text();
  if (now === last) return;
  last = now;
  for (const what of ['tools', 'prompts', 'resources']) send({ method: `notifications/${what}/list_changed` });
}, 20);

const answers: Record<string, (params: Json) => unknown> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: own, version: '1' },
    instructions: state().instructions,
    capabilities: Object.fromEntries(['tools', 'prompts', 'resources'].map((what) => [what, { listChanged: true }])),
  }),
  'tools/list': () => ({ tools: state().tools ?? [] }),
  'prompts/list': () => ({ prompts: state().prompts ?? [] }),
  'resources/list': () => ({ resources: state().resources ?? [] }),
  'resources/templates/list': () => ({ resourceTemplates: state().templates ?? [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${own} has ${uri}` }] }),
  'prompts/get': ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: state().promptText ?? `${own} wrote ${name}` } }],
  }),
  'tools/call': ({ name, arguments: given }) =>
    'result' in state() ? state().result : say(`${own} ran ${name} ${JSON.stringify(given)}`),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    if (answers[method]) send({ id, result: answers[method]?.(params) });
    else send({ id, error: { code: -32601, message: 'none' } });
  })
  .on('close', () => process.exit(0));
