import { describe, expect, it } from 'vitest';
import { ConfigurationValidationError } from '../../src/tools/config-error.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { call, connect, odd, untilHanging } from './servers.ts';

describe('the tools that a server lists', () => {
  it("are read to the last page, under names with the server's prefix", async () => {
    const server = await connect(odd());
    const names = server.tools.map(({ name }) => name);
    expect(names).toContain('mcp__odd__weather');
    expect(names).toContain('mcp__odd__remove');
    expect(new Set(names).size).toBe(names.length);
    const bare = await connect(odd(), { prefix: '', include: ['weather'] });
    expect(bare.tools.map(({ name }) => name)).toEqual(['weather']);
  });

  it('F14 exclude one with a schema that points elsewhere, with its fault', async () => {
    const server = await connect(odd());
    expect(server.refused).toEqual([
      { name: 'mcp__odd__remote', faults: [expect.objectContaining({ message: expect.stringContaining('$ref') })] },
    ]);
    expect(server.tools.map(({ name }) => name)).not.toContain('mcp__odd__remote');
  });

  it("F8 can't slow the client down with a malicious pattern", async () => {
    const server = await connect(odd());
    const begun = process.cpuUsage();
    const { value } = await call(server, 'slow_pattern', { a: `${'a'.repeat(40)}!` });
    expect(process.cpuUsage(begun).user).toBeLessThan(1e6);
    expect(value).toMatchObject({ errorType: 'validation' });
  });

  it('get a description if they have none', async () => {
    const server = await connect(odd());
    const silent = server.tools.find(({ name }) => name === 'mcp__odd__silent');
    expect(silent?.description).toBe('silent, a tool of odd');
    expect((await call(server, 'silent')).text).toBe('Done.');
  });

  it("can't weaken an effect with hints unless the server is trusted", async () => {
    const of = async (trusted: boolean) => {
      const { tools } = await connect(odd(), { trusted, include: ['wipe', 'look'] });
      return tools.map(({ effect, repeat }) => `${effect} ${repeat}`);
    };
    expect(await of(false)).toEqual(['destructive once', 'write once']);
    expect(await of(true)).toEqual(['destructive once', 'read idempotent']);
  });

  it("are read despite lines that aren't messages", async () => {
    const server = await connect(odd('noisy'));
    expect((await call(server, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
  });
});

describe('calls', () => {
  it('C10 convert arrays and objects that arrived as text to the types of the schema', async () => {
    const server = await connect(odd());
    const { text, outcome } = await call(server, 'args', { tags: '["a", "b"]', at: "{'x': 1}" });
    expect(JSON.parse(text)).toEqual({ tags: ['a', 'b'], at: { x: 1 } });
    expect(outcome.status).toBe('mended');
  });

  it('C14 are checked with the schema as the server wrote it', async () => {
    const server = await connect(odd());
    const { value } = await call(server, 'args', { tags: [1, { a: 2 }] });
    expect(value).toMatchObject({ ok: false, errorType: 'validation', retryable: false });
  });

  it.each([
    ['failing', { errorType: 'logical', retryable: true, error: 'The disk is full' }],
    [
      'wrong_parameters',
      { errorType: 'validation', retryable: false, error: expect.stringContaining('not on the map') },
    ],
    ['broken', { errorType: 'runtime', retryable: true, error: expect.stringContaining('out of order') }],
    ['unreadable', { errorType: 'runtime', retryable: false, error: expect.stringContaining("can't be read") }],
    ['die', { errorType: 'runtime', retryable: true, error: expect.stringContaining('lost during the call') }],
  ])('S1.3 have a typed failure for %s', async (name, failed) => {
    const server = await connect(odd());
    const { value, result } = await call(server, name);
    expect(value).toMatchObject({ ok: false, ...failed });
    expect(result?.isError).toBe(true);
  });

  it('F16 shorten a long result, and fail for one that is longer than a message may be', async () => {
    const server = await connect(odd());
    const long = await call(server, 'long');
    expect(long.value).toMatchObject({ ok: true });
    expect(long.text.split('\n').length).toBeLessThan(2010);
    expect((await call(server, 'flood')).value).toMatchObject({ ok: false, errorType: 'runtime' });
    expect((await call(server, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
  });

  it('F6 fail without a crash for a result that is nested too deeply', async () => {
    const server = await connect(odd());
    const { value } = await call(server, 'deep');
    expect(value).toMatchObject({ ok: false, errorType: 'runtime', error: expect.stringContaining("can't be") });
    expect((await call(server, 'weather', { city: 'Ulm' })).text).toBe('Sun in Ulm');
  });

  it('keeps a result that violates its schema, and informs the model', async () => {
    const server = await connect(odd());
    const { value, text } = await call(server, 'unpromised');
    expect(value).toMatchObject({ ok: true, data: { structured: { n: 'x' } } });
    expect(text).toContain(
      "Note: The result does not match the tool's output schema: Field 'n' expected number, got string",
    );
  });

  it('F15 time out if a server never responds, and cancel the request', async () => {
    // Long enough for the call after it, which a busy machine takes its time for too.
    const server = await connect(odd(), { timeout: 2500 });
    const { value } = await call(server, 'hang');
    expect(value).toMatchObject({ ok: false, errorType: 'timeout' });
    expect(JSON.parse((await call(server, 'cancelled')).text)).toEqual([expect.stringContaining('2500 ms')]);
  });

  it('forward progress that arrives together with the response before the response', async () => {
    const server = await connect(odd());
    const seen: unknown[] = [];
    await call(server, 'hurry', {}, { live: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([{ done: 1 }, { done: 2 }]);
  });

  it('forwards an abort to the server', async () => {
    const server = await connect(odd());
    const control = new AbortController();
    const hanging = call(server, 'hang', {}, { signal: control.signal });
    await untilHanging(server, 1);
    control.abort(new Error('the user left'));
    expect((await hanging).value).toMatchObject({ ok: false, errorType: 'aborted' });
    expect(JSON.parse((await call(server, 'cancelled')).text)).toEqual([expect.stringContaining('the user left')]);
  });
});

describe('S3.4 settings', () => {
  it.each([
    ['a name no tool can bear', { name: 'a__b', command: 'x' }, {}, 'name'],
    ['neither command nor url', { name: 'a' }, {}, 'command'],
    ['both', { name: 'a', command: 'x', url: 'http://x' }, {}, 'command'],
    ['arguments in one text', { name: 'a', command: 'x', args: '-y server' }, {}, 'args'],
    ['a variable that is not set', { name: 'a', command: 'x', env: { TOKEN: undefined } }, {}, 'env'],
    ['a file for an address', { name: 'a', url: 'file:///etc/passwd' }, {}, 'url'],
    ['credentials in the address', { name: 'a', url: 'https://u:p@example.com' }, {}, 'url'],
    ['a header of two lines', { name: 'a', url: 'https://example.com', headers: { a: 'b\r\nc: d' } }, {}, 'headers'],
    ['a deadline of nothing', { name: 'a', command: 'x' }, { timeout: 0 }, 'timeout'],
    ['a list that is none', { name: 'a', command: 'x' }, { include: 'read_*' }, 'include'],
    ['a prefix with a space', { name: 'a', command: 'x' }, { prefix: 'my tool' }, 'prefix'],
  ])('S3.4 refuse %s when the server is created', async (_, settings, options, field) => {
    const error = await connect(settings as never, options as never).catch((thrown) => thrown);
    expect(ConfigurationValidationError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ configType: 'mcp', field });
  });

  it('S3.4 are checked when a tool is added', async () => {
    const settings = { ...odd() };
    const server = await connect(settings);
    const [tool] = server.tools;
    expect(tool?.executor?.check?.()).toEqual([]);
    Object.assign(settings, { command: '' });
    expect(() => new Toolbox([tool as never])).toThrow(/command is not a string/);
  });
});
