import { expect, it } from 'vitest';
import { abortable } from './abort.ts';

async function* waiting(signal: AbortSignal): AsyncGenerator<string> {
  yield 'one';
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  yield 'left';
}

it('leaving the loop while a value is pending returns immediately', async () => {
  const values = abortable(waiting, undefined)[Symbol.asyncIterator]();
  expect(await values.next()).toEqual({ done: false, value: 'one' });
  const next = values.next();
  await values.return?.();
  expect(await next).toEqual({ done: false, value: 'left' });
  expect((await values.next()).done).toBe(true);
});

it("ends with the caller's signal too", async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const value of abortable(waiting, stop.signal)) {
    seen.push(value);
    setTimeout(() => stop.abort(), 5);
  }
  expect(seen).toEqual(['one', 'left']);
});
