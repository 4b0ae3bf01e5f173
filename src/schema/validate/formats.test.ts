import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { formats } from './formats.ts';

const rows: [format: string, good: string[], bad: string[]][] = [
  [
    'date',
    ['2024-02-29', '1999-12-31'],
    ['2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '', '2024-01-01T00:00:00Z'],
  ],
  [
    'time',
    ['12:30:00Z', '23:59:60Z', '12:30:00.5+02:00'],
    ['12:30:00', '24:00:00Z', '12:60:00Z', '12:30:60Z', '12:30'],
  ],
  [
    'date-time',
    ['2024-01-01T00:00:00Z', '2024-01-01t00:00:00.123-05:00'],
    ['2024-01-01', '2024-01-01T00:00:00', '2024-02-30T00:00:00Z'],
  ],
  ['duration', ['P1D', 'PT1H30M', 'P2W', 'P1Y2M3DT4H5M6S'], ['P', 'PT', '1D', 'P1DT', 'P1W2D', 'P-1D']],
  [
    'email',
    ['a@b.co', 'first.last+tag@example.com', "o'neil@example.org"],
    ['a', '@b.co', 'a@', 'a b@c.de', '.a@b.co', 'a..b@c.de', 'a@b..c'],
  ],
  [
    'hostname',
    ['example.com', 'a', 'xn--bcher-kva.example', 'a.'],
    ['', '-a.com', 'a-.com', 'a..b', `${'a'.repeat(64)}.com`, 'a_b'],
  ],
  ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4.']],
  [
    'ipv6',
    ['::1', '::', '2001:db8::1', '::ffff:127.0.0.1', '1:2:3:4:5:6:7:8'],
    ['1::2::3', '12345::', '1:2:3', ':::', '1:2:3:4:5:6:7:8:9'],
  ],
  [
    'uri',
    ['https://example.com/a?b#c', 'mailto:a@b.co', 'urn:isbn:1', 'http://[::1]:80/', 'file:///tmp/x'],
    ['/a', 'example.com', 'http://', 'https://a b', 'http://a/%zz', 'http://a#b#c', 'http://[1]/'],
  ],
  ['uri-reference', ['/a', '#x', 'a/b?c', '', 'https://example.com'], ['a b', '\\a', '%1', 'a#b#c']],
  [
    'url',
    ['https://example.com', 'http://localhost:3000/x'],
    ['mailto:a@b.co', 'example.com', 'https://', 'javascript:alert(1)'],
  ],
  [
    'uuid',
    ['123e4567-e89b-12d3-a456-426614174000'],
    ['123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g'],
  ],
  ['regex', ['^a+$', '(?=a)', '\\d'], ['(', '[z-a]', '*']],
  ['json-pointer', ['', '/a/0', '/a~1b', '/~0'], ['a', '/~2', '/~']],
  ['relative-json-pointer', ['0', '1/a', '2#'], ['/a', '01', '-1', '1a']],
  ['byte', ['', 'YQ==', 'YWJj'], ['a', 'YQ=', 'Y Q=', 'YQ==YQ==']],
];

describe.each(rows)('format %s', (format, good, bad) => {
  const test = formats.get(format);

  it.each(good)('takes %j', (text) => expect(test?.(text)).toBe(true));
  it.each(bad)('refuses %j', (text) => expect(test?.(text)).toBe(false));
});

describe('formats', () => {
  it('F7 stay linear on long text', () => {
    const pieces = ['a', '1', '.', '-', ':', '/', '@', '%', '0-', 'a.', '/~1', 'P1'];
    for (const [name, test] of formats) {
      // A pattern is compiled, and RE2 says no by length before it works.
      if (name === 'regex') continue;
      for (const piece of pieces)
        expect(
          cpuOf(() => test(`${piece.repeat(200_000)}!`)),
          name,
        ).toBeLessThan(1000);
    }
  });
});
