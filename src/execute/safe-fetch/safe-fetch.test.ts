import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTcp } from 'node:net';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, tinyServer } from '../../../test/exec/tiny-server.ts';
import { blockedRange } from './check-url.ts';
import { FetchError } from './fetch-error.ts';
import { type SafeFetchOptions, safeFetch } from './safe-fetch.ts';

let origin = '';
let other = '';
let port = 0;
let hits = 0;

beforeAll(async () => {
  ({ origin, port } = await tinyServer(async (request, response) => {
    hits += 1;
    const url = new URL(request.url ?? '/', origin);
    const to = url.searchParams.get('to');
    if (url.pathname === '/redirect') {
      response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to ?? '' }).end();
    } else if (url.pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (url.pathname === '/silent') return;
    else if (url.pathname === '/drip') response.write('first');
    else if (url.pathname === '/reset') request.socket.destroy();
    else if (url.pathname === '/gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
    } else
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body: await bodyOf(request) }));
  }));
  ({ origin: other } = await tinyServer((request, response) => response.end(JSON.stringify(request.headers))));
});

const failed = async (address: string, options?: SafeFetchOptions): Promise<FetchError> => {
  const error = await safeFetch(address, options).then(
    () => expect.fail(`${address} was fetched`),
    (thrown: unknown) => thrown,
  );
  expect(FetchError.isInstance(error), String(error)).toBe(true);
  return error as FetchError;
};

describe('F21 an address is blocked', () => {
  it.each([
    ['loopback', 'http://127.0.0.1/'],
    ['any loopback', 'http://127.9.9.9/'],
    ['in decimal', 'http://2130706433/'],
    ['in octal', 'http://0177.0.0.1/'],
    ['in hexadecimal', 'http://0x7f.0x0.0x0.0x1/'],
    ['shortened', 'http://127.1/'],
    ['with a dot at its end', 'http://127.0.0.1./'],
    ['in digits of another script', 'http://①②⑦.0.0.1/'],
    ['unspecified', 'http://0.0.0.0/'],
    ['unspecified and short', 'http://0/'],
    ['private, 10', 'http://10.1.2.3/'],
    ['private, 172', 'http://172.31.255.255/'],
    ['private, 192', 'http://192.168.0.1/'],
    ['link-local', 'http://169.254.1.1/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata of another cloud', 'http://100.100.100.200/'],
    ['metadata on a public address', 'http://168.63.129.16/'],
    ['CGNAT', 'http://100.64.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 unspecified', 'http://[::]/'],
    ['IPv6 metadata', 'http://[fd00:ec2::254]/'],
    ['IPv6 private', 'http://[fc00::1]/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['IPv6 multicast', 'http://[ff02::1]/'],
    ['mapped', 'http://[::ffff:127.0.0.1]/'],
    ['mapped in hexadecimal', 'http://[::ffff:a9fe:a9fe]/'],
    ['mapped, though public', 'http://[::ffff:8.8.8.8]/'],
    ['compatible', 'http://[::127.0.0.1]/'],
    ['NAT64', 'http://[64:ff9b::a9fe:a9fe]/'],
    ['NAT64 of a network', 'http://[64:ff9b:1::a9fe:a9fe]/'],
    ['6to4', 'http://[2002:7f00:1::]/'],
    ['Teredo', 'http://[2001:0:7f00:1::]/'],
    ['documentation', 'http://[2001:db8::1]/'],
    ['localhost', 'http://localhost/'],
    ['localhost with a dot', 'http://localhost./'],
    ['a name below localhost', 'http://app.localhost/'],
    ['localhost in capitals', 'http://LOCALHOST/'],
    ['a login before it', 'http://example.com@127.0.0.1/'],
    ['a login before a public one', 'http://user:word@example.com/'],
    ['a port that is not the web', 'http://example.com:22/'],
  ])('%s: %s', async (_, address) => {
    expect((await failed(address)).kind).toBe('blocked');
  });

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'gopher://example.com/', 'data:text/plain,hi', 'nonsense'])(
    'only http and https: %s',
    async (address) => {
      expect((await failed(address)).kind).toBe('invalid');
    },
  );

  it('by what its name leads to, and nothing is connected', async () => {
    hits = 0;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const error = await failed(`http://innocent.test:${port}/`, { resolve });
    expect(error.message).toMatch(/innocent\.test resolves to 127\.0\.0\.1, which is loopback/);
    expect(hits).toBe(0);
  });

  it.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450::1'])(
    'but a public one is not: %s',
    (address) => {
      expect(blockedRange(address)).toBeUndefined();
    },
  );

  it('where one of several addresses is bad', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '::ffff:10.0.0.1', family: 6 },
    ];
    expect((await failed('http://mixed.test/', { resolve })).kind).toBe('blocked');
  });

  it('when DNS changes between two lookups: it resolves once, and connects to that address', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [asked === 1 ? { address: '192.0.9.1', family: 4 } : { address: '127.0.0.1', family: 4 }];
    };
    hits = 0;
    const rebinding = failed(`http://rebinding.test:${port}/`, { resolve, connectTimeout: 300 });
    expect((await rebinding).kind).not.toBe('blocked');
    expect(asked).toBe(1);
    expect(hits).toBe(0);
    // The next request looks the name up anew, and is refused.
    expect((await failed(`http://rebinding.test:${port}/`, { resolve })).kind).toBe('blocked');
    expect(hits).toBe(0);
  });

  it.each([
    'http://169.254.169.254/latest/',
    'http://[::ffff:169.254.169.254]/',
    'http://localhost.:80/',
    'file:///etc/passwd',
  ])('behind a redirect: %s', async (to) => {
    const error = await failed(`${origin}/redirect?to=${encodeURIComponent(to)}`, { allow: [`127.0.0.1:${port}`] });
    expect(['blocked', 'invalid']).toContain(error.kind);
  });
});

describe('F21 what the configuration trusts is open', () => {
  const open = async (address: string, allow: string[], resolve?: SafeFetchOptions['resolve']) =>
    (await safeFetch(address, { allow, ...(resolve && { resolve }) })).status;
  const home = async () => [{ address: '127.0.0.1', family: 4 }];

  it('a host and port, a range, an address, a name, a wildcard', async () => {
    expect(await open(origin, [`127.0.0.1:${port}`])).toBe(200);
    expect(await open(origin, ['127.0.0.0/8'])).toBe(200);
    expect(await open(origin, ['127.0.0.1'])).toBe(200);
    expect(await open(`http://api.test:${port}`, ['API.test.'], home)).toBe(200);
    expect(await open(`http://api.test.:${port}`, ['api.test'], home)).toBe(200);
    expect(await open(`http://a.api.test:${port}`, ['*.api.test'], home)).toBe(200);
    expect(await open(`http://api.test:${port}`, ['127.0.0.0/8'], home)).toBe(200);
  });

  it('and nothing beside it', async () => {
    const refuses = async (address: string, allow: string[]) => (await failed(address, { allow, resolve: home })).kind;
    expect(await refuses(origin, [`127.0.0.1:${port + 1}`])).toBe('blocked');
    expect(await refuses(`http://api.test:${port}`, ['*.api.test'])).toBe('blocked');
    expect(await refuses(`http://evilapi.test:${port}`, ['*.api.test', 'api.test'])).toBe('blocked');
    expect(await refuses(`http://api.test.evil.test:${port}`, ['api.test'])).toBe('blocked');
  });

  it.each(['', '*', 'a b', 'http://a.test', 'a.test/path', '10.0.0.0/33', '*.10.0.0.1', 'user@a.test'])(
    'an entry that can not be read is an error: %j',
    async (entry) => {
      await expect(safeFetch(origin, { allow: [entry] })).rejects.toThrow(/expected a host/);
    },
  );
});

describe('safeFetch', () => {
  const trusted = { allow: ['127.0.0.0/8'] };

  it('sends a method, headers and a body', async () => {
    const response = await safeFetch(`${origin}/echo`, {
      ...trusted,
      method: 'post',
      headers: { 'X-One': '1' },
      body: 'héllo',
    });
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'héllo', headers: { 'x-one': '1' } });
    expect(response.url).toBe(`${origin}/echo`);
  });

  it('F23 keeps credentials at their origin when it follows a redirect', async () => {
    const headers = { Authorization: 'Bearer canary', Cookie: 'canary', 'X-Api-Key': 'canary', Accept: 'text/plain' };
    const away = await safeFetch(`${origin}/redirect?to=${other}/`, { ...trusted, headers });
    expect(away.url).toBe(`${other}/`);
    const got = await away.text();
    expect(got).not.toContain('canary');
    expect(got).toContain('text/plain');
    const near = await safeFetch(`${origin}/redirect?to=/echo`, { ...trusted, headers });
    expect(await near.text()).toContain('Bearer canary');
  });

  it('a redirected write becomes a read, is repeated at its origin, and goes nowhere else', async () => {
    const write = { ...trusted, method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const read = await safeFetch(`${origin}/redirect?status=303&to=/echo`, write);
    expect(await read.json()).toMatchObject({ method: 'GET', body: '' });
    const again = await safeFetch(`${origin}/redirect?status=307&to=/echo`, write);
    expect(await again.json()).toMatchObject({ method: 'POST', body: '{}' });
    expect((await failed(`${origin}/redirect?status=308&to=${other}/`, write)).kind).toBe('redirect');
    const remove = { ...trusted, method: 'DELETE' };
    expect((await failed(`${origin}/redirect?status=308&to=${other}/`, remove)).kind).toBe('redirect');
  });

  it('F25 a loop of redirects ends', async () => {
    hits = 0;
    expect((await failed(`${origin}/loop`, { ...trusted, maxRedirects: 3 })).message).toContain('more than 3');
    expect(hits).toBe(4);
  });

  it('ends at its deadline, before headers and within the body', async () => {
    expect((await failed(`${origin}/silent`, { ...trusted, timeout: 100 })).kind).toBe('timeout');
    const dripping = await safeFetch(`${origin}/drip`, { ...trusted, timeout: 1500 });
    await expect(dripping.text()).rejects.toMatchObject({ kind: 'timeout' });
  });

  it('ends at once with its signal, and gives its reason', async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(new Error('enough')), 50);
    await expect(safeFetch(`${origin}/silent`, { ...trusted, signal: control.signal })).rejects.toThrow('enough');
    await expect(safeFetch(`${origin}/`, { ...trusted, signal: control.signal })).rejects.toThrow('enough');
  });

  it('a connection that does not come about ends too', async () => {
    const silent = createTcp();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port: mute } = silent.address() as { port: number };
    // TLS never answers here, so that the connection is made and never ready.
    const error = await failed(`https://127.0.0.1:${mute}/`, { ...trusted, connectTimeout: 100 });
    expect(error.message).toContain('no connection within 100 ms');
    silent.close();
  });

  it('F23 tells a broken connection by its host, without the rest of the address', async () => {
    const reset = await failed(`${origin}/reset?token=canary`, trusted);
    expect(reset).toMatchObject({ kind: 'network', systemCode: 'ECONNRESET' });
    expect(reset.message).not.toContain('canary');
    expect((await failed('http://127.0.0.1:1/', { allow: ['127.0.0.1'] })).message).toContain(
      'the connection was refused',
    );
  });

  it('decompresses a compressed response', async () => {
    expect(await (await safeFetch(`${origin}/gzip`, trusted)).text()).toBe('unpacked');
  });

  it('uses no proxy of the environment', async () => {
    let proxied = 0;
    const proxy = await tinyServer((_, response) => {
      proxied += 1;
      response.end('proxied');
    });
    const source = pathToFileURL(`${import.meta.dirname}/safe-fetch.ts`);
    const code = `const { safeFetch } = await import('${source}');
      console.log((await safeFetch('${origin}/echo', { allow: ['127.0.0.1'] })).status);`;
    const env = {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      NO_PROXY: '',
    };
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env });
    let said = '';
    child.stdout.on('data', (piece) => {
      said += piece;
    });
    await once(child, 'close');
    expect({ said: said.trim(), proxied }).toEqual({ said: '200', proxied: 0 });
  });
});
