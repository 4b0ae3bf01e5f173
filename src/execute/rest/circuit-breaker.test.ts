import { describe, expect, it } from 'vitest';
import { breakerOf, CircuitBreaker } from './circuit-breaker.ts';

describe('S3.8 the breaker', () => {
  const limits = { failures: 2, cooldown: 1000 };

  it('opens after failures in a row, lets one request try when it has cooled, and closes with it', () => {
    let now = 0;
    const breaker = new CircuitBreaker(() => now);
    breaker.failed(limits);
    expect(breaker.enter(limits)).toBe(0);
    breaker.failed(limits);
    expect(breaker.enter(limits)).toBe(1000);
    now = 400;
    expect(breaker.enter(limits)).toBe(600);
    now = 1000;
    expect(breaker.enter(limits)).toBe(0);
    expect(breaker.enter(limits)).toBe(1000);
    breaker.succeeded();
    expect(breaker.enter(limits)).toBe(0);
    expect(breaker.enter(limits)).toBe(0);
  });

  it('opens again at once where the try fails, and waits for another where it was given up', () => {
    let now = 0;
    const breaker = new CircuitBreaker(() => now);
    for (const _ of [1, 2]) breaker.failed(limits);
    now = 1000;
    expect(breaker.enter(limits)).toBe(0);
    breaker.failed(limits);
    expect(breaker.enter(limits)).toBe(1000);
    now = 2000;
    expect(breaker.enter(limits)).toBe(0);
    breaker.left();
    expect(breaker.enter(limits)).toBe(0);
  });

  it('a success between failures keeps it closed', () => {
    const breaker = new CircuitBreaker(() => 0);
    for (const _ of [1, 2, 3]) {
      breaker.failed(limits);
      breaker.succeeded();
    }
    expect(breaker.enter(limits)).toBe(0);
  });

  it('is one for each origin, and only so many are kept', () => {
    const first = breakerOf('https://first.test');
    expect(breakerOf('https://first.test')).toBe(first);
    for (let n = 0; n < 1000; n += 1) breakerOf(`https://${n}.test`);
    expect(breakerOf('https://first.test')).not.toBe(first);
  });
});
