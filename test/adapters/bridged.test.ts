/**
 * C2 OpenAI Agents on a model of another SDK, as bridges have it: calls come whole, as text of an object, and the reason of the
 * end stands in the answer's own data or, in streams, in one of its events alone.
 */
import { Agent, type Model, Runner, type StreamEvent, tool } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { mendModel } from '../../src/adapter/openai-agents/index.ts';

interface Sent {
  readonly texts: readonly string[];
  readonly finish: unknown;
  /** The event that tells it. */
  readonly event?: (finish: unknown) => object;
}

const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A bridged model: it calls in its first answer, and says that it is done in the second. */
function bridged({ texts, finish, event = (finishReason) => ({ type: 'finish', finishReason }) }: Sent): Model {
  let turns = 0;
  const answer = () => {
    turns += 1;
    const calls = texts.map((text, at) => ({
      type: 'function_call',
      callId: `c${turns}_${at}`,
      name: 'write_file',
      arguments: text,
      status: 'completed',
    }));
    const done = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'ok' }],
    };
    return turns === 1 ? { output: calls, finish } : { output: [done], finish: 'stop' };
  };
  return {
    async getResponse() {
      const { output, finish: finishReason } = answer();
      return { output, usage, responseId: 'r', providerData: { finishReason } } as never;
    },
    async *getStreamedResponse() {
      const { output, finish: ends } = answer();
      yield { type: 'response_started' } as StreamEvent;
      yield { type: 'model', event: event(ends) } as StreamEvent;
      yield { type: 'response_done', response: { id: 'r', usage, output } } as never;
    },
  };
}

async function ranBy(sent: Sent, stream: boolean): Promise<unknown[]> {
  const ran: unknown[] = [];
  const write = tool({
    name: 'write_file',
    description: 'Writes a file',
    strict: false,
    parameters: {
      ...({ type: 'object', required: [], additionalProperties: true } as const),
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
    execute: (input: unknown) => `${ran.push(input)}`,
  });
  const agent = new Agent({ name: 'A', model: mendModel(bridged(sent)), tools: [write] });
  const runner = new Runner({ tracingDisabled: true });
  try {
    if (stream) {
      const result = await runner.run(agent, 'Go.', { stream: true });
      for await (const _ of result);
      await result.completed;
    } else await runner.run(agent, 'Go.');
  } catch {}
  return ran;
}

const objects: readonly [string, string][] = [
  ['before any argument', '{}'],
  ['nothing at all', ''],
  ['a part of the object', '{"path":"a.txt"}'],
  ['inside a string', '{"path":"a.txt","content":"first hal'],
];
const lengths: readonly [string, Omit<Sent, 'texts'>][] = [
  ['length', { finish: 'length' }],
  ['a reason in two words', { finish: { unified: 'length', raw: 'max_tokens' } }],
  ['a raw reason alone', { finish: { unified: 'other', raw: 'MAX_TOKENS' } }],
];
const events: readonly [string, Omit<Sent, 'texts'>][] = [
  ['a delta', { finish: 'max_tokens', event: (stop_reason) => ({ type: 'message_delta', delta: { stop_reason } }) }],
];

const whole = objects.flatMap(([cut, text]) =>
  lengths.map(([end, sent]) => [cut, end, { ...sent, texts: [text] }] as const),
);
const streamed = objects.flatMap(([cut, text]) =>
  [...lengths, ...events].map(([end, sent]) => [cut, end, { ...sent, texts: [text] }] as const),
);
/** Text that is open, or no text, was refused before. */
const isHeld = ([cut]: readonly [string, ...unknown[]]): boolean => /^inside|^nothing/.test(cut);
const good = '{"path":"b.txt"}';

describe('guard: a truncated bridged response runs nothing', () => {
  it.each(whole.filter(isHeld))('complete: %s, %s', async (_, _end, sent) =>
    expect(await ranBy(sent, false)).toEqual([]),
  );
  it.each(streamed.filter(isHeld))('streamed: %s, %s', async (_, _end, sent) =>
    expect(await ranBy(sent, true)).toEqual([]),
  );
});

describe('C2 a truncated bridged response runs nothing, complete', () => {
  it.each(whole.filter((row) => !isHeld(row)))('%s, %s', async (_, _end, sent) =>
    expect(await ranBy(sent, false)).toEqual([]),
  );
});

describe('C2 a truncated bridged response runs nothing, streamed', () => {
  it.each(streamed.filter((row) => !isHeld(row)))('%s, %s', async (_, _end, sent) =>
    expect(await ranBy(sent, true)).toEqual([]),
  );

  it('nor the first of two calls', async () => {
    const sent = { texts: [good, '{}'], finish: 'length' };
    expect([await ranBy(sent, true), await ranBy(sent, false)]).toEqual([[{ path: 'b.txt' }], [{ path: 'b.txt' }]]);
  });
});

it.each([false, true])('guard: a complete bridged call runs, streamed: %s', async (stream) => {
  for (const finish of ['tool-calls', 'stop', { unified: 'tool-calls', raw: 'tool_use' }])
    expect(await ranBy({ texts: [good, '{}'], finish }, stream)).toEqual([{ path: 'b.txt' }, {}]);
});
