import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseModel } from '../../src/cli/launch/choose-model.ts';
import { findUpstream, localServers, type SearchOptions } from '../../src/cli/launch/find-upstream.ts';
import { freePort } from '../free-port.ts';
import { closeAll, open } from '../proxy/around.ts';
import { type FakeServer, llama, lmStudio, ollama, plain, serve, vllm } from './model-servers.ts';

afterEach(closeAll);

const find = (options: Partial<SearchOptions>) => findUpstream({ env: {}, places: [], ...options });
const refusal = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);

/** Places to probe, in the order of `localServers`; undefined for a server that doesn't run. */
async function places(...fakes: (FakeServer | undefined)[]): Promise<NonNullable<SearchOptions['places']>> {
  return Promise.all(
    localServers.map(async (place, index) => {
      const fake = fakes[index];
      return { ...place, url: fake ? (await serve(fake)).url : `http://127.0.0.1:${await freePort()}` };
    }),
  );
}

const web = plain({ 'GET /': [200, { hello: 'world' }] });
const cards = [
  { id: 'text-embedding-nomic', type: 'embeddings', state: 'loaded', max_context_length: 2048 },
  { id: 'gemma-3', type: 'vlm', state: 'not-loaded', max_context_length: 131_072 },
  { id: 'qwen3-coder', type: 'llm', state: 'loaded', max_context_length: 262_144, loaded_context_length: 40_000 },
];

describe('a server on this machine', () => {
  it.each<[string, FakeServer, number]>([
    ['Ollama', ollama({ 'qwen3:30b': {} }), 0],
    ['llama-server', llama('qwen.gguf', 32_768), 1],
    ['LM Studio', lmStudio(cards), 2],
    ['vLLM', vllm('Qwen/Qwen3', 40_960), 3],
  ])('is detected: %s', async (name, fake, at) => {
    const all = await places(...Array.from({ length: at }, () => undefined), fake);
    expect(await find({ places: all })).toMatchObject({ name, url: all[at]?.url, headers: {}, hosted: false });
  });

  it('is skipped if another program uses its port', async () => {
    const all = await places(undefined, web, undefined, vllm('m', 1000));
    expect((await find({ places: all })).name).toBe('vLLM');
  });

  it('is preferred if it has models, and if it has the wanted one', async () => {
    const all = await places(ollama({}), llama('a.gguf', 1000), lmStudio(cards), vllm('Qwen/Qwen3', 1000));
    expect((await find({ places: all })).name).toBe('llama-server');
    expect((await find({ places: all, model: 'Qwen/Qwen3' })).name).toBe('vLLM');
  });

  it('delays the others by its timeout only, if it accepts connections and never responds', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    open.push(silent);
    const [first, ...others] = await places(undefined, llama('a.gguf', 1000));
    const stuck = {
      ...(first as (typeof localServers)[0]),
      url: `http://127.0.0.1:${Reflect.get(silent.address() ?? {}, 'port')}`,
    };
    const patience = { configured: 5000, probed: 200 };
    expect((await find({ places: [stuck, ...others], patience })).name).toBe('llama-server');
  });

  const locked: FakeServer = plain({ 'GET /v1/models': [401, { error: 'Unauthorized' }] });

  it('is skipped if it requires a key, and another one does not', async () => {
    const all = await places(undefined, locked, undefined, vllm('m', 1000));
    expect((await find({ places: all })).name).toBe('vLLM');
  });

  it('is named if it requires a key, and no other one runs', async () => {
    const all = await places(undefined, locked);
    const { url } = all[1] as { url: string };
    expect(await refusal(find({ places: all }))).toBe(
      `${url} requires an API key. Put it in an environment variable, and add: --upstream ${url} --key-env NAME`,
    );
  });

  it('does not receive a key that has no address', async () => {
    expect(await refusal(find({ places: await places(locked), keyVariable: 'KEY', env: { KEY: 'k' } }))).toMatch(
      /^--key-env requires the address .*: --upstream URL --key-env KEY$/,
    );
  });

  it('is missing: every server is shown with the command that starts it', async () => {
    const text = await refusal(find({ places: await places() }));
    for (const { name, start } of localServers) expect(text).toMatch(new RegExp(`${name} .*${start.slice(0, 10)}`));
    expect(text).toContain('--upstream URL');
  });
});

describe('the address', () => {
  it('comes from --upstream before variables, and from variables before servers on this machine', async () => {
    const [a, b, c] = await Promise.all([vllm('a', 1), vllm('b', 1), ollama({ c: {} })].map(serve));
    const env = { OPENAI_BASE_URL: `${b?.url}/v1`, OLLAMA_HOST: c?.url };
    const all = await places(ollama({ d: {} }));
    expect((await find({ places: all, env, upstream: `${a?.url}/v1` })).models?.[0]?.id).toBe('a');
    expect((await find({ places: all, env })).models?.[0]?.id).toBe('b');
    expect((await find({ places: all, env: { OLLAMA_HOST: c?.url } })).models?.[0]?.id).toBe('c');
  });

  it.each([
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['0.0.0.0:PORT', 'http://127.0.0.1:PORT'],
    [':PORT', 'http://127.0.0.1:PORT'],
    ['http://127.0.0.1:PORT/', 'http://127.0.0.1:PORT'],
  ])('in OLLAMA_HOST can be %s, as for the server', async (text, expected) => {
    const { port } = new URL((await serve(ollama({ m: {} }))).url);
    const { url } = await find({ env: { OLLAMA_HOST: text.replace('PORT', port) } });
    expect(url).toBe(expected.replace('PORT', port));
  });

  it('has no response: the error has its source and the command that starts the server', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const usual = [{ name: 'Ollama', url, start: 'ollama serve' } as const];
    expect(await refusal(find({ upstream: url }))).toBe(
      `No response from ${url} (--upstream). Check the address, or start the server`,
    );
    expect(await refusal(find({ env: { OLLAMA_HOST: url }, places: usual }))).toBe(
      `No response from ${url} (OLLAMA_HOST). Check the address, or start the server with: ollama serve`,
    );
  });

  it('is invalid: the error shows it without a password', async () => {
    expect(await refusal(find({ upstream: 'ftp://ann:secret@host' }))).toMatch(/^Invalid --upstream 'ftp:\/\/host'/);
  });
});

describe('the key', () => {
  const guarded = plain({ 'GET /v1/models': [401, { error: { message: 'no key' } }] });

  it('is required: the error names the option', async () => {
    const { url } = await serve(guarded);
    expect(await refusal(find({ upstream: url }))).toBe(
      `${url} requires an API key. Put it in an environment variable, and add: --key-env NAME`,
    );
  });

  it('of --key-env is sent, and its variable must be set', async () => {
    const { url, heard } = await serve(vllm('m', 1));
    await find({ upstream: url, keyVariable: 'MY_KEY', env: { MY_KEY: 'a-key' } });
    expect(heard.every(({ headers }) => headers.authorization === 'Bearer a-key')).toBe(true);
    expect(await refusal(find({ upstream: url, keyVariable: 'MY_KEY' }))).toContain('MY_KEY is not set');
  });

  it('of OpenAI is only sent to the address that belongs to it', async () => {
    const { url, heard } = await serve(vllm('m', 1));
    await find({ upstream: url, env: { OPENAI_API_KEY: 'a-key' } });
    await find({ env: { OPENAI_API_KEY: 'a-key', OLLAMA_HOST: url } });
    expect(heard.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    await find({ env: { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: url } });
    expect(heard.at(-1)?.headers.authorization).toBe('Bearer a-key');
  });
});

describe('the model', () => {
  const choose = async (fake: FakeServer, options: Parameters<typeof chooseModel>[1] = {}) =>
    chooseModel(await find({ upstream: (await serve(fake)).url }), options);

  it.each<[string, FakeServer, object, object]>([
    [
      'the only one',
      vllm('Qwen/Qwen3', 40_960),
      {},
      { model: 'Qwen/Qwen3', context: 40_960, output: 10_240, notices: [] },
    ],
    ['of llama-server', llama('q.gguf', 32_768), {}, { model: 'q.gguf', context: 32_768, output: 8192 }],
    ['of llama-server by another name', llama('q.gguf', 32_768), { model: 'q' }, { model: 'q', context: 32_768 }],
    ['the loaded one of LM Studio', lmStudio(cards), {}, { model: 'qwen3-coder', context: 40_000 }],
    ['one that LM Studio has not loaded', lmStudio(cards), { model: 'gemma-3' }, { model: 'gemma-3', context: 32_768 }],
    ['the loaded one of Ollama', ollama({ a: {}, b: { loaded: 65_536 } }), {}, { model: 'b', requested: 65_536 }],
    ['of Ollama without a tag', ollama({ 'q:latest': {} }), { model: 'q' }, { model: 'q:latest', requested: 32_768 }],
    ['with its own size', ollama({ q: { numCtx: 20_000 } }), {}, { context: 20_000, requested: 20_000 }],
    ['with a small maximum', ollama({ q: { most: 20_480 } }), {}, { context: 20_480, requested: 20_480 }],
    ['loaded with a small size', ollama({ q: { loaded: 4096 } }), {}, { context: 32_768, requested: 32_768 }],
    ['with --context', ollama({ q: { numCtx: 4096 } }), { context: 65_536 }, { context: 65_536, requested: 65_536 }],
    ['of a large context', vllm('q', 1_000_000), {}, { context: 1_000_000, output: 32_000 }],
  ])('is chosen with its context size: %s', async (_, fake, options, expected) => {
    expect(await choose(fake, options)).toMatchObject(expected);
  });

  it.each<[string, FakeServer, object, RegExp]>([
    ['small', vllm('q', 8192), {}, /8192 tokens, which is small for an agent.*--max-model-len/],
    ['small for Ollama', ollama({ q: { numCtx: 4096 } }), {}, /4096 tokens.*--context 32768/],
    ['not loaded', lmStudio(cards), { model: 'gemma-3' }, /isn't loaded yet.*lms load gemma-3/],
    ['one of several', ollama({ a: {}, b: {} }), {}, /--model NAME: a, b/],
  ])('has a notice if it is %s', async (_, fake, options, expected) => {
    expect((await choose(fake, options)).notices.join('\n')).toMatch(expected);
  });

  it.each<[string, FakeServer, object, RegExp]>([
    [
      'of Ollama',
      ollama({ a: {}, b: {} }),
      { model: 'c' },
      /^Unknown model 'c' at .* Expected one of: a, b\. Download it with: ollama pull c$/,
    ],
    ['of vLLM', vllm('a', 1), { model: 'c' }, /^Unknown model 'c' at .* Expected one of: a\.$/],
    ['of an empty Ollama', ollama({}), {}, /has no models\. Download one, for example with: ollama pull/],
    [
      'of a server without a list',
      plain({ 'GET /v1/models': [404, {}] }),
      {},
      /doesn't list its models\. Set .* --model/,
    ],
    [
      ...(['of a server with many', plain({ 'GET /v1/models': [200, { data: [{ id: 'a' }, { id: 'b' }] }] })] as const),
      ...([{}, /^Choose a model with --model NAME: a, b$/] as const),
    ],
  ])('is missing: the error has the next step, %s', async (_, fake, options, expected) => {
    expect(await refusal(choose(fake, options))).toMatch(expected);
  });
});
