import { describe, expect, it } from 'vitest';
import { damages } from '../../test/damage/damages.ts';
import { sample } from './sample.ts';

describe('the sample', () => {
  it('is the same every time, with every kind of damage in it', () => {
    expect(JSON.stringify(sample(1))).toBe(JSON.stringify(sample(1)));
    expect(new Set(sample(1).map(({ kind }) => kind))).toEqual(new Set(damages.map(({ name }) => name)));
  });
});
