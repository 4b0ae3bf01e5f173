import { describe, expect, it } from 'vitest';
import type { Model, TurnEvent } from '../model/index.ts';
import { fallbackModel } from './fallback-model.ts';
import { scripted } from './scripted/scripted.ts';

const down = (): Model => scripted([{ error: { message: 'overloaded', kind: 'server', retryable: true } }]);
const broken: Model = {
  name: 'broken',
  provider: 'own',
  // biome-ignore lint/correctness/useYield: it fails first.
  async *stream() {
    throw new Error('no network');
  },
};
const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] } as const;
const eventsOf = async (model: Model, signal?: AbortSignal): Promise<TurnEvent[]> => {
  const events: TurnEvent[] = [];
  for await (const event of model.stream(request, signal ? { signal } : {})) events.push(event);
  return events;
};
const textOf = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'part.delta' ? event.text : '')).join('');

describe('fallbackModel', () => {
  it('uses the next model if a request fails or throws at its start', async () => {
    const events = await eventsOf(fallbackModel([down(), broken, scripted(['Hello.'])]));
    expect(textOf(events)).toBe('Hello.');
    expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('turn.finished');
  });

  it('uses the next model if one ends without a response', async () => {
    const silent: Model = {
      ...broken,
      async *stream() {
        yield { type: 'turn.started' };
      },
    };
    const events = await eventsOf(fallbackModel([silent, scripted(['Hello.'])]));
    expect(textOf(events)).toBe('Hello.');
    expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);
    expect(await eventsOf(fallbackModel([silent]))).toHaveLength(1);
  });

  it('does not ask the next model if the first one responds', async () => {
    expect(textOf(await eventsOf(fallbackModel([scripted(['Hello.']), broken])))).toBe('Hello.');
  });

  it('reports the failure of the last model', async () => {
    const last = (await eventsOf(fallbackModel([broken, down()]))).at(-1);
    expect(last).toMatchObject({ type: 'turn.failed', error: { message: 'overloaded' } });
    await expect(eventsOf(fallbackModel([down(), broken]))).rejects.toThrow('no network');
  });

  it('reports a failure after the response has started', async () => {
    const cut = scripted([{ text: 'Hel', error: { message: 'reset', kind: 'network', retryable: true } }]);
    const events = await eventsOf(fallbackModel([cut, scripted(['Hello.'])]));
    expect(textOf(events)).toBe('Hel');
    expect(events.at(-1)).toMatchObject({ type: 'turn.failed', error: { message: 'reset' } });
  });

  it('ends with an aborted request', async () => {
    const stop = new AbortController();
    let asked = 0;
    const waiting: Model = {
      ...broken,
      async *stream(_, { signal } = {}) {
        stop.abort();
        await new Promise((resolve) => signal?.addEventListener('abort', resolve) ?? resolve(0));
        yield {
          type: 'turn.failed',
          error: { kind: 'aborted', message: 'aborted', retryable: false },
          response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
        };
      },
    };
    const next: Model = {
      ...broken,
      stream: (...args) => {
        asked += 1;
        return broken.stream(...args);
      },
    };
    await eventsOf(fallbackModel([waiting, next]), stop.signal);
    expect(asked).toBe(0);
  });

  it.each([[[]], [undefined], [[{}]]])('refuses %j', (models) => {
    expect(() => fallbackModel(models as never)).toThrow(/Invalid models/);
  });
});
