import { describe, expect, it } from 'vitest';
import { retryAfter, retryWait } from './send.ts';

describe('S3.8 the wait before a request is sent again', () => {
  it('doubles, differs by chance, and has an end', () => {
    const settings = { times: 9, base: 100, longest: 1000 };
    expect([0, 1, 2, 3, 4].map((tries) => retryWait(tries, settings, undefined, 1))).toEqual([
      100, 200, 400, 800, 1000,
    ]);
    expect(retryWait(0, settings, undefined, 0)).toBe(50);
    expect(retryWait(9, settings)).toBeUndefined();
    expect(retryWait(0, false)).toBeUndefined();
    expect(retryWait(0, { times: 0 })).toBeUndefined();
  });

  it('is the one the service asks for, unless that is too long', () => {
    expect(retryWait(0, {}, 3000)).toBe(3000);
    expect(retryWait(0, { longest: 1000 }, 3000)).toBeUndefined();
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 4000],
    ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
    ['-5', undefined],
    ['1.5.2', undefined],
    ['soon', undefined],
  ])('Retry-After: %s', (said, wait) => {
    expect(retryAfter(new Headers({ 'retry-after': said }), 5000)).toBe(wait);
  });
});
