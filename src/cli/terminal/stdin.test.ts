import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './stdin.ts';

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const all = async (text: string, size: number, longest?: number) => {
  const lines: (string | undefined)[] = [];
  for await (const some of readLines(chunks(Buffer.from(text), size), longest)) lines.push(...some);
  return lines;
};

describe('readLines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '"') });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 5 }), async (lines, size) => {
        expect(await all(lines.map((each) => `${each}\n`).join(''), size)).toEqual(lines);
      }),
    );
  });

  it('gives a last line without its end', async () => {
    expect(await all('a\nb', 1)).toEqual(['a', 'b']);
  });

  it('F25 gives undefined for a line that is too long, and goes on with the next', async () => {
    expect(await all(`a\n${'x'.repeat(50)}\nb\n`, 3, 10)).toEqual(['a', undefined, 'b']);
  });
});
