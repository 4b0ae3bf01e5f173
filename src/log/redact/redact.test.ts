import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { redactor } from './redact.ts';

const nested = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : JSON.stringify({ inner: nested(value, depth - 1), after: 'stays' });

const canary = 'Zq7-canary-93kd';

describe('F23 secrets are taken out', () => {
  const redact = redactor({ values: [canary], env: { MY_API_KEY: 'value-of-variable', HOME: '/home/me' } });

  it.each([
    ['a field named like one', { headers: { Authorization: 'abc' }, api_key: 'x', 'X-Api-Key': 'y' }],
    ['a known value in a path', `logs/${canary}.txt`],
    ['a known value in any text', `error at ${canary}: ${canary}`],
    ['a variable named like one', 'tried value-of-variable'],
    ['a field in JSON text', '{"path": "a", "password": "hun\\"ter2 abc"}'],
    ['a field in JSON text in JSON text', '{\\"password\\": \\"abcdefg\\"}'],
    [
      'a field in JSON text that is a field of JSON text',
      JSON.stringify({ body: JSON.stringify({ password: 'abcdefg' }) }),
    ],
    ['a field three texts deep', nested({ password: 'hun"ter2\\' }, 3)],
    ['a field without quotes', "{path: 'a', password: 'abcdefg',}"],
    ['a field that was cut off', '{"password": "abcdefg'],
    ['a key by its form', 'use sk-abcdefghijklmnopqrstuvwx now'],
    ['a bearer token', 'Authorization: Bearer abcdefghijklmnop'],
    ['a token in an address', 'GET https://x.test/a?api_key=abcdef&b=1'],
    ['a login in an address', 'postgres://me:secretword@db/x'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc_def'],
  ])('%s', (_, given) => {
    const clean = JSON.stringify(redact(given));
    expect(clean).toContain('[redacted]');
    for (const secret of [canary, 'value-of-variable', 'hun', 'ter2', 'abcdef', 'secretword', 'MIIabc']) {
      expect(clean).not.toContain(secret);
    }
  });

  it.each([
    [{ pin: 4711 }, { pin: '[redacted]' }],
    [{ body: '{"pin": 4711, "page": 2}' }, { body: '{"pin": "[redacted]", "page": 2}' }],
    [{ pin: { type: 'integer', description: 'The PIN' } }, { pin: { type: 'integer', description: 'The PIN' } }],
    [{ page: 4711 }, { page: 4711 }],
  ])('a number in a field that the program names: %o', (given, clean) => {
    expect(redactor({ fields: ['pin'] })(given)).toEqual(clean);
    expect(redactor()(given)).toEqual(given);
  });

  it('and the rest stays as it was, untouched in place', () => {
    const given = {
      path: 'a.ts',
      tokens: 5,
      note: 'the token count is 5',
      content: 'password policy',
      nested: [{ key: 'k' }],
    };
    const before = structuredClone(given);
    expect(redact(given)).toEqual(before);
    expect(given).toEqual(before);
  });

  it('and what follows a secret is left, at any depth', () => {
    for (const depth of [0, 1, 2, 3]) {
      const clean = redact(nested({ password: 'q"u\\o\\', next: 'left' }, depth));
      expect(clean).toBe(nested({ password: '[redacted]', next: 'left' }, depth));
    }
  });

  it('a field named __proto__ stays a field', () => {
    const clean = redact(JSON.parse('{"__proto__": {"password": "abc"}}'));
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"password":"[redacted]"}}');
  });

  it('in linear time, on hostile text', () => {
    for (const bad of [
      '"a":"',
      '\\"',
      'eyJaaaaaaaa.',
      'Bearer ',
      '://a:',
      '-----BEGIN ',
      '?a=',
      '"password": "\\',
      'password:',
      '\\\\',
    ]) {
      expect(cpuOf(() => redact(bad.repeat(100_000)))).toBeLessThan(2000);
    }
  });
});
