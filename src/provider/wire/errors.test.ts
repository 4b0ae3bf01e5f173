import { expect, it } from 'vitest';
import { kindStatus, statusKind } from './errors.ts';

it.each([
  [400, 'request', false],
  [401, 'request', false],
  [408, 'timeout', true],
  [429, 'rate_limit', true],
  [500, 'server', true],
  [503, 'server', true],
  [529, 'server', true],
  [200, 'protocol', false],
])('status %i is %s, retryable: %s', (status, kind, retryable) => {
  expect(statusKind(status)).toEqual({ kind, retryable, status });
});

it('converts a kind to a status and back', () => {
  for (const kind of ['request', 'rate_limit', 'server', 'timeout'] as const) {
    expect(statusKind(kindStatus[kind]).kind).toBe(kind);
  }
});
