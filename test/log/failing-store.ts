import type { Store } from '../../src/log/store.ts';

/** `before`: nothing was written. `after`: it was, and the answer got lost. */
export type Failing = 'before' | 'after';

/** A store that fails on its n-th operation and on no other; `failed` says whether it came to that. */
export function failingStore(store: Store, n: number, how: Failing): Store & { readonly failed: () => boolean } {
  let count = 0;
  const turn = (): boolean => {
    count += 1;
    return count === n;
  };
  const fault = (): Error => new Error(`operation ${n} failed`);
  return {
    ...store,
    failed: () => count >= n,
    async append(events) {
      const fails = turn();
      if (fails && how === 'before') throw fault();
      await store.append(events);
      if (fails) throw fault();
    },
    async *read(run, after) {
      const fails = turn();
      if (fails && how === 'before') throw fault();
      yield* store.read(run, after);
      if (fails) throw fault();
    },
    async runs(query) {
      if (turn()) throw fault();
      return store.runs(query);
    },
  };
}
