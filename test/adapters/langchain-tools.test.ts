import { ToolMessage } from '@langchain/core/messages';
import { createAgent, tool as langchainTool } from 'langchain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fromLangChainTools, mendMiddleware, toLangChainTools } from '../../src/adapter/langchain/index.ts';
import { serveScripted } from '../../src/provider/scripted/index.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { wires } from './langchain-run.ts';

// The framework warns on the console of every call that it can't read.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

const toolbox = new Toolbox([
  tool({
    name: 'read_file',
    description: 'Reads a file',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
      additionalProperties: false,
    },
    execute: ({ path, limit }, { note }) => {
      if (path === 'gone.ts') throw new Error('No such file');
      if (limit === 0) note('Nothing was asked for.');
      return { path, limit };
    },
  }),
  tool({ name: 'hangs', description: 'Never ends', timeout: 20, execute: () => new Promise(() => {}) }),
]);
const tools = toLangChainTools(toolbox);
const [readFile, hangs] = tools as [(typeof tools)[0], (typeof tools)[0]];
const asked = (args: object, at = readFile): Promise<ToolMessage> =>
  at.invoke({ type: 'tool_call', id: 'c1', name: at.name, args } as never) as Promise<ToolMessage>;

describe('toLangChainTools', () => {
  it('exposes the definitions of the toolbox', () => {
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['read_file', 'Reads a file'],
      ['hangs', 'Never ends'],
    ]);
    expect(readFile.schema).toEqual(toolbox.get('read_file')?.schema.json);
  });

  it('mends and runs, with a message for a call and a plain output for plain arguments', async () => {
    const message = await asked({ Path: 'a.ts', limit: '5' });
    expect(message).toBeInstanceOf(ToolMessage);
    expect(message).toMatchObject({ status: 'success', tool_call_id: 'c1', name: 'read_file' });
    expect(JSON.parse(message.text)).toEqual({ path: 'a.ts', limit: 5 });
    expect(message.artifact).toMatchObject({ ok: true, data: { path: 'a.ts', limit: 5 } });
    expect(JSON.parse((await readFile.invoke({ path: 'a.ts' })) as string)).toEqual({ path: 'a.ts' });
  });

  it('S4.1 reports a bad call, a tool that throws and one that hangs, and never throws', async () => {
    expect(await asked({ limit: 5 })).toMatchObject({
      status: 'error',
      content:
        "Parameter validation failed:\n\n1. Field 'path' is required but missing\n\nPlease fix the parameters and try again.",
    });
    expect(await asked({ path: 'gone.ts' })).toMatchObject({
      status: 'error',
      content: expect.stringMatching(/^No such file\n/),
    });
    expect(await asked({}, hangs)).toMatchObject({ status: 'error', artifact: { errorType: 'timeout' } });
  });

  it('reports start and end to callbacks', async () => {
    const heard: string[] = [];
    const callbacks = [
      {
        handleToolStart: (_: unknown, input: string) => void heard.push(`start ${input}`),
        handleToolEnd: (output: unknown) => void heard.push(`end ${String(output)}`),
      },
    ];
    await readFile.invoke({ path: 'a.ts' }, { callbacks });
    expect(heard).toEqual(['start {"path":"a.ts"}', 'end {"path":"a.ts"}']);
  });

  it('runs in an agent, with the middleware', async () => {
    const server = await serveScripted([{ calls: [{ name: 'Read-File', arguments: "{path: 'a.ts'}" }] }, 'Done.']);
    try {
      const model = wires['OpenAI Chat'](server.url);
      const agent = createAgent({ model, tools, middleware: [mendMiddleware()] });
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Go on.' }] });
      expect(messages.map(({ text }) => text)).toEqual(['Go on.', '', '{"path":"a.ts"}', 'Done.']);
    } finally {
      await server.close();
    }
  });
});

describe('fromLangChainTools', () => {
  const schema = z.object({ path: z.string(), limit: z.string().transform(Number).default(10) });
  const listed = langchainTool(({ path, limit }) => `${path} ${typeof limit} ${limit}`, {
    name: 'list_files',
    description: 'Lists files',
    schema,
  });

  it('gives a toolbox whose calls are mended, and transformed once', async () => {
    const box = fromLangChainTools([listed], { effects: { list_files: 'read' } });
    expect(box.list().map(({ name, description, effect }) => [name, description, effect])).toEqual([
      ['list_files', 'Lists files', 'read'],
    ]);
    const call = { id: 'c1', name: 'listFiles', arguments: "{path: 'a', limit: 5}" };
    expect((await invoke(call, { toolbox: box })).value).toEqual({ ok: true, data: 'a number 5' });
    expect((await invoke({ ...call, arguments: '{"path": "a"}' }, { toolbox: box })).value).toMatchObject({
      data: 'a number 10',
    });
  });

  it('converts back', async () => {
    const box = fromLangChainTools(toLangChainTools(toolbox));
    const { value } = await invoke({ id: 'c1', name: 'read_file', arguments: '{"path": "a.ts"}' }, { toolbox: box });
    expect(value).toEqual({ ok: true, data: '{"path":"a.ts"}' });
  });
});
