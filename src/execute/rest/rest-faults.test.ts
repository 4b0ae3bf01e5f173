import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationValidationError, type Fault } from '../../tools/config-error.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { restTool } from './rest-tool.ts';

const url = 'https://api.test/users/{id}';

function faultsOf(rest: unknown): readonly Fault[] {
  const input = z.object({ id: z.string(), text: z.string().optional() });
  const made = restTool({ name: 'ask', description: 'Asks', inputSchema: input, rest: rest as never });
  try {
    new Toolbox([made]);
    return [];
  } catch (error) {
    if (!ConfigurationValidationError.isInstance(error)) throw error;
    return error.faults;
  }
}

describe('S3.4 the settings of a REST tool are checked when it is added', () => {
  it.each([
    ['an address alone', { url }],
    ['a port and a query', { url: 'https://api.test:8443/find?q={text}&size=5&id={id}' }],
    ['names of the query', { url, query: ['text'] }],
    ['templates of the query', { url, query: { q: '{text}', limit: 10, deep: true } }],
    ['a body as a form', { url, method: 'POST', body: 'form' }],
    ['a template of the body', { url, method: 'PUT', body: { json: { a: ['{text}'], b: 5 } } }],
    [
      'all that can be said',
      {
        url,
        method: 'POST',
        headers: { 'X-Trace': 'a-{text}' },
        auth: { type: 'bearer', env: 'API_TOKEN' },
        retry: { times: 0, base: 1, longest: 5 },
        timeout: 100,
        breaker: { failures: 1, cooldown: 5 },
        response: { at: '/a/b~1c', pick: ['d'], maxBytes: 100 },
        allow: ['localhost:3000', '10.0.0.0/8'],
        keyHeader: 'X-Key',
      },
    ],
    ['none of it', { url, retry: false, breaker: false, keyHeader: false }],
    [
      'several secrets',
      {
        url,
        auth: [
          { type: 'header', name: 'X-Key', env: 'A' },
          { type: 'basic', user: 'u', env: 'B' },
        ],
      },
    ],
    ['a trusted host that is not public', { url: 'http://localhost:3000/{id}', allow: ['localhost:3000'] }],
  ])('%s is sound', (_, rest) => {
    expect(faultsOf(rest)).toEqual([]);
  });

  it.each([
    ['no settings', undefined, 'rest', 'no settings'],
    ['a missing URL', {}, 'rest.url', 'no URL'],
    ['an unknown method', { url, method: 'FETCH' }, 'rest.method', 'rest.method is "FETCH"'],
    ['another protocol', { url: 'ftp://api.test/{id}' }, 'rest.url', 'is not a URL'],
    ['a relative address', { url: '/users/{id}' }, 'rest.url', 'is not a URL'],
    ['a fragment', { url: 'https://api.test/#{id}' }, 'rest.url', 'is not a URL'],
    ['an argument as the host', { url: 'https://{id}/a' }, 'rest.url', 'the host contains an argument'],
    ['an argument in the host', { url: 'https://{id}.api.test/a' }, 'rest.url', 'the host contains an argument'],
    ['an argument as the port', { url: 'https://api.test:{id}/a' }, 'rest.url', 'the host contains an argument'],
    ['braces that do not pair', { url: 'https://api.test/{id' }, 'rest.url', 'braces'],
    ['an empty placeholder', { url: 'https://api.test/{}' }, 'rest.url', 'braces'],
    ['a login in the address', { url: 'https://me:pass@api.test/{id}' }, 'rest.url', 'contains a login'],
    ['a key in the address', { url: 'https://api.test/{id}?api_key=abc' }, 'rest.url', 'secret in plain text'],
    ['an address that is not public', { url: 'http://127.0.0.1:3000/{id}' }, 'rest.url', 'loopback'],
    ['metadata', { url: 'http://169.254.169.254/{id}' }, 'rest.url', 'metadata'],
    ['localhost', { url: 'http://localhost/{id}' }, 'rest.url', 'loopback'],
    ['an argument that is not declared', { url: 'https://api.test/{idd}' }, 'rest.url', '{idd} is not an argument'],
    ['one in the query', { url, query: ['txt'] }, 'rest.query.txt', '{txt} is not an argument'],
    ['one in a header', { url, headers: { 'X-A': '{nope}' } }, 'rest.headers.X-A', '{nope} is not an argument'],
    [
      'one in the body',
      { url, method: 'POST', body: { json: { a: ['{nope} {text}'] } } },
      'rest.body.json.a[0]',
      '{nope}',
    ],
    ['one that goes nowhere', { url, method: 'POST', body: { json: {} } }, 'rest.body.json', "'text' is not used"],
    ['a header that is none', { url, headers: { 'X A': 'b' } }, 'rest.headers.X A', 'not a valid header name'],
    ['a header of the connection', { url, headers: { Host: 'b' } }, 'rest.headers.Host', 'set automatically'],
    ['a header that is no text', { url, headers: { 'X-A': 5 } }, 'rest.headers.X-A', 'not a string'],
    [
      'a header with a line end',
      { url, headers: { 'X-A': 'a\r\nb: c' } },
      'rest.headers.X-A',
      'not allowed in headers',
    ],
    ['a secret in a header', { url, headers: { 'X-Api-Key': 'canary' } }, 'rest.headers.X-Api-Key', 'plain text'],
    ['a query that is none', { url, query: 5 }, 'rest.query', 'rest.query is 5'],
    ['a body that is none', { url, body: 'xml' }, 'rest.body', 'rest.body is "xml"'],
    ['an unknown type of auth', { url, auth: { type: 'digest', env: 'A' } }, 'rest.auth.type', 'unknown type'],
    ['auth by query', { url, auth: { type: 'query', name: 'key', env: 'A' } }, 'rest.auth.type', 'ends up in logs'],
    ['auth without a variable', { url, auth: { type: 'bearer' } }, 'rest.auth.env', 'not a valid variable name'],
    [
      'a secret for a variable',
      { url, auth: { type: 'bearer', env: 'sk-canary' } },
      'rest.auth.env',
      'not a valid variable name',
    ],
    [
      'a secret beside it',
      { url, auth: { type: 'bearer', env: 'A', token: 'canary' } },
      'rest.auth.token',
      'does not exist',
    ],
    ['a login without a user', { url, auth: { type: 'basic', env: 'A' } }, 'rest.auth.user', 'needs a user'],
    [
      'a header without a name',
      { url, auth: [{ type: 'header', env: 'A' }] },
      'rest.auth[0].name',
      'not a valid header name',
    ],
    ['a number out of range', { url, retry: { times: 11 } }, 'rest.retry.times', 'is 11'],
    ['a number that is none', { url, timeout: '5s' }, 'rest.timeout', 'is "5s"'],
    ['no time', { url, timeout: 0 }, 'rest.timeout', 'is 0'],
    ['a breaker of none', { url, breaker: { failures: 0 } }, 'rest.breaker.failures', 'is 0'],
    ['a pointer that is none', { url, response: { at: 'data' } }, 'rest.response.at', 'not a JSON pointer'],
    ['fields that are no list', { url, response: { pick: 'id' } }, 'rest.response.pick', 'not a list'],
    ['an entry that opens nothing', { url, allow: ['http://a'] }, 'rest.allow[0]', 'neither a host nor'],
    ['an unknown setting', { url, timout: 5 }, 'rest.timout', 'is not known'],
    ['an inner one', { url, retry: { time: 5 } }, 'rest.retry.time', 'is not known'],
  ])('%s is a fault', (_, rest, field, message) => {
    const [fault, ...more] = faultsOf(rest);
    expect(fault).toMatchObject({ field, message: expect.stringContaining(message), fix: expect.stringMatching(/\w/) });
    expect(more).toEqual([]);
    expect(JSON.stringify(fault)).not.toContain('canary');
  });

  it('reports all faults at once, with a fix for each', () => {
    const faults = faultsOf({ url: 'https://api.test/{ID}', timout: 5, method: 'get', retry: { times: -1 } });
    expect(faults.map(({ field }) => field)).toEqual(['rest.timout', 'rest.method', 'rest.retry.times']);
    expect(faults[0]?.fix).toBe('Did you mean timeout?');
    expect(faultsOf({ url: 'https://api.test/{ID}' })[0]?.fix).toBe('Did you mean {id}?');
  });
});
