/** Calls that a server puts into the reasoning or the refusal of a response that is otherwise empty. */
import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { sdks } from '../provider/sdks.ts';
import { recording } from '../run/recorded.ts';
import { closeAll, proxied } from './around.ts';

afterEach(closeAll);

const city = { city: 'Oslo', days: 3 };
const call = `<tool_call>\n{"name": "get_weather", "arguments": ${JSON.stringify(city)}}\n</tool_call>`;
const wanted = [{ name: 'get_weather', arguments: city }];

/** A server of the chat API that responds with these fields of a message. */
const serving = (message: Readonly<Record<string, string>>, finish = 'stop') =>
  proxied(
    (response, { body }) => {
      if (!body.includes('"stream":true')) {
        response.setHeader('content-type', 'application/json');
        const whole = { role: 'assistant', content: null, ...message };
        response.end(JSON.stringify({ id: 'x', choices: [{ index: 0, message: whole, finish_reason: finish }] }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (delta: object, end: string | null = null): boolean =>
        response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`);
      send({ role: 'assistant' });
      for (const [key, text] of Object.entries(message))
        for (const piece of text.match(/.{1,9}/gs) ?? []) send({ [key]: piece });
      send({}, finish);
      response.end('data: [DONE]\n\n');
    },
    { about: { formats: ['openai-chat'] } },
  );

describe.each(Object.entries(sdks))('for the %s package', (_, sdk) => {
  it.each<[what: string, message: Record<string, string>]>([
    ['the reasoning', { reasoning_content: `I look it up.\n${call}` }],
    ['the reasoning alone', { reasoning: call }],
    ['the refusal', { refusal: call }],
  ])('C23 a call in %s counts', async (_, message) => {
    const { url } = await serving(message);
    expect(await sdk.whole(url)).toMatchObject({ calls: wanted });
    expect(await sdk.stream(url)).toMatchObject({ calls: wanted });
  });
});

describe('C23 is no call', () => {
  it.each<[what: string, message: Record<string, string>, finish?: string]>([
    ['beside words', { reasoning_content: `I look it up.\n${call}`, content: 'It is warm.' }],
    ['before more reasoning', { reasoning_content: `${call}\nNo, I know that already.` }],
    ['in reasoning that is cut off', { reasoning_content: `I look it up.\n${call}` }, 'length'],
    ['in inline code', { reasoning_content: `I would write \`${call.replaceAll('\n', '')}\`` }],
    ['without markers', { reasoning_content: `{"name": "get_weather", "arguments": ${JSON.stringify(city)}}` }],
    ['in a refusal with words', { refusal: `I can't run ${call.replaceAll('\n', '')} for you.` }],
  ])('guard: %s', async (_, message, finish) => {
    const sdk = sdks['openai chat'] as (typeof sdks)[string];
    const { url } = await serving(message, finish);
    expect((await sdk.whole(url)).calls).toEqual([]);
    if (finish === undefined) expect((await sdk.stream(url)).calls).toEqual([]);
  });
});

it('C23 the loop runs a call in the reasoning', async () => {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } } as const;
  const tool = recording({ name: 'get_weather', inputSchema });
  const model = scripted([{ reasoning: `I look it up.\n${call}` }, 'Done.']);
  expect(await agent({ model, tools: [tool] }).run('x').result).toMatchObject({ end: 'done' });
  expect(tool.received).toEqual([city]);
});
