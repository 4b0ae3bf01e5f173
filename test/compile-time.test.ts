import { describe, expect, it } from 'vitest';
import { compileCost } from '../scripts/compile-time.ts';

describe('the types of many tools', () => {
  it('narrow to each of 200 tools, at a cost that grows with their number', { timeout: 60_000 }, () => {
    const [one, half, all] = [1, 100, 200].map((tools) => compileCost(tools));
    expect([one?.errors, half?.errors, all?.errors]).toEqual([[], [], []]);
    const [base = 0, hundred = 0, twoHundred = 0] = [one, half, all].map((cost) => cost?.instantiations);
    // The types of Zod and of the sources cost about 40,000 before the first tool.
    expect(base).toBeGreaterThan(1000);
    expect((twoHundred - base) / (hundred - base)).toBeLessThan(2.2);
    expect(twoHundred).toBeLessThan(260_000);
  });
});
