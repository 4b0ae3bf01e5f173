/** Tells every listener. One that throws harms nobody else, and not the one who tells. */
export function callListeners<T>(listeners: Iterable<(what: T) => void>, what: T): void {
  for (const listener of listeners) {
    try {
      listener(what);
    } catch (error) {
      // Thrown where nobody waits, as an event emitter would, so that it is seen and the run goes on.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
