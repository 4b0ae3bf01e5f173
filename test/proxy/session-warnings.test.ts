import { afterEach, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/proxy/observe/request-record.ts';
import { type Answerer, ask, closeAll, json, proxied } from './around.ts';

afterEach(closeAll);

const server: Answerer = (response) =>
  json(response, {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  });

/** The warnings of each request. */
async function warningsOf(
  requests: readonly (readonly [path: string, body: object])[],
): Promise<(readonly string[])[]> {
  const records: RequestRecord[] = [];
  const { url } = await proxied(server, { about: { formats: ['openai-chat'] }, onRequest: (one) => records.push(one) });
  for (const [path, body] of requests)
    expect((await ask(`${url}${path}`, { body: JSON.stringify({ model: 'm', ...body }) })).status).toBe(200);
  return records.map(({ warnings }) => warnings);
}

const cached = { cache_control: { type: 'ephemeral' } };
const claude = (user: string) => ({
  max_tokens: 99,
  metadata: { user_id: user },
  system: [
    { type: 'text', text: 'You code.', ...cached },
    { type: 'text', text: 'Be brief.', ...cached },
  ],
  thinking: { type: 'adaptive' },
  tools: [
    { name: 'read', input_schema: { type: 'object' }, ...cached },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Go.', ...cached }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'And?', ...cached }] },
  ],
});
const codex = {
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'abc',
  tools: [{ type: 'web_search', external_web_access: false }, { type: 'image_generation' }],
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] }],
};

describe('Warnings of a translation', () => {
  it('name tools and come worst first, in few lines', async () => {
    const [first = []] = await warningsOf([['/v1/messages', claude('u1')]]);
    expect(first[0]).toBe("tool 'web_search': Only supported by anthropic; left out");
    expect(first[1]).toBe('messages: server_tool_use: Only supported by anthropic; left out');
    expect(first.filter((line) => line.includes('cache_control'))).toEqual([first.at(-1)]);
    expect(first.at(-1)).toMatch(/^not sent, without an effect on the response: .*cache_control/);
    expect(first.length).toBeLessThan(7);
    const [second = []] = await warningsOf([['/v1/responses', codex]]);
    expect(second.slice(0, 2)).toEqual([
      "tool 'web_search': Only supported by openai-responses; left out",
      "tool 'image_generation': Only supported by openai-responses; left out",
    ]);
    expect(second.at(-1)).toContain('store');
  });

  it('are logged once in a session', async () => {
    const { messages } = claude('u1');
    const longer = { ...claude('u1'), messages: [...messages, ...messages] };
    const all = await warningsOf([
      ['/v1/messages', claude('u1')],
      ['/v1/messages', claude('u1')],
      ['/v1/messages', longer],
      ['/v1/messages', claude('u2')],
      ['/v1/messages', { ...claude('u1'), stop_sequences: ['a'], container: 'c', top_k: 3 }],
    ]);
    expect(all.map((one) => one.length > 0)).toEqual([true, false, false, true, true]);
    expect(all[3]).toEqual(all[0]);
    expect(all[4]?.some((line) => line.includes('top_k'))).toBe(true);
    expect(all[4]?.some((line) => line.includes('web_search'))).toBe(false);
  });
});
