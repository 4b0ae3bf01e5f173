import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../terminal/layout.ts';
import { FlowingText } from './run-screen.ts';

function flowed(pieces: readonly string[], width: number): string {
  const text = new FlowingText(width);
  return pieces.map((piece) => text.take(piece)).join('') + text.end();
}

describe('FlowingText', () => {
  it('breaks between words, also where a word comes in pieces', () => {
    expect(flowed(['The app imp', 'orts a fi', 'le.'], 12)).toBe('The app \nimports a \nfile.\n');
    expect(flowed(['one\n', '\ntwo'], 12)).toBe('one\n\ntwo\n');
    expect(flowed(['日本語 日本語'], 8)).toBe('日本語 \n日本語\n');
  });

  it('loses no word, and keeps lines within the width where words allow it', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 7 }), (list, size) => {
        const text = list.join(' ');
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
        const out = flowed(pieces, 12);
        expect(out.split(/\s+/).filter(Boolean)).toEqual(list);
        for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(12);
      }),
    );
  });
});
