import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, closeAll, proxied } from './around.ts';

afterEach(closeAll);

const sse = (value: { type?: string }): string =>
  `${value.type ? `event: ${value.type}\n` : ''}data: ${JSON.stringify(value)}\n\n`;

interface Use {
  readonly name: string;
  readonly input: unknown;
}

/** A server of the Messages API that makes the calls of one turn after the other. */
function messages(turns: readonly (readonly Use[])[]): Answerer {
  let turn = 0;
  return (response, { body }) => {
    const uses = turns[Math.min(turn++, turns.length - 1)] ?? [];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const head = { id: 'm1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
    const content = uses.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_${turn}_${at}`, name, input }));
    if (!(JSON.parse(body) as { stream?: boolean }).stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...head, content, stop_reason: 'tool_use', usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      sse({ type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } } as never),
    );
    for (const [index, block] of content.entries()) {
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      response.write(sse({ type: 'content_block_start', index, content_block: { ...block, input: {} } } as never));
      response.write(sse({ type: 'content_block_delta', index, delta } as never));
      response.write(sse({ type: 'content_block_stop', index } as never));
    }
    const delta = { stop_reason: 'tool_use', stop_sequence: null };
    response.write(sse({ type: 'message_delta', delta, usage } as never));
    response.end(sse({ type: 'message_stop' }));
  };
}

async function ask(url: string, stream: boolean, tools: readonly object[]): Promise<Use[]> {
  const asked = { model: 'm', max_tokens: 9, stream, tools, messages: [{ role: 'user', content: 'Go.' }] };
  const text = await fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(asked) }).then((one) =>
    one.text(),
  );
  if (!stream) {
    const { content } = JSON.parse(text) as { content: (Use & { type: string })[] };
    return content.flatMap(({ type, name, input }) => (type === 'tool_use' ? [{ name, input }] : []));
  }
  const uses: { name: string; text: string }[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: ')) continue;
    const { content_block: block, delta } = JSON.parse(line.slice(6));
    if (block?.type === 'tool_use') uses.push({ name: block.name, text: '' });
    const last = uses.at(-1);
    if (delta?.partial_json && last) last.text += delta.partial_json;
  }
  return uses.map(({ name, text: json }) => ({ name, input: JSON.parse(json || '{}') }));
}

const weather = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] },
};
const near = {
  name: 'mcp__shell__bash',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};
const provided: readonly (readonly [string, Use])[] = [
  ['bash_20250124', { name: 'bash', input: { command: 'ls' } }],
  ['text_editor_20250728', { name: 'str_replace_based_edit_tool', input: { command: 'view', path: '/a' } }],
  ['computer_20250124', { name: 'computer', input: { action: 'screenshot' } }],
  ['memory_20250818', { name: 'memory', input: { command: 'view', path: '/memories' } }],
];
const modes = [
  ['whole', false],
  ['streamed', true],
] as const;
const table = provided.flatMap(([type, use]) =>
  modes.map(([mode, stream]) => [`${type}, ${mode}`, { type, name: use.name }, use, stream] as const),
);

describe('with retries, calls to tools that only the provider defines', () => {
  it.each(table)('pass next to functions: %s', async (_, tool, use, stream) => {
    const good = { name: 'get_weather', input: { days: 2 } };
    const { url, heard } = await proxied(messages([[use, good], [good]]), { retries: 2 });
    expect(await ask(url, stream, [weather, tool])).toEqual([use, good]);
    expect(heard).toHaveLength(1);
  });

  it.each(table)('stay if an invalid call to a function is replaced: %s', async (_, tool, use, stream) => {
    const bad = { name: 'get_weather', input: { days: 'many' } };
    const good = { name: 'get_weather', input: { days: 2 } };
    const { url, heard } = await proxied(messages([[use, bad], [good]]), { retries: 2 });
    expect(await ask(url, stream, [weather, tool])).toEqual([use, good]);
    expect(heard).toHaveLength(2);
  });
});

it.each(modes)('never treats a call to such a tool as one to a function with a similar name, %s', async (_, stream) => {
  const use = { name: 'bash', input: { command: 'ls' } };
  const { url } = await proxied(messages([[use]]));
  expect(await ask(url, stream, [near, { type: 'bash_20250124', name: 'bash' }])).toEqual([use]);
});

describe('guard: existing behaviour', () => {
  it.each(modes)('sends a call to an unknown tool back to the model, %s', async (_, stream) => {
    const good = { name: 'get_weather', input: { days: 2 } };
    const { url, heard } = await proxied(messages([[{ name: 'bash', input: {} }], [good]]), { retries: 2 });
    expect(await ask(url, stream, [weather])).toEqual([good]);
    expect(heard).toHaveLength(2);
  });
});
