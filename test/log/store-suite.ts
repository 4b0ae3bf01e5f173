import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent, RunFact } from '../../src/log/events.ts';
import { type RunSummary, SequenceTaken, type Store } from '../../src/log/store.ts';

/** An event of a run, with any fact in it. */
export const event = (run: string, seq: number, fact: RunFact = { type: 'run.resumed' }): RunEvent =>
  ({ ...fact, run, seq, at: 1_000 + seq }) as RunEvent;

export async function all(store: Store, run: string, after?: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const one of store.read(run, after)) events.push(one);
  return events;
}

/** What every store must keep, whatever it is made of. */
export function storeSuite(name: string, open: () => Promise<Store>): void {
  describe(`${name}: a store`, () => {
    const opened: Store[] = [];
    const fresh = async (): Promise<Store> => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });

    it('gives back what was appended, in order, from any bookmark', async () => {
      const store = await fresh();
      await store.append([event('a', 1), event('a', 2)]);
      await store.append([event('b', 1)]);
      await store.append([event('a', 3)]);
      expect((await all(store, 'a')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect((await all(store, 'a', 2)).map(({ seq }) => seq)).toEqual([3]);
      expect(await all(store, 'none')).toEqual([]);
    });

    it('reads long runs whole', async () => {
      const store = await fresh();
      await store.append(Array.from({ length: 2500 }, (_, index) => event('a', index + 1)));
      expect((await all(store, 'a')).map(({ seq }) => seq)).toEqual(Array.from({ length: 2500 }, (_, at) => at + 1));
    });

    it('F20 a number that is there already is refused, and nothing of that append is kept', async () => {
      const store = await fresh();
      await store.append([event('a', 1), event('a', 2)]);
      await expect(store.append([event('a', 2), event('a', 3)])).rejects.toBeInstanceOf(SequenceTaken);
      expect((await all(store, 'a')).map(({ seq }) => seq)).toEqual([1, 2]);
    });

    it('F20 of two who write at once, one is refused and the other is kept', async () => {
      const store = await fresh();
      const tries = await Promise.allSettled([
        store.append([event('a', 1)]),
        store.append([event('a', 1), event('a', 2)]),
        store.append([event('b', 1)]),
      ]);
      expect(tries.filter(({ status }) => status === 'rejected').length).toBe(1);
      expect((await all(store, 'b')).length).toBe(1);
      expect((await all(store, 'a')).length).toBeGreaterThan(0);
    });

    it('guard: writes concurrent appends together, and fails only those that cannot be written', async () => {
      const store = await fresh();
      await store.append([event('taken', 1)]);
      const asked = [[event('a', 1)], [event('taken', 1)], [event('b', 1), event('b', 2)], [event('a', 2)], []];
      const tries = await Promise.allSettled(asked.map((events) => store.append(events)));
      expect(tries.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
      expect((tries[1] as PromiseRejectedResult).reason).toMatchObject({ run: 'taken', seq: 1 });
      expect((await all(store, 'a')).length + (await all(store, 'b')).length).toBe(4);
      expect((await store.runs()).map(({ run, seq }) => `${run} ${seq}`).sort()).toEqual(['a 2', 'b 2', 'taken 1']);
    });

    it('F12 NUL, lone surrogates and markup come back as they came', async () => {
      const store = await fresh();
      const text = '\u0000 \ud800 x \udc00 <script> \u2028 "\\';
      const fact: RunFact = { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text }] } };
      await store.append([event('a', 1, fact)]);
      expect(await all(store, 'a')).toEqual([event('a', 1, fact)]);
    });

    it('lists runs, the newest first, page by page', async () => {
      const store = await fresh();
      for (const [index, run] of ['a', 'b', 'c'].entries()) await store.append([{ ...event(run, 1), at: index * 10 }]);
      await store.append([{ ...event('a', 2), at: 100 }]);
      expect(await store.runs({ limit: 2 })).toEqual([
        { run: 'a', startedAt: 0, updatedAt: 100, seq: 2 },
        { run: 'c', startedAt: 20, updatedAt: 20, seq: 1 },
      ]);
      expect((await store.runs({ before: 20 })).map(({ run }) => run)).toEqual(['b']);
    });

    it('loses no run between two pages, however many have the same time', async () => {
      const store = await fresh();
      const ids = Array.from({ length: 9 }, (_, index) => `p${(index * 7) % 9}`);
      await store.append(ids.map((run, index) => ({ type: 'run.resumed', run, seq: 1, at: index < 7 ? 5 : 6 })));
      const pages: string[] = [];
      for (let after: RunSummary | undefined; ; ) {
        const page: readonly RunSummary[] = await store.runs({ limit: 2, before: 7, ...(after && { after }) });
        pages.push(...page.map(({ run }) => run));
        after = page.at(-1);
        if (page.length < 2) break;
      }
      expect(pages).toEqual((await store.runs({ before: 7 })).map(({ run }) => run));
      expect(pages.toSorted()).toEqual(ids.toSorted());
    });

    it('forgets a run on demand', async () => {
      const store = await fresh();
      await store.append([event('a', 1), event('a', 2)]);
      await store.remove('a');
      expect(await all(store, 'a')).toEqual([]);
      expect(await store.runs()).toEqual([]);
    });

    it('lets nobody write to a deleted run, but lets a run of its id start', async () => {
      const store = await fresh();
      await store.append([event('a', 1), event('a', 2)]);
      await store.remove('a');
      const others = [store.append([event('b', 1)]), store.append([event('a', 3)]), store.append([event('c', 1)])];
      const [b, a, c] = await Promise.allSettled(others);
      expect([b?.status, c?.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(a).toMatchObject({ status: 'rejected', reason: { code: 'unknown_run' } });
      expect(await all(store, 'a')).toEqual([]);
      await store.append([event('a', 1)]);
      expect(await all(store, 'a')).toEqual([event('a', 1)]);
    });
  });
}
