import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { diagnose } from '../../src/proxy/doctor/diagnose.ts';
import { type Diagnosis, type Finding, rootOf } from '../../src/proxy/doctor/types.ts';
import { lived } from '../lived.ts';
import { type Answerer, closeAll, open, upstream } from './around.ts';
import { completion, imitating, llama, ollama, vllm } from './model-servers.ts';

afterEach(closeAll);

const look = (url: string, more: { format?: Format; apiKey?: string; timeout?: number } = {}): Promise<Diagnosis> =>
  diagnose({
    root: rootOf(url) as URL,
    model: 'm',
    timeout: 10_000,
    maxTokens: 200,
    signal: AbortSignal.timeout(50_000),
    ...more,
  });

const seen = async (answer: Answerer): Promise<Diagnosis> => look((await upstream(answer)).url);

const of = ({ findings }: Diagnosis, check: Finding['check']): Partial<Finding> =>
  findings.find((finding) => finding.check === check) ?? {};

const forTags = ({ tools }: { tools?: readonly { readonly function: { readonly name: string } }[] }): boolean =>
  tools?.some((tool) => tool.function.name === 'save_tags') === true;

describe('the doctor', () => {
  it("C21 reports the missing settings of vLLM, and the parser that the model's output needs", async () => {
    const seenThere = await seen(imitating(vllm));
    expect(seenThere).toMatchObject({
      server: 'vllm',
      formats: ['openai-chat'],
      calls: 'text',
      dialect: 'hermes',
      context: 32768,
    });
    expect(of(seenThere, 'call')).toMatchObject({
      verdict: 'bad',
      said: expect.stringContaining('"auto" tool choice requires --enable-auto-tool-choice'),
      setting: '--enable-auto-tool-choice --tool-call-parser hermes',
    });
    expect(of(seenThere, 'text')).toMatchObject({ verdict: 'good' });
  });

  it('reports that llama-server needs --jinja, the dialect of its template, and a small context', async () => {
    const seenThere = await seen(imitating(llama));
    expect(seenThere).toMatchObject({ server: 'llama.cpp', dialect: 'qwen3-coder', calls: 'text', context: 4096 });
    expect(of(seenThere, 'call')).toMatchObject({ verdict: 'bad', setting: '--jinja' });
    expect(of(seenThere, 'context')).toMatchObject({ verdict: 'fair', setting: '-c 16384' });
    expect(of(seenThere, 'model')).toMatchObject({
      verdict: 'fair',
      said: 'm is not available; the server has m.gguf',
    });
  });

  it("reports that a model of Ollama doesn't support tools, and that num_ctx is small", async () => {
    const seenThere = await seen(imitating(ollama));
    expect(seenThere).toMatchObject({ server: 'ollama', calls: 'text', context: 4096 });
    expect(of(seenThere, 'call')).toMatchObject({
      verdict: 'bad',
      said: expect.stringContaining('does not support tools'),
    });
    expect(of(seenThere, 'call').setting).toMatch(/^toolmend proxy --upstream http:\S+ --dialect /);
    expect(of(seenThere, 'context')).toMatchObject({
      said: '4096 tokens (/api/ps); the model supports 131072',
      setting: 'num_ctx 16384',
    });
  });

  it('reports no failure for a server that works', async () => {
    const seenThere = await seen(imitating({ ...vllm, chat: () => undefined }));
    expect(seenThere.calls).toBe('native');
    expect(seenThere.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
      'reachable good',
      'wires good',
      'model good',
      'answer good',
      'call good',
      'stream good',
      'nested good',
      'untyped good',
      'parallel good',
      'result good',
      'output good',
      'context good',
    ]);
    expect(of(seenThere, 'stream').said).toMatch(/^call received in \d+ chunks$/);
  });

  it.each(['["red", "blue"]', 'red, blue'])(
    'reports a list that arrives as text in a field without a type: %s',
    async (tags) => {
      const answer = completion([{ name: 'save_tags', input: { tags } }]);
      const seenThere = await seen(
        imitating({ ...vllm, chat: (asked) => (forTags(asked) ? [200, answer] : undefined) }),
      );
      expect(of(seenThere, 'untyped')).toMatchObject({
        verdict: 'fair',
        said: expect.stringContaining(tags.slice(0, 5)),
        advice: expect.stringContaining('toolmend check'),
      });
      expect(seenThere.calls).toBe('native');
    },
  );

  it('advises types if the server rejects a field without one', async () => {
    const message = "tools.0.parameters.properties.tags: field 'type' is missing";
    const seenThere = await seen(
      imitating({ ...vllm, chat: (asked) => (forTags(asked) ? [400, { error: { message } }] : undefined) }),
    );
    expect(of(seenThere, 'untyped')).toMatchObject({
      verdict: 'fair',
      said: expect.stringContaining("field 'type' is missing"),
      advice: expect.stringContaining('toolmend check'),
    });
  });

  it('reports the dialect of a call that the server left in the text', async () => {
    const text = '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}';
    const seenThere = await seen(
      imitating({ ...vllm, chat: ({ tools }) => (tools ? [200, completion(text)] : undefined) }),
    );
    expect(seenThere).toMatchObject({ calls: 'text', dialect: 'mistral' });
    expect(of(seenThere, 'call')).toMatchObject({
      verdict: 'bad',
      setting: '--enable-auto-tool-choice --tool-call-parser mistral',
    });
  });

  it('C20 counts a call that the server could not parse as a call', async () => {
    const error = `error parsing tool call: raw='{"city": "Paris",}', err=invalid character '}'`;
    const unread = { raw: JSON.stringify({ error }), status: 500, headers: { 'content-type': 'application/json' } };
    const server = await serveScripted(({ tools }) => (tools ? unread : 'ready'));
    open.push(server);
    const seenThere = await look(server.url, { format: 'ollama' });
    expect(of(seenThere, 'call')).toMatchObject({ verdict: 'fair' });
    expect(seenThere.calls).toBe('text');
  });

  it('reports that a model makes no calls, natively or as text', async () => {
    const seenThere = await seen(imitating({ ...vllm, chat: () => [200, completion('I would rather not.')] }));
    expect(seenThere.calls).toBe('none');
    expect(of(seenThere, 'call')).toMatchObject({
      verdict: 'bad',
      said: 'no call; the model responded "I would rather not."',
    });
    expect(of(seenThere, 'output')).toMatchObject({ verdict: 'fair' });
  });

  it('distinguishes mended calls from valid ones', async () => {
    const damaged = completion([{ name: 'get_weather', input: {} }]) as {
      choices: [{ message: { tool_calls: [{ function: { arguments: string } }] } }];
    };
    damaged.choices[0].message.tool_calls[0].function.arguments = "{city: 'Paris',}";
    const seenThere = await seen(
      imitating({ ...vllm, chat: ({ tools, stream }) => (tools && !stream ? [200, damaged] : undefined) }),
    );
    expect(of(seenThere, 'call')).toMatchObject({
      verdict: 'fair',
      said: expect.stringContaining('had to be mended: '),
    });
    expect(seenThere.calls).toBe('native');
  });

  it.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'] as const)(
    'supports %s',
    async (format) => {
      const server = await serveScripted((question) =>
        question.tools
          ? {
              calls: [
                {
                  name: question.tools[0]?.type === 'function' ? question.tools[0].name : '',
                  arguments: '{"city":"Paris"}',
                },
              ],
            }
          : 'ready',
      );
      open.push(server);
      const seenThere = await look(server.url, { format });
      expect(seenThere).toMatchObject({ formats: [format], calls: 'native' });
      expect(of(seenThere, 'stream')).toMatchObject({ verdict: 'good' });
    },
  );

  it('reports that there is no response', async () => {
    const seenThere = await look('http://127.0.0.1:9');
    expect(seenThere.calls).toBe('none');
    expect(seenThere.findings).toEqual([
      expect.objectContaining({ check: 'reachable', verdict: 'bad', said: expect.stringContaining('127.0.0.1:9') }),
    ]);
  });

  it.each<[string, Answerer, Finding['check'], string]>([
    [
      'a web page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Hi</html>'),
      'wires',
      'no endpoint found',
    ],
    [
      'one that says the same to everything',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
      'wires',
      'no endpoint found',
    ],
    ['nothing but 404', (response) => response.writeHead(404).end('no'), 'wires', 'no endpoint found'],
    ['a closed door', (response) => response.writeHead(401).end('{"error":"key"}'), 'wires', 'each responds with 401'],
  ])('detects that the server is %s', async (_, answer, check, words) => {
    const seenThere = await seen(answer);
    expect(of(seenThere, check)).toMatchObject({
      verdict: 'bad',
      said: expect.stringContaining(words),
      advice: expect.any(String),
    });
    expect(seenThere.calls).toBe('none');
  });

  it('F25 waits no longer than configured', async () => {
    const hangs: Answerer = (response, { url, body }) => {
      if (url.includes('completions') && body !== '{}') return;
      imitating(vllm)(response, { url, body, method: 'POST', headers: {} });
    };
    const looking = look((await upstream(hangs)).url, { timeout: 300 });
    expect(await lived(() => looking)).toBeLessThan(5000);
    expect(of(await looking, 'answer')).toMatchObject({ verdict: 'bad' });
  });

  it('F22 F23 sends a key in its header and shows it nowhere', async () => {
    const key = 'sk-canary-8c1f';
    const echo: Answerer = (response, heard) => {
      if (heard.body.includes('get_weather'))
        response.writeHead(400).end(JSON.stringify({ error: { message: `bad key ${heard.headers.authorization}` } }));
      else imitating(vllm)(response, heard);
    };
    const server = await upstream(echo);
    const seenThere = await look(server.url, { apiKey: key });
    expect(server.heard.some(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    expect(of(seenThere, 'call').said).toContain('[secret]');
    expect(JSON.stringify(seenThere)).not.toContain('canary');
  });
});

describe('the URL of a server', () => {
  it.each([
    ['127.0.0.1:11434', 'http://127.0.0.1:11434/'],
    ['http://h/v1/', 'http://h/'],
    ['https://h/api/v1', 'https://h/api'],
    ['https://h/v1beta?key=x', 'https://h/'],
    ['ftp://h', undefined],
    ['http://u:p@h', undefined],
    ['http://', undefined],
  ])('%s becomes %s', (given, root) => {
    expect(rootOf(given)?.href).toBe(root);
  });
});
