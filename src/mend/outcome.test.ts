import { describe, expect, it } from 'vitest';
import { type ErrorType, errorTypes, isRetryable } from './outcome.ts';

describe('error types', () => {
  const table: [ErrorType, boolean][] = [
    ['validation', false],
    ['unknown_tool', false],
    ['truncated', false],
    ['denied', false],
    ['aborted', false],
    ['runtime', true],
    ['logical', true],
    ['timeout', true],
  ];
  it.each(table)('S1.3 %s is retryable: %s', (type, retryable) => {
    expect(isRetryable(type)).toBe(retryable);
  });

  it('S1.3 a timeout of a tool that says once is not to be repeated', () => {
    expect(isRetryable('timeout', { once: true })).toBe(false);
    expect(isRetryable('runtime', { once: true })).toBe(true);
  });

  it('S1.3 the table holds every type and no other', () => {
    expect(Object.keys(errorTypes).sort()).toEqual(table.map(([type]) => type).sort());
  });
});
