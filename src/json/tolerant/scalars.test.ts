import { expect, it } from 'vitest';
import { readScalar } from './scalars.ts';

it.each([
  ['true', true, undefined],
  ['null', null, undefined],
  ['-1.5e3', -1500, undefined],
  ['0', 0, undefined],
  ['True', true, 'literal'],
  ['None', null, 'literal'],
  ['undefined', null, 'literal'],
  ['NaN', 'NaN', 'literal'],
  ['-Infinity', '-Infinity', 'literal'],
  ['+5', 5, 'number'],
  ['5.', 5, 'number'],
  ['.5', 0.5, 'number'],
  ['007', '007', 'quote'],
  ['1_000', 1000, 'number'],
  ['0xFF', 255, 'number'],
  ['-0b11', -3, 'number'],
  ['0o17', 15, 'number'],
])('%s is %j', (text, value, repair) => {
  const scalar = readScalar(text);
  expect(scalar?.value).toBe(value);
  expect(scalar?.repair).toBe(repair);
});

it('guard: 0x_ff is 255', () => expect(readScalar('0x_ff')).toMatchObject({ value: 255, repair: 'number' }));

it.each([
  '',
  'yes',
  'trueish',
  '5px',
  '1,000',
  '1.2.3',
  '0x',
  '0b12',
  '--5',
  'e5',
  '5e',
  'toString',
  '١٢',
  '1__0',
  '1_',
  '0x1__0',
  '0x1_',
  '0b_',
])('%j is text', (text) => {
  expect(readScalar(text)).toBeUndefined();
});

it.each([
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890.0',
  '0x20000000000001',
  '9_007_199_254_740_993',
  '1e999',
])('F10 %s is kept as its literal', (text) => expect(readScalar(text)).toMatchObject({ value: text, unsafe: true }));

it('F10 a large number that is written as one is a number', () => {
  expect(readScalar('9007199254740991')).toMatchObject({ value: 9007199254740991 });
  expect(readScalar('1e21')).toMatchObject({ value: 1e21 });
  expect(readScalar('1e21')?.unsafe).toBeUndefined();
});
