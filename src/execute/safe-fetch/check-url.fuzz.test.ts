import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { checkUrl } from './check-url.ts';
import { trustOf } from './trust.ts';

const none = trustOf([]);
const byte = fc.integer({ min: 0, max: 255 });
/** The first numbers of an address that is not public. */
const inside = fc.constantFrom(
  [127],
  [10],
  [0],
  [169, 254],
  [192, 168],
  [172, 16],
  [172, 31],
  [100, 64],
  [100, 127],
  [224],
  [255],
);
const address = fc.tuple(inside, byte, byte, byte).map(([first, ...rest]) => [...first, ...rest].slice(0, 4));

/** Ways to write four numbers as a host. */
const spellings: readonly ((bytes: readonly number[]) => string)[] = [
  (bytes) => bytes.join('.'),
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => String(asNumber(bytes)),
  (bytes) => `0x${asNumber(bytes).toString(16)}`,
  (bytes) => bytes.map((one) => `0${one.toString(8)}`).join('.'),
  (bytes) => bytes.map((one) => `0X${one.toString(16)}`).join('.'),
  (bytes) => `${bytes[0]}.${asNumber([0, ...bytes.slice(1)])}`,
  (bytes) => bytes.map((one) => `%3${String(one).split('').join('%3')}`).join('%2e'),
  (bytes) => `[::ffff:${bytes.join('.')}]`,
  (bytes) => `[0:0:0:0:0:ffff:${groups(bytes)}]`,
  (bytes) => `[::${groups(bytes)}]`,
  (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  (bytes) => `[2002:${groups(bytes)}::1]`,
];
const asNumber = (bytes: readonly number[]): number => bytes.reduce((sum, one) => sum * 256 + one, 0);
const groups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

describe('F21 an address that is not public', () => {
  it('is blocked however it is written', () => {
    fc.assert(
      fc.property(address, fc.constantFrom(...spellings), fc.constantFrom('http', 'https'), (bytes, spell, scheme) => {
        const url = new URL(`${scheme}://${spell(bytes)}/`);
        expect(() => checkUrl(url, none), url.href).toThrow(/only public addresses/);
      }),
      { numRuns: runs(3000) },
    );
  });
});
