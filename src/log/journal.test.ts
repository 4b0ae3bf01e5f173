import { describe, expect, it } from 'vitest';
import type { RunEvent } from './events.ts';
import { gather, Journal } from './journal.ts';
import { memoryStore } from './memory-store.ts';
import type { Store } from './store.ts';

const resumed = { type: 'run.resumed' } as const;
const numbers = async (store: Store): Promise<number[]> => {
  const list: number[] = [];
  for await (const { seq } of store.read('r')) list.push(seq);
  return list;
};

describe('a journal', () => {
  it('leaves no gap where a redactor throws', async () => {
    const store = memoryStore();
    let bad = false;
    const redact = (event: RunEvent): RunEvent => {
      if (bad) throw new Error('no');
      return event;
    };
    const journal = new Journal(store, { run: 'r', redact });
    await journal.commit(resumed);
    bad = true;
    await expect(journal.commit(resumed)).rejects.toThrow('no');
    bad = false;
    await journal.commit(resumed);
    expect(await numbers(store)).toEqual([1, 2]);
  });

  it('combines concurrent commits in one append, and publishes after it', async () => {
    const store = memoryStore();
    const heard: number[] = [];
    const sizes: number[] = [];
    const slow: Store = {
      ...store,
      async append(events) {
        await new Promise((resolve) => setImmediate(resolve));
        expect(heard).not.toContain(events[0]?.seq);
        sizes.push(events.length);
        await store.append(events);
      },
    };
    const journal = new Journal(slow, { run: 'r', publish: ({ seq }) => heard.push(seq) });
    const three = [journal.commit(resumed), journal.commit(resumed), journal.commit(resumed)];
    await Promise.resolve().then(() => null);
    await Promise.all([...three, ...Array.from({ length: 9 }, () => journal.commit(resumed))]);
    expect(sizes).toEqual([3, 9]);
    expect(heard).toEqual(await numbers(store));
  });

  it('after a failed write, every commit fails and nothing is published', async () => {
    const heard: number[] = [];
    const store: Store = { ...memoryStore(), append: () => Promise.reject(new Error('full')) };
    const journal = new Journal(store, { run: 'r', publish: ({ seq }) => heard.push(seq) });
    for (let time = 0; time < 3; time += 1) await expect(journal.commit(resumed)).rejects.toThrow('full');
    await expect(journal.commit()).rejects.toThrow('full');
    expect(heard).toEqual([]);
  });
});

describe('a run that writes alone', () => {
  const event = (run: string): RunEvent[] => [{ ...resumed, run, seq: 1, at: 0 }];
  /** A direct writer, and the runs of each of its commits. */
  const writer = () => {
    const commits: string[][] = [];
    const { append } = gather((appends) => {
      commits.push(appends.map(({ events }) => events[0]?.event.run ?? ''));
      for (const { resolve } of appends) resolve();
    }, true);
    return { append, commits };
  };

  it('does not wait for others after its first commit, but lets timers run after a few', async () => {
    const { append, commits } = writer();
    const first = append(event('a'));
    expect(commits).toEqual([]);
    await first;
    let turns = 0;
    const count = setImmediate(function again() {
      turns += 1;
      if (turns < 100) setImmediate(again);
    });
    for (let time = 0; time < 20; time += 1) await append(event('a'));
    clearImmediate(count);
    expect(commits).toEqual(Array.from({ length: 21 }, () => ['a']));
    expect(turns).toBeGreaterThanOrEqual(3);
    await append(event('a'));
    void append(event('a'));
    expect(commits).toHaveLength(23);
  });

  it('guard: shares its commits again as soon as another run writes', async () => {
    const { append, commits } = writer();
    await append(event('a'));
    const other = append(event('b'));
    const own = append(event('a'));
    expect(commits).toEqual([['a']]);
    await Promise.all([other, own]);
    await Promise.all([append(event('a')), append(event('b'))]);
    expect(commits).toEqual([['a'], ['b', 'a'], ['a', 'b']]);
  });
});
