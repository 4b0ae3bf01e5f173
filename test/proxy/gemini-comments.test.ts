import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { type Answerer, ask, closeAll, proxied } from './around.ts';

afterEach(closeAll);

const frame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null): string =>
  frame({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] });
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: "{'path': 'a.ts',}" } };

/** Streams of a server with a damaged call, in both API formats. */
const streams: Readonly<Partial<Record<Format, string>>> = {
  'openai-chat': `: ping\n\n${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
  gemini: frame({
    candidates: [
      {
        content: { role: 'model', parts: [{ functionCall: { name: 'Read', args: { path: 'a.ts' } } }] },
        index: 0,
        finishReason: 'STOP',
      },
    ],
  }),
};
const answering =
  (text: string): Answerer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  };

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const body = JSON.stringify({
  contents: [{ role: 'user', parts: [{ text: 'Read it.' }] }],
  tools: [{ functionDeclarations: [{ name: 'read', parameters }] }],
});

describe('a stream for a Gemini client', () => {
  it.each(['openai-chat', 'gemini'] as const)('has no comments, from %s', async (format) => {
    const { url } = await proxied(answering(streams[format] ?? ''), { about: { formats: [format] } });
    const { status, text } = await ask(`${url}/v1beta/models/m:streamGenerateContent?alt=sse`, { body });
    expect(status).toBe(200);
    expect(text).toContain('"name":"read"');
    expect(text.split('\n').filter((line) => line.startsWith(':'))).toEqual([]);
  });
});
