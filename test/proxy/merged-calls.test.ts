/** Calls that a server merged into one reach the client as separate calls, complete and streamed. */
import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { sdks } from '../provider/sdks.ts';
import { recording } from '../run/recorded.ts';
import { closeAll, proxied } from './around.ts';

afterEach(closeAll);

const parts = ['{"city": "Oslo", "days": 3}', '{"city": "Rome", "days": 2}', '{"city": "Bern", "days": 1}'];
const wanted = parts.map((text) => ({ name: 'get_weather', arguments: JSON.parse(text) as object }));
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A server of the chat API whose parser merges parallel calls. */
const serving = (text: string) =>
  proxied(
    (response, { body }) => {
      const call = (args: string) => ({
        index: 0,
        id: 'c1',
        type: 'function',
        function: { name: 'get_weather', arguments: args },
      });
      if (!body.includes('"stream":true')) {
        const message = { role: 'assistant', content: null, tool_calls: [call(text)] };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (delta: object, finish: string | null = null): boolean =>
        response.write(
          `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
        );
      send({ role: 'assistant', content: null, tool_calls: [call('')] });
      for (const piece of text.match(/.{1,9}/gs) ?? [])
        send({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
      send({}, 'tool_calls');
      response.write(`data: ${JSON.stringify({ id: 'x', choices: [], usage })}\n\n`);
      response.end('data: [DONE]\n\n');
    },
    { about: { formats: ['openai-chat'] } },
  );

describe.each(Object.entries(sdks))('for the %s package', (_, sdk) => {
  it.each([
    ['side by side', parts.join('')],
    ['on lines', parts.join('\n')],
  ])('C22 %s', async (_, text) => {
    const { url } = await serving(text);
    expect(await sdk.whole(url)).toMatchObject({ calls: wanted });
    expect(await sdk.stream(url)).toMatchObject({ calls: wanted });
  });
});

it('C22 the loop runs each of them', async () => {
  const tool = recording({
    name: 'get_weather',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  });
  const model = scripted([{ calls: [{ name: 'get_weather', arguments: parts.join('') }] }, 'Done.']);
  expect(await agent({ model, tools: [tool] }).run('x').result).toMatchObject({ end: 'done' });
  expect(tool.received).toEqual(wanted.map((one) => one.arguments));
});
