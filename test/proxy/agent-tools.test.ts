/** Kinds of tools that Codex and Claude Code send, at servers that only have functions. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, ask, closeAll, json, proxied } from './around.ts';

afterEach(closeAll);

interface Called {
  readonly name: string;
  readonly arguments: string;
}

/** A server of the Chat API that makes the same calls each time, streamed or not. */
const calling =
  (...calls: readonly Called[]): Answerer =>
  (response, { body }) => {
    const tool_calls = calls.map((one, index) => ({ index, id: `call_${index}`, type: 'function', function: one }));
    const head = { id: 'c', created: 1, model: 'm' };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    if ((JSON.parse(body) as { stream?: boolean }).stream !== true) {
      const message = { role: 'assistant', content: calls.length > 0 ? null : 'Done.', tool_calls };
      json(response, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] });
      return;
    }
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const call of tool_calls) {
      response.write(chunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] }));
      for (const piece of call.function.arguments.match(/[\s\S]{1,9}/g) ?? [])
        response.write(chunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }));
    }
    response.end(`${chunk({}, finish_reason)}data: [DONE]\n\n`);
  };

type Item = Record<string, unknown>;

/** The output of a Responses request; from the events of its items if it is streamed. */
async function output(url: string, body: object, stream: boolean): Promise<Item[]> {
  const asked = JSON.stringify({ model: 'm', store: false, stream, ...body });
  const { status, text } = await ask(`${url}/v1/responses`, { body: asked });
  expect(status, text).toBe(200);
  if (!stream) return (JSON.parse(text) as { output: Item[] }).output;
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Item);
  const last = events.at(-1) as { type: string; response: { output: Item[] } };
  expect(last.type).toBe('response.completed');
  expect(last.response.output).toEqual(done);
  for (const item of done.filter(({ type }) => type === 'custom_tool_call')) {
    const pieces = events.filter(
      (one) => one.type === 'response.custom_tool_call_input.delta' && one.item_id === item.id,
    );
    expect(pieces.map(({ delta }) => delta).join('')).toBe(item.input);
  }
  return done;
}

/** A response without calls. */
async function refused(url: string, tool: object, stream: boolean): Promise<string> {
  const asked = JSON.stringify({ model: 'm', store: false, stream, input: [user], tools: [tool] });
  const { text } = await ask(`${url}/v1/responses`, { body: asked });
  expect(text).not.toMatch(/"type":"\w*_call"/);
  return text;
}

const fence = '```';

/** What the server got. */
const got = (heard: readonly { readonly body: string }[], at = -1) =>
  JSON.parse(heard.at(at)?.body ?? '{}') as {
    messages: { role: string; content: unknown; tool_calls?: { function: Called }[]; tool_call_id?: string }[];
    tools?: { type: string; function: { name: string; description?: string; parameters: { properties: object } } }[];
    tool_choice?: unknown;
  };

const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] };
const object = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
const spawn = {
  type: 'function',
  name: 'spawn_agent',
  description: 'Starts an agent',
  strict: false,
  parameters: object({ task: { type: 'string' }, depth: { type: 'integer' } }),
};
const agents = { type: 'namespace', name: 'multi_agent_v1', description: 'Works with other agents.', tools: [spawn] };
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
};
const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Searches for tools',
  parameters: object({ query: { type: 'string' }, limit: { type: 'number' } }),
};
const edit = '*** Begin Patch\n*** Update File: a.ts\n-let a = "1";\n+let a = "2";\n*** End Patch';
const chat = { about: { formats: ['openai-chat'] as const } };
const modes = [
  ['whole', false],
  ['streamed', true],
] as const;

describe.each(modes)('Codex at a chat server, %s', (_, stream) => {
  it('C28 calls tools of a namespace', async () => {
    const made = { name: 'multi_agent_v1__spawn_agent', arguments: "{'task': 'look', 'depth': '2',}" };
    const { url, heard } = await proxied(calling(made), chat);
    const items = await output(url, { input: [user], tools: [agents] }, stream);
    expect(items).toMatchObject([
      {
        type: 'function_call',
        name: 'spawn_agent',
        namespace: 'multi_agent_v1',
        call_id: 'call_0',
        status: 'completed',
      },
    ]);
    expect(JSON.parse(String(items[0]?.arguments))).toEqual({ task: 'look', depth: 2 });
    const [tool] = got(heard).tools ?? [];
    expect(tool?.function.name).toBe('multi_agent_v1__spawn_agent');
    expect(tool?.function.description).toContain('Starts an agent');
    expect(tool?.function.description).toContain('Works with other agents.');
  });

  it('keeps tools of the same name in two namespaces apart', async () => {
    const other = { ...agents, name: 'other__', tools: [{ ...spawn, description: 'Another' }] };
    const { url, heard } = await proxied(calling({ name: 'other__spawn_agent', arguments: '{}' }), chat);
    const plain = { ...spawn, name: 'other__spawn_agent' };
    const items = await output(url, { input: [user], tools: [agents, other, plain] }, stream);
    const names = got(heard).tools?.map((tool) => tool.function.name);
    expect(names).toEqual(['multi_agent_v1__spawn_agent', 'other__spawn_agent', 'other__spawn_agent_2']);
    expect(items).toMatchObject([{ type: 'function_call', name: 'spawn_agent', namespace: 'other__' }]);
  });

  it.each([
    ['as an object', JSON.stringify({ input: edit })],
    ['as a damaged object', `${JSON.stringify({ input: edit }).slice(0, -1)},}`],
    ['in a fence', `\`\`\`json\n${JSON.stringify({ input: edit })}\n\`\`\``],
    ['as plain text', edit],
    ['as a JSON string', JSON.stringify(edit)],
  ])('C28 calls tools with free text, written %s', async (__, text) => {
    const { url, heard } = await proxied(calling({ name: 'apply_patch', arguments: text }), chat);
    const items = await output(url, { input: [user], tools: [patch] }, stream);
    expect(items).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_0', input: edit }]);
    const [tool] = got(heard).tools ?? [];
    expect(Object.keys(tool?.function.parameters.properties ?? {})).toEqual(['input']);
    expect(tool?.function.description).toContain('start: "*** Begin Patch"');
  });

  it.each([
    ['a bad escape', String.raw`{"input":"a\n\d"}`],
    ['a bad escape and a line break', '{"input":"a\n\\nb\\d"}'],
    ['a bad escape in a fence', `${fence}json\n${String.raw`{"input":"a\n\d"}`}\n${fence}`],
    ['a bad escape in a list', String.raw`[{"input":"a\n\d"}]`],
    ['a bad escape under another key', String.raw`{"code": "a\n\d"}`],
    ['a bad escape, and no quotes around the key', String.raw`{input: "a\n\d"}`],
    ['a bad escape, encoded twice', JSON.stringify(String.raw`{"input":"a\n\d"}`)],
    ['no input', '{"code": "x"}'],
    ['a list', '[{"input":"a"},{"input":"b"}]'],
    ['null', 'null'],
  ])('C28 guard: never gives a tool the JSON around its free text: %s', async (__, text) => {
    const { url } = await proxied(calling({ name: 'apply_patch', arguments: text }), chat);
    expect(await refused(url, patch, stream)).toMatch(/The call to 'apply_patch' could not be passed on/);
  });

  it.each([
    'print(1)',
    'x = {"input": 1}\nprint(x)',
    '{ const a = 1; f(a); }',
    String.raw`re.findall(r"\d{2}", "{input: 1}")`,
    '5',
  ])('guard: gives a tool other free text as it is: %s', async (text) => {
    const { url } = await proxied(calling({ name: 'apply_patch', arguments: text }), chat);
    const items = await output(url, { input: [user], tools: [patch] }, stream);
    expect(items).toMatchObject([{ type: 'custom_tool_call', input: text }]);
  });

  it('C28 guard: never searches for tools without what the search needs', async () => {
    const { url } = await proxied(calling({ name: 'tool_search', arguments: String.raw`{"query": "a\n\d"}` }), chat);
    expect(await refused(url, search, stream)).toMatch(/The call to 'tool_search' could not be passed on/);
  });

  it.each([
    [
      { type: 'local_shell' },
      { command: ['bash', '-lc', 'ls'], timeout_ms: '5000' },
      { type: 'local_shell_call', action: { type: 'exec', command: ['bash', '-lc', 'ls'], env: {}, timeout_ms: 5000 } },
    ],
    [
      { type: 'shell', environment: { type: 'local' } },
      { commands: ['ls', 'pwd'] },
      { type: 'shell_call', action: { commands: ['ls', 'pwd'] } },
    ],
    [
      { type: 'apply_patch' },
      { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b\n' },
      { type: 'apply_patch_call', operation: { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b\n' } },
    ],
  ])('calls tools that the provider defines and the client runs: %j', async (tool, args, item) => {
    const { url, heard } = await proxied(calling({ name: tool.type, arguments: JSON.stringify(args) }), chat);
    const items = await output(url, { input: [user], tools: [tool] }, stream);
    expect(items).toMatchObject([{ ...item, call_id: 'call_0', status: 'completed', id: expect.any(String) }]);
    expect(got(heard).tools?.map((one) => one.function.name)).toEqual([tool.type]);
  });

  it.each([
    { type: 'shell', environment: { type: 'container_auto' } },
    { type: 'web_search' },
    { type: 'computer_use_preview' },
  ])('guard: names tools that only the provider or a screen can run in a warning: %j', async (tool) => {
    const seen: readonly string[][] = [];
    const { url, heard } = await proxied(calling(), {
      ...chat,
      onRequest: ({ warnings }) => (seen as string[][]).push([...warnings]),
    });
    await output(url, { input: [user], tools: [tool] }, stream);
    expect(got(heard).tools ?? []).toEqual([]);
    expect(seen.flat().join()).toContain(`tool '${tool.type}'`);
  });

  it('sends past calls of such tools and their results', async () => {
    const { url, heard } = await proxied(calling(), chat);
    const input = [
      user,
      {
        type: 'local_shell_call',
        id: 'i',
        call_id: 'a',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], env: {} },
      },
      { type: 'local_shell_call_output', id: 'a', output: '{"output":"x.ts","metadata":{"exit_code":0}}' },
      { type: 'apply_patch_call', call_id: 'b', status: 'completed', operation: { type: 'delete_file', path: 'x.ts' } },
      { type: 'apply_patch_call_output', call_id: 'b', status: 'failed', output: 'No such file' },
      { type: 'shell_call', call_id: 'c', status: 'completed', action: { commands: ['pwd'] } },
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: '/work', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ];
    const tools = [{ type: 'local_shell' }, { type: 'apply_patch' }, { type: 'shell' }];
    await output(url, { input, tools }, stream);
    const { messages } = got(heard);
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map((one) => one.function));
    expect(calls.map(({ name, arguments: args }) => [name, JSON.parse(args)])).toEqual([
      ['local_shell', { command: ['ls'], env: {} }],
      ['apply_patch', { type: 'delete_file', path: 'x.ts' }],
      ['shell', { commands: ['pwd'] }],
    ]);
    const results = messages.flatMap(({ tool_call_id: id, content }) => (id ? [[id, String(content)]] : []));
    expect(results).toEqual([
      ['a', expect.stringContaining('x.ts')],
      ['b', expect.stringContaining('No such file')],
      ['c', expect.stringContaining('/work')],
    ]);
  });

  it.each([
    [{ type: 'bash_20250124', name: 'bash' }, { command: 'ls' }],
    [
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10 },
      { command: 'view', path: '/a.ts', view_range: [1, 9] },
    ],
    [
      { type: 'memory_20250818', name: 'memory' },
      { command: 'view', path: '/memories' },
    ],
  ])("calls Anthropic's tools that the client runs: %j", async (tool, args) => {
    const { url, heard } = await proxied(
      calling({ name: tool.name, arguments: `${JSON.stringify(args).slice(0, -1)},}` }),
      chat,
    );
    const body = { model: 'm', max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }], tools: [tool] };
    const { text } = await ask(`${url}/v1/messages`, { body: JSON.stringify(body) });
    expect(JSON.parse(text).content).toMatchObject([{ type: 'tool_use', name: tool.name, input: args }]);
    expect(got(heard).tools?.map((one) => one.function.name)).toEqual([tool.name]);
  });

  it('guard: withholds free text that is cut off', async () => {
    const { url } = await proxied(calling({ name: 'apply_patch', arguments: '{"input": "*** Begin Patch\\n' }), chat);
    const asked = JSON.stringify({ model: 'm', stream, input: [user], tools: [patch] });
    const { text } = await ask(`${url}/v1/responses`, { body: asked });
    expect(text).toContain('was cut off');
    expect(text).not.toContain('custom_tool_call');
  });

  it('gets its tools from an item of the conversation', async () => {
    const functions = {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [{ ...spawn, name: 'shell' }, patch],
    };
    const item = { type: 'additional_tools', role: 'developer', tools: [functions, agents] };
    const { url, heard } = await proxied(
      calling(
        { name: 'shell', arguments: '{"task":"x"}' },
        { name: 'apply_patch', arguments: JSON.stringify({ input: edit }) },
      ),
      chat,
    );
    const items = await output(url, { input: [item, user] }, stream);
    expect(got(heard).tools?.map((tool) => tool.function.name)).toEqual([
      'shell',
      'apply_patch',
      'multi_agent_v1__spawn_agent',
    ]);
    expect(got(heard).messages.map(({ role }) => role)).toEqual(['user']);
    expect(items).toMatchObject([
      { type: 'function_call', name: 'shell', namespace: 'functions' },
      { type: 'custom_tool_call', name: 'apply_patch', namespace: 'functions', input: edit },
    ]);
  });

  it('searches for tools, and calls what it found', async () => {
    const query = { query: 'calendar', limit: 3 };
    const first = await proxied(calling({ name: 'tool_search', arguments: JSON.stringify(query) }), chat);
    const [call] = await output(first.url, { input: [user], tools: [search] }, stream);
    expect(call).toMatchObject({ type: 'tool_search_call', execution: 'client', call_id: 'call_0', arguments: query });
    const found = {
      type: 'namespace',
      name: 'mcp__cal',
      description: 'Dates',
      tools: [{ ...spawn, name: 'add', defer_loading: true }],
    };
    const answer = {
      type: 'tool_search_output',
      call_id: 'call_0',
      status: 'completed',
      execution: 'client',
      tools: [found],
    };
    const second = await proxied(calling({ name: 'mcp__cal__add', arguments: '{"task":"x"}' }), chat);
    const items = await output(second.url, { input: [user, call, answer], tools: [search] }, stream);
    expect(items).toMatchObject([{ type: 'function_call', name: 'add', namespace: 'mcp__cal' }]);
    const { messages, tools } = got(second.heard);
    expect(tools?.map((tool) => tool.function.name)).toEqual(['tool_search', 'mcp__cal__add']);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages[1]?.tool_calls?.[0]?.function.name).toBe('tool_search');
    expect(messages[2]?.content).toContain('mcp__cal__add');
  });
});

describe('The history of Codex at a chat server', () => {
  it('keeps calls of every kind with their results', async () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    const input = [
      user,
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: edit, status: 'completed' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'Done!' },
      { type: 'function_call', call_id: 'b', name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: '{}' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'Seen' }, image] },
      {
        type: 'agent_message',
        author: 'helper',
        recipient: 'me',
        content: [{ type: 'input_text', text: 'I am done.' }],
      },
    ];
    const { url, heard } = await proxied(calling(), chat);
    await output(url, { input, tools: [agents, patch] }, false);
    const { messages } = got(heard);
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map((one) => one.function));
    expect(calls.map(({ name }) => name)).toEqual(['apply_patch', 'multi_agent_v1__spawn_agent']);
    expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual({ input: edit });
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
      ['a', 'Done!'],
      ['b', 'Seen'],
    ]);
    const said = JSON.stringify(messages.filter(({ role }) => role === 'user'));
    expect(said).toContain('data:image/png;base64,iVBORw0KGgo=');
    expect(said).toContain('I am done.');
  });

  it('keeps a forced tool with free text', async () => {
    const { url, heard } = await proxied(
      calling({ name: 'apply_patch', arguments: JSON.stringify({ input: edit }) }),
      chat,
    );
    const asked = { input: [user], tools: [patch], tool_choice: { type: 'custom', name: 'apply_patch' } };
    expect(await output(url, asked, false)).toMatchObject([{ type: 'custom_tool_call' }]);
    expect(got(heard).tool_choice).toEqual({ type: 'function', function: { name: 'apply_patch' } });
  });

  it('guard: shows all deferred tools if the provider would have searched for them', async () => {
    const { url, heard } = await proxied(calling(), chat);
    await output(url, { input: [user], tools: [{ type: 'tool_search' }, { ...spawn, defer_loading: true }] }, false);
    expect(got(heard).tools?.map((tool) => tool.function.name)).toEqual(['spawn_agent']);
  });
});

/** A local server of the Responses API with functions only, as llama.cpp has it. */
const functionsOnly: Answerer = (response, { body }) => {
  const { tools = [], input } = JSON.parse(body) as {
    tools?: { type: string; name: string }[];
    input: { type?: string }[];
  };
  if (tools.some(({ type }) => type !== 'function') || input.some(({ type }) => type === 'additional_tools'))
    return json(response, { error: { code: 400, message: "'type' of tool must be 'function'" } }, 400);
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_0',
    name: tools[0]?.name,
    arguments: '{"task": "look"}',
  };
  return json(response, { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [call] });
};

describe('Codex at a local server of the Responses API', () => {
  it('C28 calls tools of a namespace', async () => {
    const { url } = await proxied(functionsOnly, { about: { formats: ['openai-responses'] } });
    const items = await output(url, { input: [user], tools: [agents] }, false);
    expect(items).toMatchObject([{ type: 'function_call', name: 'spawn_agent', namespace: 'multi_agent_v1' }]);
  });
});

describe('Codex at a local server that refuses its tools', () => {
  const local = { about: { formats: ['openai-responses'] as const } };

  it('gets its free text as a function, and is remembered', async () => {
    const server: Answerer = (response, heard) => {
      const { tools } = JSON.parse(heard.body) as { tools: { type: string }[] };
      if (tools.some(({ type }) => type !== 'function')) functionsOnly(response, heard);
      else {
        const call = {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_0',
          name: 'apply_patch',
          arguments: JSON.stringify({ input: edit }),
        };
        json(response, { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [call] });
      }
    };
    const { url, heard } = await proxied(server, local);
    for (let at = 0; at < 2; at += 1)
      expect(await output(url, { input: [user], tools: [patch] }, false)).toMatchObject([
        { type: 'custom_tool_call', input: edit },
      ]);
    expect(heard.length).toBe(3);
  });

  it('keeps the ids of responses that the server stores', async () => {
    const { url, heard } = await proxied(functionsOnly, local);
    const body = JSON.stringify({ model: 'm', input: [user], tools: [agents], previous_response_id: 'resp_0' });
    const { status, text } = await ask(`${url}/v1/responses`, { body });
    expect([status, (JSON.parse(text) as Item).id]).toEqual([200, 'resp_1']);
    expect(JSON.parse(heard[0]?.body ?? '{}')).toMatchObject({ previous_response_id: 'resp_0' });
  });

  it('guard: gets a refusal of functions as it is', async () => {
    const refusal = { error: { message: "Invalid type for 'tools[0].parameters'", type: 'invalid_request_error' } };
    const { url, heard } = await proxied((response) => json(response, refusal, 400), local);
    const { status, text } = await ask(`${url}/v1/responses`, {
      body: JSON.stringify({ model: 'm', input: [user], tools: [spawn] }),
    });
    expect([status, JSON.parse(text), heard.length]).toEqual([400, refusal, 1]);
  });
});

describe('Claude Code at a chat server', () => {
  const tool = (name: string, more: object = {}) => ({
    name,
    description: `Does ${name}`,
    input_schema: object({}),
    ...more,
  });
  const tools = [tool('ToolSearch'), tool('mcp__a', { defer_loading: true }), tool('mcp__b', { defer_loading: true })];
  const claude = async (url: string, messages: readonly object[], more: object = {}) => {
    const body = JSON.stringify({ model: 'm', max_tokens: 99, tools, messages, ...more });
    const { status, text } = await ask(`${url}/v1/messages`, { body });
    expect(status, text).toBe(200);
    return JSON.parse(text) as { content: Item[] };
  };
  const go = { role: 'user', content: 'Go.' };
  const searched = [
    go,
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'mcp__b' }] }],
    },
  ];

  it('sees deferred tools once a result refers to them', async () => {
    const { url, heard } = await proxied(calling({ name: 'mcp__b', arguments: '' }), chat);
    await claude(url, [go]);
    expect(got(heard).tools?.map((one) => one.function.name)).toEqual(['ToolSearch']);
    const { content } = await claude(url, searched);
    expect(content).toMatchObject([{ type: 'tool_use', name: 'mcp__b', input: {} }]);
    const { tools: shown, messages } = got(heard);
    expect(shown?.map((one) => one.function.name)).toEqual(['ToolSearch', 'mcp__b']);
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 't1',
      content: expect.stringContaining('mcp__b'),
    });
  });

  it('guard: sees all deferred tools if the provider would have searched for them', async () => {
    const { url, heard } = await proxied(calling(), chat);
    const hosted = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' };
    await claude(url, [go], { tools: [hosted, ...tools.slice(1)] });
    expect(got(heard).tools?.map((one) => one.function.name)).toEqual(['mcp__a', 'mcp__b']);
  });

  it('guard: keeps images in results', async () => {
    const { url, heard } = await proxied(calling(), chat);
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'image', source }] };
    await claude(url, [...searched.slice(0, 2), { role: 'user', content: [result] }]);
    expect(heard.at(-1)?.body).toContain('data:image/png;base64,iVBORw0KGgo=');
  });
});

describe.each(modes)('A chat client with free text at an Ollama server, %s', (_, stream) => {
  const tools = [
    {
      type: 'custom',
      custom: { name: 'run', format: { type: 'grammar', grammar: { syntax: 'regex', definition: '.+' } } },
    },
  ];
  const past = { id: 'a', type: 'custom', custom: { name: 'run', input: 'ls' } };
  const server: Answerer = (response) => {
    const message = {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'run', arguments: { input: edit } } }],
    };
    const body = JSON.stringify({
      model: 'm',
      created_at: '2026-01-01T00:00:00Z',
      message,
      done: true,
      done_reason: 'stop',
    });
    response.writeHead(200, { 'content-type': stream ? 'application/x-ndjson' : 'application/json' }).end(`${body}\n`);
  };

  it('gets calls of its own kind', async () => {
    const { url, heard } = await proxied(server, { about: { formats: ['ollama'] } });
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: null, tool_calls: [past] },
      { role: 'tool', tool_call_id: 'a', content: 'a.ts' },
    ];
    const { text } = await ask(`${url}/v1/chat/completions`, {
      body: JSON.stringify({ model: 'm', stream, tools, messages }),
    });
    const frames = stream
      ? text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
      : [JSON.parse(text)];
    const calls = frames.flatMap(({ choices: [choice] }) => (choice?.delta ?? choice?.message)?.tool_calls ?? []);
    expect(calls).toMatchObject([{ type: 'custom', custom: { name: 'run', input: edit } }]);
    const sent = JSON.parse(heard[0]?.body ?? '{}');
    expect(sent.tools[0].function.name).toBe('run');
    expect(sent.tools[0].function.description).toContain('.+');
    expect(sent.messages[1].tool_calls[0].function).toEqual({ name: 'run', arguments: { input: 'ls' } });
  });
});

describe('A call that a result shows', () => {
  const shown = '<tool_call>\n{"name": "apply_patch", "arguments": {"input": "*** Begin Patch"}}\n</tool_call>';
  const saying: Answerer = (response) =>
    json(response, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        { index: 0, message: { role: 'assistant', content: `The file says:\n${shown}` }, finish_reason: 'stop' },
      ],
    });

  it.each([
    ['custom_tool_call', { name: 'apply_patch', input: 'x' }],
    ['function_call', { name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: '{}' }],
  ])('guard: stays text after a %s of Codex', async (type, call) => {
    const { url } = await proxied(saying, chat);
    const input = [
      user,
      { type, call_id: 'a', ...call },
      { type: `${type}_output`, call_id: 'a', output: `1: ${shown}` },
    ];
    const items = await output(url, { input, tools: [agents, patch] }, false);
    expect(items.map((item) => item.type)).toEqual(['message']);
    expect(JSON.stringify(items)).toContain('The file says:');
  });
});
