import { describe, expect, it } from 'vitest';
import { decoded } from '../../../test/provider/decoded.ts';
import type { TurnEvent } from '../../model/index.ts';
import { anthropicMessages } from './anthropic/index.ts';
import { type DecodeOptions, decodeStream } from './decode-stream.ts';
import { WireError } from './errors.ts';
import { geminiContent } from './gemini/index.ts';
import { ollamaChat } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Provider } from './types.ts';

const wires = [openaiChat, openaiResponses, anthropicMessages, geminiContent, ollamaChat];
const framed = ({ framing }: Provider, data: string): string => (framing === 'sse' ? `data: ${data}\n\n` : `${data}\n`);

function ended(wire: Provider, chunks: readonly string[], options?: DecodeOptions): TurnEvent | undefined {
  const events: TurnEvent[] = [];
  const decoder = decodeStream(wire, (event) => events.push(event), options);
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.end();
  return events.at(-1);
}

describe.each(wires.map((wire) => [wire.format, wire] as const))('%s', (_, wire) => {
  it('F4 refuses a frame above the limit, in one chunk or many', () => {
    const text = framed(wire, `{"x":"${'a'.repeat(1000)}"}`);
    const error = { kind: 'protocol', message: 'A frame of the stream is longer than 100 characters' };
    const ways = [[text], [...text], [text.slice(0, -1), text.slice(-1)], [text, text]];
    for (const way of ways) expect(ended(wire, way, { maxFrame: 100 })).toMatchObject({ type: 'turn.failed', error });
  });

  it('F4 ignores a byte order mark before decoded text', () => {
    const frames = bodies('stop').map((body) => framed(wire, body));
    const types = (texts: readonly string[]): unknown => decoded(wire, texts.join('')).map(({ type }) => type);
    const events: TurnEvent[] = [];
    const decoder = decodeStream(wire, (event) => events.push(event));
    for (const text of ['\uFEFF', ...frames]) decoder.feed(text);
    decoder.end();
    expect(events.map(({ type }) => type)).toEqual(types(frames));
  });

  it('F6 refuses endless brackets with a reason, in bodies and streams', () => {
    const text = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const body: unknown = JSON.parse(text);
    expect(ended(wire, [framed(wire, text)])).toMatchObject({
      type: 'turn.failed',
      error: { message: 'A frame of the stream is nested deeper than 1000 levels' },
    });
    expect(() => wire.readRequest(body, { model: 'm' })).toThrow(WireError);
    expect(() => wire.readResponse(body)).toThrow('The body is nested deeper than 1000 levels');
    expect(() => wire.readTools([body])).toThrow(WireError);
    expect(wire.readError(500, body)).toMatchObject({ kind: 'server', status: 500 });
  });

  it('F9 treats inherited property names as unknown, and never passes a prototype on', () => {
    const words = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    for (const word of words) {
      const events = decoded(
        wire,
        bodies(word)
          .map((body) => framed(wire, body))
          .join(''),
      );
      const last = events.at(-1);
      expect(last?.type).toMatch(/^turn[.]f/);
      if (last?.type === 'turn.finished' || last?.type === 'turn.failed') {
        expect(last.response.finish).toMatch(/^(stop|other|error)$/);
        expect(Object.getPrototypeOf(last.response.passthrough?.fields ?? {})).toBe(Object.prototype);
      }
    }
  });

  it('passes on what a listener throws', () => {
    const decoder = decodeStream(wire, () => {
      throw new Error('mine');
    });
    const frames = bodies('stop').map((body) => framed(wire, body));
    expect(() => {
      for (const one of frames) decoder.feed(one);
      decoder.end();
    }).toThrow('mine');
  });
});

/** One frame that every wire finds its own words in, with this word wherever a word may stand. */
function bodies(word: string): string[] {
  const choice = { index: 0, delta: { content: 'x' }, finish_reason: word };
  const frame = {
    type: 'response.incomplete',
    response: { status: word, incomplete_details: { reason: word } },
    choices: [choice],
    candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: word }],
    message: { role: 'assistant', content: 'x' },
    done: true,
    done_reason: word,
  };
  const delta = { type: 'message_delta', delta: { stop_reason: word } };
  return [frame, delta].map((body) => `${JSON.stringify(body).slice(0, -1)},"__proto__":{"a":1}}`);
}
