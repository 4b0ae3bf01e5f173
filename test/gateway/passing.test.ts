import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { call, closeAll, everything, fronts, through } from './around.ts';

/** A client that can do all a server may ask of it. */
const obliging = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
  prepare: (client: Client) => {
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
    client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: 'sampled words' },
    }));
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///a/root' }] }));
  },
};
const config = { mcpServers: { everything } };

describe.each(fronts)('over %s, with a client of %s and a real server', (way, mode) => {
  let client: Client;
  beforeAll(async () => {
    client = await through(way, mode, config, obliging);
  });
  afterAll(closeAll);

  it('lists the tools unchanged, and calls them', async () => {
    const { tools } = await client.listTools();
    const sum = tools.find(({ name }) => name === 'get-sum');
    expect(sum?.inputSchema).toMatchObject({ properties: { a: { type: 'number', description: 'First number' } } });
    expect((await call(client, 'get-sum', { a: 2, b: 3 })).text).toContain('5');
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
  });

  it('C14 mends arguments with the original schema, repairs names, and reports other problems', async () => {
    expect((await call(client, 'getSum', { a: '2', b: '3' })).text).toContain('5');
    const bad = await call(client, 'get-sum', { a: 'two' });
    expect(bad.isError).toBe(true);
    expect(bad.text).toBe(
      [
        'Parameter validation failed:',
        '',
        "1. Field 'a' expected number, got string",
        "2. Field 'b' is required but missing",
        '',
        'Please fix the parameters and try again.',
      ].join('\n'),
    );
    const unknown = await call(client, 'no-such-tool');
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toContain("Tool 'no-such-tool' does not exist");
  });

  it('passes results through: structured content, images, resources, annotations', async () => {
    const { structuredContent } = await call(client, 'get-structured-content', { location: 'New York' });
    expect(structuredContent).toMatchObject({ conditions: 'Cloudy' });
    const { content } = await call(client, 'get-tiny-image');
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const linked = await call(client, 'get-resource-links', { count: 2 });
    expect(linked.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
    const annotated = await call(client, 'get-annotated-message', { messageType: 'error' });
    expect(annotated.content[0]).toMatchObject({ annotations: { priority: 1 } });
  });

  it('passes resources, prompts and completions through', async () => {
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(3);
    const [first] = resources;
    expect((await client.readResource({ uri: first?.uri ?? '' })).contents[0]?.uri).toBe(first?.uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    );
    const { contents } = await client.readResource({ uri: 'demo://resource/dynamic/text/7' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/plain' });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('args-prompt');
    const { messages } = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Riga' } });
    expect(JSON.stringify(messages)).toContain('Riga');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'S' },
    });
    expect(completion.values).toContain('Sales');
    await expect(client.getPrompt({ name: 'nobody' })).rejects.toThrow('Unknown prompt nobody');
  });

  it('forwards requests of the server to the client: elicitation, sampling, roots', async () => {
    await until(async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.some(({ name }) => name === 'trigger-elicitation-request');
    });
    expect((await call(client, 'trigger-elicitation-request')).text).toContain('Name: Ada');
    expect((await call(client, 'trigger-sampling-request', { prompt: 'Say' })).text).toContain('sampled words');
    expect((await call(client, 'get-roots-list')).text).toContain('file:///a/root');
  });

  it('forwards a request to open a URL, as an error or as an elicitation, depending on the protocol', async () => {
    const given = { url: 'https://example.com/first', elicitationId: `${way}-${mode}`, errorPath: true };
    await until(async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.some(({ name }) => name === 'trigger-url-elicitation');
    });
    const first = call(client, 'trigger-url-elicitation', given);
    if (mode === 'legacy') await expect(first).rejects.toMatchObject({ code: -32042 });
    else await first;
    // The server remembers that it has asked, and goes on.
    const { text } = mode === 'legacy' ? await call(client, 'trigger-url-elicitation', given) : await first;
    expect(text).toContain('accept');
  });

  it('passes progress and cancellation', async () => {
    const control = new AbortController();
    const long = client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: '60', steps: 600 } },
      { signal: control.signal, onprogress: () => control.abort(new Error('enough')) },
    );
    await expect(long).rejects.toThrow('enough');
    expect((await call(client, 'echo', { message: 'still here' })).text).toBe('Echo: still here');
  });
});
