import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, closeAll, proxied } from './around.ts';

afterEach(closeAll);

const sse = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const open = '{"path": "a.txt", "content": "first hal';
const good = '{"path": "b.txt"}';
const tools = [{ type: 'function', function: { name: 'write_file' } }];

const sending =
  (body: string, streamed: boolean): Answerer =>
  (response) => {
    response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' }).end(body);
  };
const post = (url: string, body: object): Promise<string> =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) }).then((one) => one.text());

type Choice = readonly [args: string, finish: string];
const called = (args: string) => ({ id: 'c', type: 'function', function: { name: 'write_file', arguments: args } });

const chatWhole = (choices: readonly Choice[]): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: choices.map(([args, finish_reason], index) => ({
      index,
      finish_reason,
      message: { role: 'assistant', content: null, tool_calls: [called(args)] },
    })),
  });
function chatStream(choices: readonly Choice[]): string {
  const chunk = (index: number, delta: object, finish_reason: string | null = null): string =>
    sse({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index, delta, finish_reason }],
    });
  const piece = (args: string) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] });
  const all = choices.map(([args], at) =>
    chunk(at, { role: 'assistant', tool_calls: [{ index: 0, ...called(args.slice(0, 9)) }] }),
  );
  const more = choices.map(([args], at) => chunk(at, piece(args.slice(9))));
  return [...all, ...more, ...choices.map(([, finish], at) => chunk(at, {}, finish)), sse('[DONE]')].join('');
}
const gemini = (choices: readonly Choice[]): object => ({
  candidates: choices.map(([args, finishReason], index) => ({
    index,
    finishReason,
    content: { role: 'model', parts: [{ functionCall: { name: 'write_file', args: JSON.parse(args) } }] },
  })),
});
const valued = '{"path": "a.txt", "content": "first hal"}';
const geminiTools = { contents: [], tools: [{ functionDeclarations: [{ name: 'write_file' }] }] };
const chatAsk = { model: 'm', n: 2, messages: [], tools };

type Row = readonly [string, string, boolean, path: string, asked: object];
const rowsFor = (others: readonly [chat: Choice, gemini: Choice]): readonly Row[] => {
  const chat: Choice[] = [[good, 'tool_calls'], others[0]];
  const google: Choice[] = [[good, 'STOP'], others[1]];
  return [
    ['chat, whole', chatWhole(chat), false, '/v1/chat/completions', chatAsk],
    ['chat, streamed', chatStream(chat), true, '/v1/chat/completions', { ...chatAsk, stream: true }],
    ['Gemini, whole', JSON.stringify(gemini(google)), false, '/v1beta/models/m:generateContent', geminiTools],
    ['Gemini, streamed', sse(gemini(google)), true, '/v1beta/models/m:streamGenerateContent?alt=sse', geminiTools],
  ];
};

describe("C2 a truncated call in a choice after the first doesn't reach a client", () => {
  it.each(
    rowsFor([
      [open, 'length'],
      [valued, 'MAX_TOKENS'],
    ]),
  )('%s', async (_, body, streamed, path, asked) => {
    const { url } = await proxied(sending(body, streamed));
    const text = await post(url + path, asked);
    expect(text).toContain("The call to 'write_file' was cut off");
    expect(text).not.toContain('first hal');
    expect(text).toContain('b.txt');
  });
});

it.each([
  ['whole', chatWhole([[open, 'length']]), false],
  ['streamed', chatStream([[open, 'length']]), true],
] as const)(
  "C2 a truncated call in the response to a request without tools doesn't reach a client, %s",
  async (_, body, stream) => {
    const { url } = await proxied(sending(body, stream));
    const text = await post(`${url}/v1/chat/completions`, { model: 'm', messages: [], stream });
    expect(text).toContain("The call to 'write_file' was cut off");
    expect(text).not.toContain('tool_calls');
  },
);

describe('guard: complete calls in other choices pass', () => {
  it.each(
    rowsFor([
      [good, 'tool_calls'],
      [good, 'STOP'],
    ]),
  )('%s', async (_, body, streamed, path, asked) => {
    const { url } = await proxied(sending(body, streamed));
    const text = await post(url + path, asked);
    expect(text).not.toContain('cut off');
    expect(text.match(/write_file/g)?.length).toBe(2);
    expect(text.match(/b\.txt|b.t/g)?.length).toBe(2);
  });

  it('forwards a response without calls byte for byte if there are no tools', async () => {
    const body =
      sse({ id: 'x', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }) + sse('[DONE]');
    const { url } = await proxied(sending(body, true));
    expect(await post(`${url}/v1/chat/completions`, { model: 'm', messages: [], stream: true })).toBe(body);
  });
});
