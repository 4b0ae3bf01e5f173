import { describe, expect, it } from 'vitest';
import type { RunEnd, RunEvent, RunFact } from './events.ts';
import { memoryStore } from './memory-store.ts';

const ended = (end: RunEnd): RunFact => ({ type: 'run.ended', end, message: '' });
const event = (run: string, seq: number, fact: RunFact): RunEvent => ({ ...fact, run, seq, at: seq }) as RunEvent;

describe('a store in memory', () => {
  it('keeps the configured number of ended runs, and all that are active or waiting', async () => {
    const store = memoryStore({ keep: 2 });
    const names = async (): Promise<string[]> => (await store.runs()).map(({ run }) => run).sort();
    await store.append([event('waits', 1, ended('awaiting_approval'))]);
    await store.append([event('goes on', 1, { type: 'run.resumed' })]);
    for (const run of ['a', 'b', 'c']) await store.append([event(run, 1, ended('done'))]);
    expect(await names()).toEqual(['b', 'c', 'goes on', 'waits']);
    // One that was taken up again ended last.
    await store.append([event('b', 2, { type: 'run.resumed' }), event('b', 3, ended('done'))]);
    await store.append([event('d', 1, ended('done'))]);
    expect(await names()).toEqual(['b', 'd', 'goes on', 'waits']);
  });

  it('keeps an ended child as long as its parent may read its result', async () => {
    const store = memoryStore({ keep: 0 });
    const model = { name: 'm', provider: 'p' };
    const link = { parent: { run: 'p', callId: 'a' } };
    await store.append([event('p', 1, { type: 'run.started', model, tools: [] })]);
    await store.append([
      event('c', 1, { type: 'run.started', model, tools: [], ...link }),
      event('c', 2, ended('done')),
    ]);
    expect((await store.runs()).map(({ run }) => run)).toEqual(['c', 'p']);
    await store.append([event('p', 2, ended('done'))]);
    expect(await store.runs()).toEqual([]);
  });

  it('takes no event of a run it has forgotten: half a log is no log', async () => {
    const store = memoryStore({ keep: 0 });
    await store.append([event('a', 1, ended('done'))]);
    await expect(store.append([event('a', 2, { type: 'run.resumed' })])).rejects.toMatchObject({ code: 'unknown_run' });
    expect(await store.runs()).toEqual([]);
  });
});
