/** The marker of objects that strip unknown keys is ours alone: no model, framework, log or message gets it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toAiTools } from '../src/adapter/ai-sdk/index.ts';
import { toLangChainTools } from '../src/adapter/langchain/index.ts';
import { toAgentTools } from '../src/adapter/openai-agents/index.ts';
import { feedback, mend, Toolbox, tool } from '../src/index.ts';
import { memoryStore } from '../src/log/memory-store.ts';
import { ask } from '../src/mend/output/index.ts';
import { anthropic, gemini, ollama, openai, scripted } from '../src/provider/index.ts';
import { agent } from '../src/run/index.ts';

const schema = z.object({ path: z.string(), options: z.object({ depth: z.int() }).optional() });
const list = tool({
  name: 'list',
  description: 'Lists files',
  inputSchema: schema,
  effect: 'read',
  execute: () => 'a',
});
const marked = /strip/i;

describe('the strip marker', () => {
  const clients = {
    'openai chat': openai,
    'openai responses': (options: Parameters<typeof openai>[0]) => openai({ ...options, api: 'responses' } as never),
    anthropic,
    gemini,
    ollama,
  };

  it.each(Object.entries(clients))('never leaves through %s', async (_, client) => {
    const bodies: string[] = [];
    const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
      bodies.push(String(init?.body));
      return new Response('{}', { status: 400 });
    };
    const model = client({ model: 'm', apiKey: 'k', fetch: fetch as never });
    await agent({ model, tools: [list], budgets: { modelRetries: 0 }, traces: false }).run('Go').result;
    await ask(model, schema, 'Go', { describeSchema: true });
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) {
      expect(body).toContain('depth');
      expect(body).not.toMatch(marked);
    }
  });

  it('never leaves through an adapter', async () => {
    const toolbox = new Toolbox([list]);
    const shown = JSON.stringify([
      Object.values(toAiTools(toolbox)),
      toLangChainTools(toolbox).map((one) => one.schema),
      toAgentTools(toolbox),
    ]);
    expect(shown).toContain('depth');
    expect(shown).not.toMatch(marked);
  });

  it('is in no log and no feedback', async () => {
    const store = memoryStore();
    const model = scripted([
      { calls: [{ name: 'list', arguments: '{"path": 5, "options": {"depth": "x"}}' }] },
      'Done.',
    ]);
    await agent({ model, tools: [list], store, traces: false }).run('Go', { id: 'r' }).result;
    const events: unknown[] = [];
    for await (const event of store.read('r')) events.push(event);
    expect(JSON.stringify(events)).toContain('depth');
    expect(JSON.stringify(events)).not.toMatch(marked);
    const outcome = mend({ name: 'list', arguments: '{"options": {"depth": "x"}}' }, new Toolbox([list]));
    if (outcome.status !== 'invalid') throw new Error('It is invalid');
    for (const attempt of [1, 2, 3]) expect(JSON.stringify(feedback(outcome, { attempt }))).not.toMatch(marked);
  });

  it('guard: still drops unknown keys, with a note', () => {
    const outcome = mend({ name: 'list', arguments: '{"path": "a", "color": "red"}' }, new Toolbox([list]));
    expect(outcome).toMatchObject({ status: 'mended', input: { path: 'a' } });
  });
});
