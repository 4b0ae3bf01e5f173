import { afterEach, describe, expect, it } from 'vitest';
import { answered, asking, collect, failure } from '../../../test/provider/collect.ts';
import { until } from '../../../test/until.ts';
import type { CallPart, ToolSpec, TurnResponse } from '../../model/index.ts';
import type { ServedTurn } from '../scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../scripted/server.ts';
import { gemini, ollama, openai } from './providers.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function serving(script: readonly ServedTurn[]): Promise<ScriptedServer> {
  const server = await serveScripted(script);
  servers.push(server);
  return server;
}

const spec = (name: string): ToolSpec => ({
  type: 'function',
  name,
  description: 'Writes',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
});
const options = { model: 'm', apiKey: 'k-none', retry: { times: 1, base: 1 } };
const json = { 'content-type': 'application/json' };
const callsIn = ({ message }: TurnResponse): CallPart[] => message.parts.filter((part) => part.type === 'call');

describe("C20 a server that could not read its model's call", () => {
  const refused = (raw: string): ServedTurn => ({
    raw: JSON.stringify({ error: `error parsing tool call: raw='${raw}', err=invalid character` }),
    status: 500,
    headers: json,
  });

  it('gives the arguments of the only tool', async () => {
    const server = await serving([refused('{"path": "a.txt",}')]);
    const response = await answered(
      ollama({ ...options, baseURL: server.url }),
      asking('?', { tools: [spec('write')] }),
    );
    expect(callsIn(response)).toMatchObject([{ name: 'write', arguments: '{"path": "a.txt",}' }]);
    expect(server.requests).toHaveLength(1);
  });

  it('gives the call that stands in the text', async () => {
    const server = await serving([refused('{"name": "write", "arguments": {"path": "a.txt",}}')]);
    const tools = [spec('read'), spec('write')];
    const response = await answered(ollama({ ...options, baseURL: server.url }), asking('?', { tools }));
    expect(callsIn(response)).toMatchObject([{ name: 'write' }]);
  });

  it('is retried if it is unclear which tool was meant', async () => {
    const server = await serving([refused('{"path": "a.txt",}'), 'Well.']);
    const tools = [spec('read'), spec('write')];
    const response = await answered(ollama({ ...options, baseURL: server.url }), asking('?', { tools }));
    expect(response.message.parts).toMatchObject([{ type: 'text', text: 'Well.' }]);
  });

  it('may say so in an answer that has nothing else', async () => {
    const finishMessage = "Malformed function call: print(default_api.write(path='a.txt'))";
    const chunk = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage }] };
    const server = await serving([{ raw: `data: ${JSON.stringify(chunk)}\n\n` }]);
    const response = await answered(
      gemini({ ...options, baseURL: server.url }),
      asking('?', { tools: [spec('write')] }),
    );
    expect(callsIn(response)).toMatchObject([{ name: 'default_api.write' }]);
  });
});

describe('C21 a server that takes no tools', () => {
  const told = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
  const refused: ServedTurn = {
    raw: JSON.stringify({ object: 'error', message: told, type: 'BadRequestError', code: 400 }),
    status: 400,
    headers: json,
  };
  const written = '<tool_call>{"name": "write", "arguments": {"path": "a.txt"}}</tool_call>';

  it('is retried without tools, its text is read, and the result is cached', async () => {
    const server = await serving([refused, written, written]);
    const model = openai({ ...options, baseURL: `${server.url}/v1` });
    for (const _ of [1, 2]) {
      const response = await answered(model, asking('?', { tools: [spec('write')] }));
      expect(callsIn(response)).toMatchObject([{ name: 'write', arguments: '{"path": "a.txt"}' }]);
    }
    expect(server.requests.map(({ question }) => question?.tools?.length ?? 0)).toEqual([1, 0, 0]);
  });

  it('is not taken for one by another error', async () => {
    const server = await serving([{ raw: '{"error":{"message":"bad schema"}}', status: 400, headers: json }]);
    const model = openai({ ...options, baseURL: `${server.url}/v1` });
    await failure(model, asking('?', { tools: [spec('write')] }));
    expect(server.requests).toHaveLength(1);
  });

  it('ends its question when the loop is left', async () => {
    const server = await serving([{ text: 'word '.repeat(500), chunk: 5, pace: 5 }]);
    const model = openai({ ...options, baseURL: `${server.url}/v1` });
    for await (const event of model.stream(asking('?', { tools: [spec('write')] })))
      if (event.type === 'part.delta') break;
    await until(() => server.requests[0]?.leftAt !== undefined);
    expect(await collect(model, asking('?'))).toMatchObject([{ type: 'turn.failed' }]);
  });
});
