/**
 * Lets so many in at once, and one at least; the rest wait in their order. What it gives must be called when the work is
 * over.
 */
export function semaphore(room: number): () => Promise<() => void> {
  let free = Math.max(1, room);
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
}
