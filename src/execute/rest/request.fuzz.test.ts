import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { hasCode } from '../../json/toolmend-error.ts';
import { type RestRequest, restRequest } from './request.ts';
import { urlTemplate } from './template.ts';

const template = urlTemplate('https://api.test/v1/{a}/x-{b}/end?q={c}');
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '../..',
    '/',
    '\\',
    '//evil.test',
    '@evil.test',
    '?',
    '#',
    '\r\n',
    '\ud800',
    '{b}',
  ),
);

function made(input: Record<string, unknown>): RestRequest | undefined {
  try {
    if (!template) throw new Error('the template is sound');
    return restRequest({ url: '', method: 'POST', headers: { 'x-d': '{d}' } }, template, input);
  } catch (error) {
    if (hasCode(error, 'invalid_input')) return undefined;
    throw error;
  }
}

describe('F21 whatever the arguments are', () => {
  it('the address keeps its origin and its steps, and each argument arrives whole where it belongs', () => {
    fc.assert(
      fc.property(text, text, text, text, text, (a, b, c, d, e) => {
        const request = made({ a, b, c, d, e });
        if (!request) return;
        const { origin, pathname, searchParams, hash } = request.url;
        expect({ origin, hash }).toEqual({ origin: 'https://api.test', hash: '' });
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', a, `x-${b}`, 'end']);
        expect([...searchParams]).toEqual([['q', c]]);
        expect(request.headers.get('x-d')).toBe(d.replace(/^[\t ]+|[\t ]+$/g, ''));
        expect(JSON.parse(request.body ?? '')).toEqual({ e });
      }),
      { numRuns: runs(2000) },
    );
  });

  it('what is refused could not have been sent', () => {
    fc.assert(
      fc.property(text, (a) => {
        if (made({ a, b: 'b', c: 'c', d: 'd' })) return;
        expect(a === '' || a === '.' || a === '..' || !a.isWellFormed()).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });
});
