import { describe, expect, it } from 'vitest';
import { withErrorMessages } from './postgres-pool.ts';

const asked = (error: unknown) => withErrorMessages({ query: () => Promise.reject(error) }).query('SELECT 1');

describe('a database that does not answer', () => {
  it.each([
    [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'read ECONNRESET'],
    [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 'write EPIPE'],
    [Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ])('F19 is said in words: %s', async (cause, words) => {
    await expect(asked(cause)).rejects.toMatchObject({ message: `The database does not respond: ${words}`, cause });
  });

  it('F19 what the database itself says stays as it is', async () => {
    const said = Object.assign(new Error('disk full'), { code: '53100', severity: 'ERROR' });
    await expect(asked(said)).rejects.toBe(said);
  });
});
