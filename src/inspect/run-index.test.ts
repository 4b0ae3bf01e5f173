import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../log/events.ts';
import { memoryStore } from '../log/memory-store.ts';
import type { Store } from '../log/store.ts';
import { RunIndex } from './run-index.ts';

const started = (run: string, at: number): RunEvent => ({
  type: 'run.started',
  model: { name: 'm', provider: 'p' },
  tools: [],
  run,
  seq: 1,
  at,
});

/** A store with so many runs, one each `step` milliseconds, an index that has read them, and the lists it asks for since. */
async function indexed(count: number, step: number): Promise<{ store: Store; index: RunIndex; asked: number[] }> {
  const kept = memoryStore();
  for (let n = 0; n < count; n += 1) await kept.append([started(`run_${n}`, 1_000_000 + n * step)]);
  const asked: number[] = [];
  const store: Store = {
    ...kept,
    runs: (query = {}) => {
      asked.push(query.limit ?? 0);
      return kept.runs(query);
    },
  };
  const index = new RunIndex(store);
  await index.look();
  for (let n = 0; n < 200 && index.rows().length < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(index.rows().length).toBe(count);
  asked.length = 0;
  return { store, index, asked };
}

describe('the index of runs', () => {
  it('finds what a machine wrote whose clock is behind those of the others', async () => {
    const { store, index } = await indexed(600, 10);
    await store.append([started('behind', 1_000_000 - 3000)]);
    await index.look();
    expect(index.row('behind')).toMatchObject({ run: 'behind' });
  });

  it('looks no further back than clocks may differ', async () => {
    const { store, index, asked } = await indexed(600, 1000);
    await store.append([started('new', 2_000_000)]);
    await index.look();
    expect(index.row('new')).toMatchObject({ run: 'new' });
    expect(asked).toEqual([64]);
  });

  it('continues a list after a run that was deleted meanwhile, and ends after one that it never knew', async () => {
    const { index } = await indexed(5, 10);
    const page = index.list({ limit: 2 });
    expect(page.runs.map(({ run }) => run)).toEqual(['run_4', 'run_3']);
    index.forget('run_3');
    expect(index.list({ after: 'run_3' }).runs.map(({ run }) => run)).toEqual(['run_2', 'run_1', 'run_0']);
    index.forget('run_0');
    expect(index.list({ after: 'run_0' }).runs).toEqual([]);
    expect(index.list({ after: 'none' }).runs).toEqual([]);
  });
});
