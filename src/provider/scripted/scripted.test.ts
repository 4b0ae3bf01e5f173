import { describe, expect, it } from 'vitest';
import { answered, asking, collect, failure } from '../../../test/provider/collect.ts';
import type { TurnResponse } from '../../model/index.ts';
import { scripted } from './scripted.ts';

describe('a scripted model', () => {
  it('plays its turns one after the other, and says when it is at the end', async () => {
    const model = scripted(['One.', { text: 'Two.', finish: 'length' }]);
    expect(await answered(model, asking('?'))).toEqual({
      id: 'turn_1',
      model: 'scripted',
      message: { role: 'assistant', parts: [{ type: 'text', text: 'One.' }] },
      finish: 'stop',
    });
    expect((await answered(model, asking('?'))).finish).toBe('length');
    expect((await failure(model, asking('?'))).error).toMatchObject({ kind: 'request', message: /2 turns/ });
  });

  it('plays the same events every time', async () => {
    const play = { reasoning: 'Hm', text: 'Hello 🌍', calls: [{ name: 'now', arguments: '{"zone": ' }], chunk: 2 };
    const once = await collect(scripted([play]), asking('?'));
    expect(await collect(scripted([play]), asking('?'))).toEqual(once);
    const grown = once.flatMap((event) => (event.type === 'part.delta' ? [event.text] : []));
    expect(grown.join('')).toBe('HmHello 🌍{"zone": ');
    expect(grown.every((piece) => piece.isWellFormed())).toBe(true);
  });

  it('passes the request to a script function', async () => {
    const model = scripted(({ messages }, turn) => `${messages.length} messages, turn ${turn}`);
    await answered(model, asking('?'));
    const { message } = await answered(model, asking('?'));
    expect(message.parts).toEqual([{ type: 'text', text: '1 messages, turn 1' }]);
  });

  it('plays a recorded answer', async () => {
    const recorded: TurnResponse = {
      id: 'r',
      model: 'some-model',
      message: {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', signature: { format: 'anthropic', value: 's' } },
          { type: 'call', id: 'c', name: 'now', arguments: { zone: 'UTC' } },
        ],
      },
      finish: 'tool_calls',
      usage: { input: 1, output: 2 },
    };
    expect(await answered(scripted([recorded]), asking('?'))).toEqual(recorded);
  });

  it('S4.4 drops calls that name nothing, and tells repeated ids apart, as every reader does', async () => {
    const calls = [{ name: '⚙' }, { name: 'a', id: 'x' }, { name: 'b', id: 'x' }];
    const response = await answered(scripted([{ calls }]), asking('?'));
    expect(response.ignored).toMatchObject([{ name: '⚙' }]);
    const ids = response.message.parts.map((part) => (part.type === 'call' ? part.id : ''));
    expect(new Set(ids).size).toBe(2);
  });

  it('fails in the middle of a response, with the partial response', async () => {
    const failed = await failure(
      scripted([{ text: 'Half', error: { message: 'overloaded', kind: 'server' } }]),
      asking('?'),
    );
    expect(failed.error).toEqual({ kind: 'server', message: 'overloaded', retryable: false });
    expect(failed.response.message.parts).toEqual([{ type: 'text', text: 'Half' }]);
  });

  it('fails before an answer', async () => {
    const events = await collect(scripted([{ error: { message: 'no', status: 503 } }]), asking('?'));
    expect(events).toMatchObject([{ type: 'turn.failed', error: { status: 503 } }]);
  });

  it('waits as configured, and stops waiting when aborted', async () => {
    const signal = AbortSignal.timeout(30);
    const { error } = await failure(scripted([{ text: 'late', delay: 3_600_000 }]), asking('?'), { signal });
    expect(error.kind).toBe('aborted');
  });

  it('stops at its pace, with the partial response', async () => {
    const signal = AbortSignal.timeout(60);
    const failed = await failure(scripted([{ text: 'abcdef', chunk: 1, pace: 20_000 }]), asking('?'), { signal });
    const [part] = failed.response.message.parts;
    expect(part?.type === 'text' && part.text.length).toBeLessThan(6);
  });
});
