import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { Model, ModelRequest, TurnResponse } from '../../model/index.ts';
import { ask } from './ask.ts';

const Trip = z.object({ city: z.string(), days: z.int() });

/** A model that sends these responses, and records the requests. */
function modelOf(...turns: (string | Partial<TurnResponse>)[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: 'test',
    provider: 'test',
    requests,
    async *stream(request, { signal } = {}) {
      const turn = turns[requests.length] as string | Partial<TurnResponse>;
      requests.push(request);
      if (signal?.aborted) throw new Error('It should not be requested');
      const text = typeof turn === 'string' ? turn : '';
      const response: TurnResponse = {
        message: { role: 'assistant', parts: [{ type: 'text', text }] },
        finish: 'stop',
        usage: { input: 10, output: 5 },
        ...(typeof turn === 'string' ? {} : turn),
      };
      yield { type: 'turn.finished', response };
    },
  };
}

const textIn = (request: ModelRequest | undefined, at: number): unknown => request?.messages.at(at)?.parts[0];

describe('ask', () => {
  it('requests the schema, and returns the mended value with its type', async () => {
    const model = modelOf('Sure:\n{"city": "Rome", "days": "3",}');
    const out = await ask(model, Trip, 'Plan a trip.', { modelSettings: { temperature: 0 } });
    expect(out).toMatchObject({ status: 'mended', value: { city: 'Rome', days: 3 }, attempts: 1 });
    if (out.status === 'ok' || out.status === 'mended') expectTypeOf(out.value.days).toEqualTypeOf<number>();
    expect(model.requests[0]).toMatchObject({
      temperature: 0,
      messages: [{ role: 'user', parts: [{ text: 'Plan a trip.' }] }],
      output: { type: 'schema', name: 'output', schema: { required: ['city', 'days'] } },
    });
  });

  it.each<[unknown, string, unknown]>([
    [z.array(z.int()), '[1, "2"]', [1, 2]],
    [z.enum(['red', 'blue']), 'Red', 'red'],
    [z.boolean(), 'yes', true],
    [{ type: 'integer' }, ' 5 ', 5],
  ])('reads lists, enums and scalars: %#', async (schema, text, value) => {
    expect(await ask(modelOf(text), schema, 'Go')).toMatchObject({ value });
  });

  it('sends a refused response back with feedback, and adds up the usage', async () => {
    const model = modelOf('{"city": "Rome", "days": "a few"}', '{"city": "Rome", "days": 3}');
    const out = await ask(model, Trip, 'Plan a trip.');
    expect(out).toMatchObject({ status: 'ok', attempts: 2, usage: { input: 20, output: 10 } });
    expect(model.requests[1]?.messages).toHaveLength(3);
    expect(textIn(model.requests[1], -2)).toMatchObject({ text: '{"city": "Rome", "days": "a few"}' });
    expect(textIn(model.requests[1], -1)).toMatchObject({ text: expect.stringContaining("'days' expected integer") });
    expect(out.messages).toHaveLength(4);
  });

  it('ends with the last refused value when the attempts are used up', async () => {
    const bad = '{"city": "Rome"}';
    const out = await ask(modelOf(bad, bad, bad), Trip, 'Go', { budgets: { attempts: 2 } });
    expect(out).toMatchObject({ status: 'invalid', errorType: 'validation', attempts: 2 });
  });

  it('starts no further attempt when the tokens are used up', async () => {
    const out = await ask(modelOf('{', '{}'), Trip, 'Go', { budgets: { tokens: 15 } });
    expect(out).toMatchObject({ status: 'invalid', attempts: 1 });
  });

  it('never accepts a truncated response', async () => {
    const parts = [{ type: 'text', text: '{"city": "Rome", "days": 3 ' }] as const;
    const model = modelOf({ message: { role: 'assistant', parts }, finish: 'length' }, '{"city": "Rome", "days": 3}');
    const out = await ask(model, Trip, 'Go');
    expect(out).toMatchObject({ status: 'ok', attempts: 2 });
    expect(textIn(model.requests[1], -1)).toMatchObject({ text: expect.stringContaining('output token limit') });
  });

  it('returns errors and refusals of the model', async () => {
    const failing: Model = {
      name: 'test',
      provider: 'test',
      async *stream() {
        const response: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };
        yield { type: 'turn.failed', error: { kind: 'server', message: 'Busy', retryable: true }, response };
      },
    };
    expect(await ask(failing, Trip, 'Go')).toMatchObject({ status: 'failed', error: { message: 'Busy' } });
    const parts = [{ type: 'refusal', text: 'No.' }] as const;
    const refusing = modelOf({ message: { role: 'assistant', parts } });
    expect(await ask(refusing, Trip, 'Go')).toMatchObject({ status: 'refused', error: { message: 'No.' } });
  });

  it('sends nothing after its signal has aborted', async () => {
    const model = modelOf('{}');
    const out = await ask(model, Trip, 'Go', { signal: AbortSignal.abort() });
    expect(out).toMatchObject({ status: 'failed', error: { kind: 'aborted' } });
    expect(model.requests).toHaveLength(0);
  });

  it('describes the schema in the system message on request', async () => {
    const model = modelOf('{"city": "Rome", "days": 3}');
    await ask(model, Trip, 'Go', { describeSchema: true, instructions: 'Be brief.' });
    expect(textIn(model.requests[0], 0)).toMatchObject({ text: expect.stringMatching(/^Be brief\.[\s\S]*"days"/) });
  });

  it.each([
    [() => ask('gpt' as never, Trip, 'Go'), 'Invalid model: expected an object with stream()'],
    [() => ask(modelOf(), undefined, 'Go'), 'Invalid schema'],
    [() => ask(modelOf(), Trip, 5 as never), 'Invalid messages: expected text or messages'],
    [() => ask(modelOf(), Trip, 'Go', { budgets: { attempts: 0 } }), 'Invalid budget attempts 0'],
  ])('explains misuse: %#', async (call, words) => {
    await expect(call()).rejects.toThrow(words);
  });
});
