import { describe, expect, it } from 'vitest';
import type { TurnError } from '../../model/index.ts';
import { defaultRetry, retryDelay } from './retry.ts';

const error = (more: Partial<TurnError> = {}): TurnError => ({ kind: 'server', message: '', retryable: true, ...more });

describe('the delay before a retry', () => {
  it('doubles, with chance in it, up to the longest', () => {
    const least = [0, 1, 2, 3].map((tries) => retryDelay(error(), tries, { ...defaultRetry, times: 9 }, 0));
    const most = [0, 1, 2, 20].map((tries) => retryDelay(error(), tries, { ...defaultRetry, times: 99 }, 1));
    expect(least).toEqual([250, 500, 1000, 2000]);
    expect(most).toEqual([500, 1000, 2000, 60_000]);
  });

  it('is what the provider asks, unless that is too long', () => {
    expect(retryDelay(error({ retryAfter: 1234 }), 0, defaultRetry)).toBe(1234);
    expect(retryDelay(error({ retryAfter: 60_001 }), 0, defaultRetry)).toBeUndefined();
  });

  it('is undefined for permanent errors, after the last retry, and for our own timeouts', () => {
    expect(retryDelay(error({ retryable: false }), 0, defaultRetry)).toBeUndefined();
    expect(retryDelay(error(), 3, defaultRetry)).toBeUndefined();
    expect(retryDelay(error({ kind: 'timeout', code: 'idle_timeout' }), 0, defaultRetry)).toBeUndefined();
    expect(retryDelay(error({ kind: 'timeout' }), 0, defaultRetry)).toBeDefined();
  });
});
