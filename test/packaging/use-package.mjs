/** Copied into a user's project and run there: a mend, a run, a call through the proxy, the page. Prints what came of each. */
import { createServer } from 'node:http';
import { mend, Toolbox, tool } from 'toolmend';
import { inspector } from 'toolmend/inspect';
import { scripted } from 'toolmend/provider';
import { createProxy } from 'toolmend/proxy';
import { agent } from 'toolmend/run';
import { serveScripted } from 'toolmend/scripted';
import { sqliteStore } from 'toolmend/sqlite';

const schema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } };
const ran = [];
const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  effect: 'read',
  inputSchema: schema,
  execute: (input) => {
    ran.push(input);
    return 'what is in it';
  },
});
const call = { name: 'readFile', arguments: "{path: 'a.ts', limit: '5',}" };

const { status, input } = mend(call, new Toolbox([readFile]));

const store = sqliteStore(':memory:');
const run = agent({ model: scripted([{ calls: [call] }, 'Done.']), tools: [readFile], store }).run('Read a.ts');
const { end } = await run.result;
const types = [];
for await (const { type } of store.read(run.id)) types.push(type);

const upstream = await serveScripted([{ calls: [call] }]);
const proxy = await createProxy({ upstreams: [{ url: upstream.url, formats: ['openai-chat'] }] }).listen();
const answer = await fetch(`${proxy.url}/v1/chat/completions`, {
  method: 'POST',
  body: JSON.stringify({
    model: 'any',
    messages: [{ role: 'user', content: 'What is in a.ts?' }],
    tools: [{ type: 'function', function: { name: 'read_file', parameters: schema } }],
  }),
});
const { choices } = await answer.json();

const { handle } = inspector({ store });
const server = createServer(async (request, response) => {
  if (!(await handle(request, response))) response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;
const page = await fetch(`${base}/inspector/`);
const [, script] = /<script[^>]+src="([^"]+)"/.exec(await page.text());
const asset = await fetch(base + script);
await asset.text();

console.log(
  JSON.stringify({
    mend: { status, input },
    run: { end, ran, last: types.at(-1) },
    proxy: { status: answer.status, arguments: choices[0].message.tool_calls[0].function.arguments },
    page: { status: page.status, type: page.headers.get('content-type'), script: asset.status },
  }),
);
server.close();
await proxy.close();
await upstream.close();
await store.close();
