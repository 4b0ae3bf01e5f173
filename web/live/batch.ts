/** Interval between updates in milliseconds. */
export const drawEvery = 150;

/** Batches items: the first is delivered immediately, then at most one batch per `drawEvery`. */
export function batch<T>(give: (items: readonly T[]) => void): { add: (item: T) => void; stop: () => void } {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    if (items.length === 0) return;
    const given = items;
    items = [];
    timer = setTimeout(flush, drawEvery);
    give(given);
  };
  return {
    add: (item) => {
      items.push(item);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}
