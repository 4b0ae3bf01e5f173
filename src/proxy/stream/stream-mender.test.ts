import { describe, expect, it } from 'vitest';
import type { AssistantPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import { anthropicMessages } from '../../provider/wire/anthropic/index.ts';
import { decodeStream } from '../../provider/wire/decode-stream.ts';
import { geminiContent } from '../../provider/wire/gemini/index.ts';
import { ollamaChat } from '../../provider/wire/ollama/index.ts';
import { openaiChat } from '../../provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../provider/wire/openai-responses/index.ts';
import { eventsOf } from '../../provider/wire/turn-assembler.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { SseFrames } from './sse-frames.ts';
import { StreamMender } from './stream-mender.ts';

const input = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
} as const;
const toolbox = new Toolbox([tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema: input })]);

const wires: readonly Provider[] = [openaiChat, openaiResponses, anthropicMessages, geminiContent, ollamaChat];
const texts = wires.filter(({ format }) => format !== 'gemini' && format !== 'ollama');

const bytesOf = (wire: Provider, parts: AssistantPart[], more: Partial<TurnResponse> = {}): Buffer => {
  const writer = wire.writeStream();
  const response: TurnResponse = {
    id: 'r1',
    model: 'm',
    message: { role: 'assistant', parts },
    usage: { input: 3, output: 4 },
    finish: parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop',
    ...more,
  };
  return Buffer.from([...eventsOf(response)].map((event) => writer.write(event)).join(''));
};

function mended(
  upstream: Provider,
  client: Provider,
  bytes: Buffer,
  options: { size?: number; dryRun?: boolean } = {},
) {
  const { size = bytes.length, dryRun = false } = options;
  const mender = new StreamMender({ upstream, client, toolbox, dryRun });
  const frames = new SseFrames(upstream.framing, 1e6);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const frame of frames.feed(bytes.subarray(at, at + size))) out.push(...mender.take(frame));
  }
  for (const frame of frames.rest()) out.push(...mender.take(frame));
  out.push(...mender.end());
  return { bytes: Buffer.concat(out), mender };
}

function read(wire: Provider, bytes: Buffer): { parts: readonly AssistantPart[]; last: TurnEvent['type'] | undefined } {
  const events: TurnEvent[] = [];
  const decoder = decodeStream(wire, (event) => events.push(event));
  decoder.feed(bytes);
  decoder.end();
  const last = events.at(-1);
  return { parts: last && 'response' in last ? last.response.message.parts : [], last: last?.type };
}

const call = (written: unknown, name = 'read_file', id = 'call_1'): AssistantPart => ({
  type: 'call',
  id,
  name,
  arguments: written,
});
const values = (parts: readonly AssistantPart[]): unknown[] =>
  parts.map((part) => {
    if (part.type === 'call') return [part.name, asValue(part.arguments)];
    return part.type === 'text' ? part.text : part.type;
  });
const asValue = (given: unknown): unknown => {
  try {
    return typeof given === 'string' ? JSON.parse(given) : given;
  } catch {
    return given;
  }
};
const good = (wire: Provider): unknown =>
  texts.includes(wire) ? '{"path": "a.ts", "limit": 5}' : { path: 'a.ts', limit: 5 };
const bad = (wire: Provider): unknown =>
  texts.includes(wire) ? '{"path": "a.ts", "limit": "5",}' : { path: 'a.ts', limit: '5' };

describe.each(wires)('$format through the proxy', (wire) => {
  it.each([1, 7, 100_000])('forwards a valid response byte for byte, in chunks of %d', (size) => {
    const bytes = bytesOf(wire, [{ type: 'text', text: 'Let me see, é.' }, call(good(wire))]);
    const { bytes: out, mender } = mended(wire, wire, bytes, { size });
    expect(out.equals(bytes)).toBe(true);
    expect(mender.calls.map(({ outcome }) => outcome.status)).toEqual(['ok']);
  });

  it.each([1, 7, 100_000])(
    'mends a damaged call, and forwards what precedes it byte for byte, in chunks of %d',
    (size) => {
      const bytes = bytesOf(wire, [{ type: 'text', text: 'Let me see.' }, call(bad(wire), 'Read-File')]);
      const { bytes: out, mender } = mended(wire, wire, bytes, { size });
      const { parts, last } = read(wire, out);
      expect(last).toBe('turn.finished');
      expect(values(parts)).toEqual(['Let me see.', ['read_file', { path: 'a.ts', limit: 5 }]]);
      expect(mender.calls).toMatchObject([{ changed: true, outcome: { status: 'mended' } }]);
      expect(out.toString()).not.toContain('Read-File');
    },
  );

  it("forwards a call that can't be mended unchanged", () => {
    const written = texts.includes(wire) ? '{"limit": 5}' : { limit: 5 };
    const bytes = bytesOf(wire, [call(written)]);
    expect(mended(wire, wire, bytes).bytes.equals(bytes)).toBe(true);
  });

  it('--live changes nothing and reports what would be mended', () => {
    const bytes = bytesOf(wire, [call(bad(wire))]);
    const { bytes: out, mender } = mended(wire, wire, bytes, { dryRun: true });
    expect(out.equals(bytes)).toBe(true);
    expect(mender.calls).toMatchObject([{ changed: true }]);
  });

  it.each(wires)('produces a stream that a client of $format can read', (client) => {
    const bytes = bytesOf(wire, [
      { type: 'text', text: 'Look.' },
      call(bad(wire)),
      call(good(wire), 'read_file', 'call_2'),
    ]);
    const { parts } = read(client, mended(wire, client, bytes, { size: 5 }).bytes);
    const same = ['read_file', { path: 'a.ts', limit: 5 }];
    expect(values(parts)).toEqual(['Look.', same, same]);
  });

  it.each(wires)('--live produces a stream that a client of $format can read, with unchanged calls', (client) => {
    const bytes = bytesOf(wire, [{ type: 'text', text: 'Look.' }, call({ path: 'a.ts', limit: '5' })]);
    const { parts } = read(client, mended(wire, client, bytes, { dryRun: true }).bytes);
    expect(values(parts)).toEqual(['Look.', ['read_file', { path: 'a.ts', limit: '5' }]]);
  });
});

describe.each(texts)('$format, with arguments as text', (wire) => {
  it('forwards the valid start of a call before the first fault, and the rest later', () => {
    const written = '{"path": "a long path that goes on", "limit": "5"}';
    const { bytes } = mended(wire, wire, bytesOf(wire, [call(written)]));
    expect(bytes.toString()).toContain('a long path');
    expect(values(read(wire, bytes).parts)).toEqual([['read_file', { path: 'a long path that goes on', limit: 5 }]]);
  });

  it('C18 never closes or forwards a call that reached the token limit', () => {
    const bytes = bytesOf(wire, [call('{"path": "a.ts"')], { finish: 'length' });
    expect(values(read(wire, mended(wire, wire, bytes).bytes).parts)).toEqual([expect.stringMatching(/was cut off/)]);
    const closed = bytesOf(wire, [call('{"path": "a.ts"')]);
    expect(values(read(wire, mended(wire, wire, closed).bytes).parts)).toEqual([['read_file', { path: 'a.ts' }]]);
  });

  it('F1 an interrupted stream stays interrupted, and all received data is forwarded', () => {
    const whole = bytesOf(wire, [{ type: 'text', text: 'Hello' }, call('{"path": "a.ts", "limit": "5",}')]);
    for (const cut of [0.3, 0.5, 0.7, 0.9]) {
      const bytes = whole.subarray(0, Math.floor(whole.length * cut));
      const { bytes: out, mender } = mended(wire, wire, bytes);
      expect(read(wire, out).last).not.toBe(mender.ending?.error ? 'turn.finished' : 'turn.failed');
    }
  });
});
