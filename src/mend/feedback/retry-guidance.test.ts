import { describe, expect, it } from 'vitest';
import { retryGuidance } from './feedback.ts';

describe('retryGuidance', () => {
  it('S4.5 says read, fix, retry, do not give up, with an example, in under 150 tokens', () => {
    const text = retryGuidance();
    for (const words of ['Read the error', 'Fix', 'Retry', 'Do not give up', 'Example:']) expect(text).toContain(words);
    expect(text.length / 4).toBeLessThan(150);
    expect(retryGuidance({ attempts: 5 })).toContain('5 tries');
  });
});
