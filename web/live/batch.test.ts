import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batch, drawEvery } from './batch.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('gives the first away at once, and what follows together, at most every 150 ms', () => {
  const given: (readonly number[])[] = [];
  const { add } = batch<number>((items) => given.push(items));
  add(1);
  expect(given).toEqual([[1]]);
  for (const item of [2, 3, 4]) add(item);
  vi.advanceTimersByTime(drawEvery - 1);
  expect(given).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(given).toEqual([[1], [2, 3, 4]]);
  vi.advanceTimersByTime(10 * drawEvery);
  add(5);
  expect(given).toEqual([[1], [2, 3, 4], [5]]);
});

it('draws a long stream no oftener than that', () => {
  let draws = 0;
  const { add } = batch(() => draws++);
  for (let passed = 0; passed < 3000; passed += 5) {
    add(passed);
    vi.advanceTimersByTime(5);
  }
  expect(draws).toBeLessThanOrEqual(3000 / drawEvery + 1);
});

it('gives nothing more once it is stopped', () => {
  const given: unknown[] = [];
  const { add, stop } = batch((items) => given.push(items));
  add(1);
  add(2);
  stop();
  vi.advanceTimersByTime(1000);
  expect(given).toEqual([[1]]);
});
