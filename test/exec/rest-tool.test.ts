import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RestSettings, restTool } from '../../src/execute/rest/rest-tool.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import type { InvokeOptions } from '../../src/run/invoke/types.ts';
import type { ToolDefinition } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { lived } from '../lived.ts';
import { until } from '../until.ts';
import { bodyOf, tinyServer } from './tiny-server.ts';

interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let origin = '';
let got: Got[] = [];
/** What the server does with its next requests; without any it answers with the request itself. */
let script: ((response: import('node:http').ServerResponse, request: import('node:http').IncomingMessage) => void)[] =
  [];

beforeAll(async () => {
  ({ origin } = await tinyServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await bodyOf(request).catch(() => '');
    const entry = { method, url, headers: headers as Record<string, string>, body };
    got.push(entry);
    const next = script.shift();
    if (next) next(response, request);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(entry));
  }));
});

const answers =
  (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): (typeof script)[number] =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

async function called(
  rest: Partial<RestSettings>,
  input: unknown = {},
  { options = {}, ...words }: Partial<ToolDefinition> & { options?: Partial<InvokeOptions> } = {},
) {
  got = [];
  const settings = { url: `${origin}/a`, allow: ['127.0.0.0/8'], breaker: false as const, ...rest };
  const tool = restTool({ name: 'ask', description: 'Asks', ...words, rest: settings });
  const call = { id: 'c1', name: 'ask', arguments: input };
  const invocation = await invoke(call, { toolbox: new Toolbox([tool]), ...options });
  const text = invocation.result?.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') ?? '';
  return { ...invocation, text };
}

describe('S3.8 a REST tool sends', () => {
  it('arguments in the path, encoded, so that none changes the address', async () => {
    await called({ url: `${origin}/users/{id}/files/{name}.txt` }, { id: 'a/b?c#d%2e', name: 'ü x' });
    expect(got[0]?.url).toBe('/users/a%2Fb%3Fc%23d%252e/files/%C3%BC%20x.txt');
    await called({ url: `${origin}/many/{ids}` }, { ids: [1, 'b,c'] });
    expect(got[0]?.url).toBe('/many/1,b%2Cc');
  });

  it.each([
    ['the way up', '..'],
    ['the same place', '.'],
    ['nothing', ''],
    ['null', null],
    ['an empty list', []],
    ['an object', { a: 1 }],
    ['half a character', '\ud800'],
  ])('and refuses %s there, unsent', async (_, id) => {
    const { value } = await called({ url: `${origin}/users/{id}`, method: 'DELETE' }, { id });
    expect(value).toMatchObject({ ok: false, errorType: 'validation', error: expect.stringContaining("Field 'id'") });
    expect(got).toEqual([]);
  });

  it('the query by names, by templates, and by the address itself; lists repeat, what is absent is left out', async () => {
    const input = { q: 'a&b=c', tags: ['x', 'y'], none: null, deep: { a: 1 } };
    await called({ url: `${origin}/a?v=1&q={q}&n={none}`, query: ['tags'] }, input);
    const { searchParams } = new URL(got[0]?.url ?? '', origin);
    expect([...searchParams]).toEqual([
      ['v', '1'],
      ['q', 'a&b=c'],
      ['tags', 'x'],
      ['tags', 'y'],
      ['deep', '{"a":1}'],
    ]);
    await called({ query: { find: 'title:{q}', size: 5, off: '{missing}' } }, { q: 'z' });
    expect(got[0]?.url).toBe('/a?find=title%3Az&size=5');
  });

  it('what nothing else takes as JSON, as a form, or in the query', async () => {
    const input = { id: 7, title: 'T', tags: ['a', 'b'], trace: 't1' };
    const rest = { url: `${origin}/notes/{id}`, method: 'POST' as const, headers: { 'X-Trace': 'n-{trace}' } };
    await called(rest, input);
    expect(got[0]).toMatchObject({ method: 'POST', url: '/notes/7', headers: { 'x-trace': 'n-t1' } });
    expect(got[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ title: 'T', tags: ['a', 'b'] });
    await called({ ...rest, body: 'form' }, input);
    expect(got[0]?.body).toBe('title=T&tags=a&tags=b');
    expect(got[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    await called({ ...rest, body: 'query' }, input);
    expect(got[0]).toMatchObject({ url: '/notes/7?title=T&tags=a&tags=b', body: '' });
    await called(
      { ...rest, body: { json: { note: { title: '{title}', by: 'me {id}', gone: '{x}' }, tags: '{tags}' } } },
      input,
    );
    expect(JSON.parse(got[0]?.body ?? '')).toEqual({ note: { title: 'T', by: 'me 7' }, tags: ['a', 'b'] });
  });

  it('no second header with an argument that ends the line', async () => {
    const { value } = await called({ headers: { 'X-A': '{a}' } }, { a: 'x\r\nX-Evil: 1' });
    expect(value).toMatchObject({ ok: false, errorType: 'validation' });
    expect(got).toEqual([]);
  });

  it('what the validator made of the arguments', async () => {
    const input = z.object({ at: z.string().transform((text) => new Date(text)), n: z.number().default(3) });
    await called({ query: ['at', 'n'] }, { at: '2026-01-02' }, { inputSchema: input });
    expect(got[0]?.url).toBe('/a?at=2026-01-02T00%3A00%3A00.000Z&n=3');
  });

  it('the key of the call where it writes, the same at each try', async () => {
    script = [answers(503), answers(200, '{}')];
    const retry = { base: 1 };
    await called({ method: 'POST', retry }, {}, { repeat: 'idempotent', options: { run: 'r1' } });
    expect(got.map(({ headers }) => headers['idempotency-key'])).toEqual(['r1/c1', 'r1/c1']);
    await called({}, {}, { effect: 'read', options: { run: 'r1' } });
    expect(got[0]?.headers['idempotency-key']).toBeUndefined();
    await called({ method: 'POST' });
    const once = got[0]?.headers['idempotency-key'];
    await called({ method: 'POST' });
    expect(once).toMatch(/.+\/c1$/);
    expect(got[0]?.headers['idempotency-key'], 'another call outside of a run is another wish').not.toBe(once);
  });
});

describe('S3.8 a REST tool says who asks', () => {
  it('by variables read at the call, and names one that is not set', async () => {
    const auth = { type: 'bearer', env: 'REST_TEST_TOKEN' } as const;
    const missing = await called({ auth });
    expect(missing.value).toMatchObject({ ok: false, errorType: 'runtime', retryable: false });
    expect(missing.text).toContain('the environment variable REST_TEST_TOKEN is not set');
    expect(got).toEqual([]);
    process.env.REST_TEST_TOKEN = 'tok-123\n';
    await called({ auth });
    expect(got[0]?.headers.authorization).toBe('Bearer tok-123');
    await called({ auth: { type: 'basic', user: 'me', env: 'REST_TEST_TOKEN' } });
    expect(got[0]?.headers.authorization).toBe(`Basic ${btoa('me:tok-123')}`);
    await called({ auth: [auth, { type: 'header', name: 'X-Key', prefix: 'Key ', env: 'REST_TEST_TOKEN' }] });
    expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer tok-123', 'x-key': 'Key tok-123' });
    delete process.env.REST_TEST_TOKEN;
  });
});

describe('S3.8 a REST tool gives', () => {
  it('JSON as a value, the part that matters, and the fields that matter', async () => {
    const body = JSON.stringify({ data: { 'a/b': [{ id: 1, name: 'x', more: 'z' }, { id: 2 }] } });
    script = [answers(200, body), answers(200, body), answers(200, body)];
    expect((await called({})).value).toEqual({ ok: true, data: JSON.parse(body) });
    const part = await called({ response: { at: '/data/a~1b', pick: ['id', 'name'] } });
    expect(part.value).toEqual({ ok: true, data: [{ id: 1, name: 'x' }, { id: 2 }] });
    const absent = await called({ response: { at: '/nothing' } });
    expect(absent.value).toMatchObject({
      data: JSON.parse(body),
      note: expect.stringContaining('nothing at /nothing'),
    });
  });

  it('F10 F11 F6 JSON that would change by reading as the text it is', async () => {
    for (const body of ['{"id": 12345678901234567890}', '{"a": 1, "a": 2}', '['.repeat(100_000), '{broken']) {
      script = [answers(200, body)];
      expect((await called({})).value).toEqual({ ok: true, data: body });
    }
  });

  it('text in its own charset, pictures, other bytes described, nothing as done', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    script = [
      answers(200, Buffer.from('gr\xfc\xdf', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' }),
      answers(200, png, { 'content-type': 'image/png' }),
      answers(200, png, { 'content-type': 'application/zip' }),
      answers(204),
      answers(200, '{"a":1}', { 'content-type': '' }),
    ];
    expect((await called({})).value).toEqual({ ok: true, data: 'grüß' });
    const media = { type: 'media', mediaType: 'image/png', source: { data: png.toString('base64') } };
    expect((await called({})).result?.content).toEqual([media]);
    expect((await called({})).text).toBe("The response is 8 bytes of application/zip, which can't be shown.");
    expect((await called({})).text).toBe('Done.');
    expect((await called({})).value).toEqual({ ok: true, data: { a: 1 } });
  });

  it('F16 as much of an endless answer as it takes, and takes no more of it', async () => {
    let sent = 0;
    let closed = false;
    script = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = (): void => {
          while (!closed && response.write('x'.repeat(65_536))) sent += 65_536;
        };
        response.on('drain', more).on('close', () => {
          closed = true;
        });
        more();
      },
    ];
    const { value } = await called({ response: { maxBytes: 100_000 } });
    expect(value).toMatchObject({ ok: true, data: 'x'.repeat(100_000), note: expect.stringContaining('truncated') });
    await until(() => closed);
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([
    [400, false, 'fix them'],
    [401, false, 'REST_TEST_SECRET'],
    [403, false, 'not permitted'],
    [404, false, 'exists'],
    [409, true, 'current state'],
    [422, false, 'Fix the arguments'],
    [429, true, 'Wait 7 seconds'],
    [500, true, 'The service failed'],
    [503, true, 'in 7 seconds'],
  ])('a failure for %i with what the service says and what to do', async (status, retryable, advice) => {
    process.env.REST_TEST_SECRET = 'a-secret';
    script = [answers(status, '{"error": {"message": "No such luck"}}', { 'retry-after': '7' })];
    const auth = { type: 'bearer', env: 'REST_TEST_SECRET' } as const;
    const { value, text } = await called(
      { auth, url: `${origin}/a/{id}`, retry: false },
      { id: 5 },
      { effect: 'read' },
    );
    expect(value).toMatchObject({ ok: false, errorType: 'logical', retryable, data: { status } });
    expect(text).toContain(`GET ${origin}/a/{id} returned ${status} `);
    expect(text).toContain(': No such luck');
    expect(text).toContain(advice);
    delete process.env.REST_TEST_SECRET;
  });

  it('all a service says of wrong arguments, and no page of markup', async () => {
    const errors = '{"title": "Invalid", "errors": [{"field": "name", "why": "too short"}]}';
    script = [answers(422, errors), answers(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' })];
    expect((await called({})).text).toContain('"why":"too short"');
    const markup = await called({ method: 'POST', retry: false });
    expect(markup.text).not.toContain('html');
    expect(markup.text).toContain('check before you repeat it');
  });
});

describe('S3.8 a REST tool asks again', () => {
  const retry = { times: 2, base: 5, longest: 2000 };
  const read = { effect: 'read' as const };

  it('after 5xx, 429, a reset and a timeout, where it reads', async () => {
    script = [answers(500), answers(429, '', { 'retry-after': '0' }), answers(200, '"there"')];
    expect((await called({ retry }, {}, read)).value).toEqual({ ok: true, data: 'there' });
    expect(got).toHaveLength(3);
    script = [(_, request) => request.socket.destroy(), () => {}, answers(200, '"there"')];
    expect((await called({ retry, timeout: 1500 }, {}, read)).value).toEqual({ ok: true, data: 'there' });
    expect(got).toHaveLength(3);
  });

  it('no sooner than the service wants, and not at all where that is too long', async () => {
    script = [answers(429, '', { 'retry-after': '1' }), answers(200, '1')];
    const begun = performance.now();
    await called({ retry }, {}, read);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    script = [answers(429, '', { 'retry-after': '60' }), answers(200, '1')];
    expect((await called({ retry }, {}, read)).text).toContain('Wait 60 seconds');
    expect(got).toHaveLength(1);
    script = [];
  });

  it.each(['GET', 'PUT', 'DELETE', 'POST'] as const)(
    'never what may be done twice: %s of a tool that writes once',
    async (method) => {
      script = [answers(503), answers(200, '1')];
      const { value } = await called({ retry, method });
      expect(value).toMatchObject({ ok: false, retryable: true });
      expect(got).toHaveLength(1);
      script = [];
    },
  );

  it('a write that timed out is not advised to be repeated where the tool says once', async () => {
    script = [() => {}, () => {}];
    const rest = { method: 'POST' as const, timeout: 100 };
    const once = await called(rest, {}, { repeat: 'once' });
    expect(once.value).toMatchObject({ errorType: 'runtime', retryable: false });
    expect(once.text).toContain('no complete response in time');
    expect(once.text).toContain('check before you repeat it');
    expect((await called(rest)).value).toMatchObject({ retryable: true });
  });

  it('not after 4xx, and no more often than configured', async () => {
    script = [answers(404), answers(200)];
    await called({ retry }, {}, read);
    expect(got).toHaveLength(1);
    script = [answers(500), answers(500), answers(500), answers(200)];
    expect((await called({ retry }, {}, read)).value).toMatchObject({ ok: false });
    expect(got).toHaveLength(3);
    script = [];
  });

  it('and stops at once when the caller leaves, also while it waits', async () => {
    const control = new AbortController();
    const leaves: (typeof script)[number] = (...asked) => {
      answers(500)(...asked);
      setTimeout(() => control.abort(new Error('enough')), 50);
    };
    script = [leaves, answers(200)];
    const slow = { times: 2, base: 20_000, longest: 20_000 };
    const calling = called({ retry: slow }, {}, { ...read, options: { signal: control.signal } });
    expect(await lived(() => calling)).toBeLessThan(5000);
    expect((await calling).value).toMatchObject({ ok: false, errorType: 'aborted' });
    script = [];
  });

  it('leaves a service alone that keeps failing, and says for how long', async () => {
    const breaker = { failures: 2, cooldown: 1500 };
    script = [answers(500), answers(500), answers(200, '"back"')];
    for (const _ of [1, 2]) await called({ breaker });
    const open = await called({ breaker });
    expect(open.value).toMatchObject({ ok: false, errorType: 'runtime', retryable: true });
    expect(open.text).toContain('kept failing');
    expect(got).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    expect((await called({ breaker })).value).toEqual({ ok: true, data: 'back' });
  });
});

describe('F21 a REST tool reaches no place it must not', () => {
  it('by a redirect of a service that is trusted', async () => {
    script = [answers(302, '', { location: 'http://169.254.169.254/latest/meta-data/' })];
    const { value, text } = await called({ allow: [new URL(origin).host] }, {}, { effect: 'read' });
    expect(value).toMatchObject({ ok: false, errorType: 'runtime', retryable: false });
    expect(text).toContain('metadata');
    expect(text).toContain('Do not repeat the call');
  });

  it('by definitions that were taken unchecked', async () => {
    for (const url of [
      'http://127.0.0.1:9/{id}',
      'http://localhost.:9/{id}',
      'http://{id}:9/',
      'http://[::1]:9/{id}',
    ]) {
      const tool = restTool({ name: 'ask', description: 'Asks', rest: { url, breaker: false } });
      const toolbox = new Toolbox([tool], { validate: false });
      const { value } = await invoke({ id: 'c', name: 'ask', arguments: { id: '127.0.0.1' } }, { toolbox });
      expect(value).toMatchObject({ ok: false, errorType: 'runtime' });
      expect(JSON.stringify(value)).toMatch(/loopback|fixed host/);
    }
  });
});
