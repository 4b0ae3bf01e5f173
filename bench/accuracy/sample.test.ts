import { describe, expect, it } from 'vitest';
import { damages } from '../../test/damage/damages.ts';
import { sample } from './sample.ts';

describe('the sample', () => {
  it('is the same every time, with every kind of damage in it', () => {
    const once = sample(1);
    expect(JSON.stringify(sample(1))).toBe(JSON.stringify(once));
    expect(new Set(once.map(({ kind }) => kind))).toEqual(new Set(damages.map(({ name }) => name)));
  });
});
