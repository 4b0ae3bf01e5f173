import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answerer, ask, closeAll, type Heard, json, proxied } from './around.ts';

afterEach(closeAll);

const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const patch = '*** Begin Patch\n*** Delete File: src/';

type End = 'length' | 'complete' | 'dropped';
type Item = Record<string, unknown>;

/** What the Chat Completions API sends for calls of its kinds, the last one as far as it came. */
function chat(calls: readonly Item[], end: End): Answerer {
  const head = { id: 'c1', created: 1, model: 'm' };
  const finish_reason = end === 'length' ? 'length' : 'tool_calls';
  const chunk = (delta: object, finish: string | null = null): string =>
    sse({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
  const pieces = calls.flatMap((call, index) => {
    const [kind, field] =
      call.type === 'custom' ? (['custom', 'input'] as const) : (['function', 'arguments'] as const);
    const { name, [field]: text } = call[kind] as Record<string, string>;
    const half = Math.ceil((text ?? '').length / 2);
    return [
      chunk({ tool_calls: [{ index, id: call.id, type: call.type, [kind]: { name, [field]: '' } }] }),
      chunk({ tool_calls: [{ index, [kind]: { [field]: text?.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, [kind]: { [field]: text?.slice(half) } }] }),
    ];
  });
  const message = { role: 'assistant', content: 'I do.', tool_calls: calls };
  const whole = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] };
  const stream = [
    chunk({ role: 'assistant', content: 'I do.' }),
    ...pieces,
    chunk({}, finish_reason),
    'data: [DONE]\n\n',
  ];
  return sending(whole, end === 'dropped' ? stream.slice(0, -3) : stream, end);
}

/** What the Responses API sends for items. */
function responses(items: readonly Item[], end: End): Answerer {
  let sequence_number = 0;
  const event = (type: string, fields: object): string => sse({ type, sequence_number: sequence_number++, ...fields });
  const words = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
  const message = { ...words, content: [{ type: 'output_text', text: 'I do.', annotations: [] }] };
  const output = [message, ...items];
  const body = (status: string, all: readonly object[]) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    output: all,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  });
  const status = end === 'length' ? 'incomplete' : 'completed';
  const whole = body(status, output);
  const stream = [
    event('response.created', { response: body('in_progress', []) }),
    event('response.output_item.added', { output_index: 0, item: { ...message, content: [] } }),
    event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'I do.' }),
    event('response.output_item.done', { output_index: 0, item: message }),
    ...items.flatMap((item, at) => {
      const place = { item_id: item.id, output_index: at + 1 };
      const [kind, field] =
        item.type === 'function_call' ? ['function_call_arguments', 'arguments'] : ['custom_tool_call_input', 'input'];
      const text = item[field as string];
      const grows =
        typeof text === 'string'
          ? [
              event(`response.${kind}.delta`, { ...place, delta: text }),
              event(`response.${kind}.done`, { ...place, [field as string]: text }),
            ]
          : [];
      const begun = typeof text === 'string' ? { ...item, [field as string]: '' } : item;
      return [
        event('response.output_item.added', { output_index: at + 1, item: { ...begun, status: 'in_progress' } }),
        ...grows,
        event('response.output_item.done', { output_index: at + 1, item }),
      ];
    }),
    event(`response.${status}`, { response: whole }),
  ];
  return sending(whole, end === 'dropped' ? stream.slice(0, -2) : stream, end);
}

const sending =
  (whole: object, stream: readonly string[], end: End): Answerer =>
  (response, { body }: Heard) => {
    const { stream: streamed } = JSON.parse(body) as { stream?: boolean };
    const type = streamed ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    if (end === 'dropped') response.write(stream.join(''), () => setTimeout(() => response.destroy(), 5));
    else response.end(streamed ? stream.join('') : JSON.stringify(whole));
  };

interface Got {
  readonly text: string;
  readonly calls: readonly string[];
  readonly finish: unknown;
  /** All the client was sent of the calls, complete or in pieces. */
  readonly said: string;
  readonly error: boolean;
}

const tools = [
  { type: 'custom', custom: { name: 'apply_patch' } },
  { type: 'function', function: { name: 'now' } },
];

async function askChat(url: string, stream: boolean): Promise<Got> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });
  const request = { model: 'm', messages: [{ role: 'user', content: 'Go.' }], tools, stream } as never;
  const seen: unknown[] = [];
  let error = false;
  try {
    const answer = (await client.chat.completions.create(request)) as unknown;
    if (!stream) seen.push(answer);
    else for await (const chunk of answer as AsyncIterable<unknown>) seen.push(chunk);
  } catch {
    error = true;
  }
  const choices = (seen as { choices: { delta?: Item; message?: Item; finish_reason?: string }[] }[]).flatMap(
    (one) => one.choices,
  );
  const deltas = choices.map((one) => one.delta ?? one.message ?? {});
  const called = deltas.flatMap((one) => (one.tool_calls ?? []) as { id?: string }[]);
  return {
    text: deltas.map((one) => one.content ?? '').join(''),
    calls: called.flatMap(({ id }) => (id ? [id] : [])),
    finish: choices.findLast((one) => one.finish_reason)?.finish_reason,
    said: JSON.stringify(called),
    error,
  };
}

async function askResponses(url: string, stream: boolean): Promise<Got> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });
  const request = {
    model: 'm',
    input: 'Go.',
    store: false,
    stream,
    tools: [{ type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }],
  } as never;
  const seen: Item[] = [];
  let error = false;
  let last: { output?: Item[]; incomplete_details?: { reason?: string } | null } = {};
  try {
    const answer = (await client.responses.create(request)) as unknown;
    if (!stream) last = answer as typeof last;
    else for await (const event of answer as AsyncIterable<Item>) seen.push(event);
  } catch {
    error = true;
  }
  if (!stream) seen.push(last as Item);
  else last = (seen.at(-1)?.response ?? {}) as typeof last;
  const done = stream
    ? seen.flatMap((one) => (one.type === 'response.output_item.done' ? [one.item as Item] : []))
    : (last.output ?? []);
  const content = done.flatMap((one) => (one.content ?? []) as { text: string }[]);
  return {
    text: content.map(({ text }) => text).join(''),
    calls: done.flatMap((one) => (String(one.type).endsWith('_call') ? [String(one.id)] : [])),
    finish: last.incomplete_details?.reason,
    said: JSON.stringify(seen.filter((one) => one.type !== 'response.created')),
    error,
  };
}

const custom = (id: string, input = patch): Item => ({ id, type: 'custom', custom: { name: 'apply_patch', input } });
const item = (id: string, more: Item): Item => ({ id, call_id: `call_${id}`, status: 'completed', ...more });
const free = (id: string, more: Item = {}): Item =>
  item(id, { type: 'custom_tool_call', name: 'apply_patch', input: patch, ...more });
const shell = { type: 'local_shell_call', action: { type: 'exec', command: ['rm', '-rf', '/srv/'], env: {} } };
const nowCall = { id: 'f1', type: 'function', function: { name: 'now', arguments: '{}' } };

type Row = readonly [name: string, answer: (end: End) => Answerer, ask: typeof askChat, earlier: readonly string[]];
const rows: readonly Row[] = [
  ['chat custom', (end) => chat([custom('a')], end), askChat, []],
  ['chat custom, the second of two', (end) => chat([custom('a'), custom('b')], end), askChat, ['a']],
  ['chat custom behind a function', (end) => chat([nowCall, custom('b')], end), askChat, ['f1']],
  ['Responses custom_tool_call', (end) => responses([free('a')], end), askResponses, []],
  [
    'Responses custom_tool_call, the second of two',
    (end) => responses([free('a'), free('b')], end),
    askResponses,
    ['a'],
  ],
  [
    'Responses custom_tool_call that says so',
    (end) => responses([free('a', { status: 'incomplete' })], end),
    askResponses,
    [],
  ],
  ['Responses local_shell_call', (end) => responses([item('a', shell)], end), askResponses, []],
  [
    'Responses shell_call',
    (end) => responses([item('a', { type: 'shell_call', action: { commands: ['rm -rf /srv/'] } })], end),
    askResponses,
    [],
  ],
  [
    'Responses apply_patch_call',
    (end) =>
      responses(
        [item('a', { type: 'apply_patch_call', operation: { type: 'update_file', path: 'src/', diff: patch } })],
        end,
      ),
    askResponses,
    [],
  ],
  [
    'Responses computer_call',
    (end) => responses([item('a', { type: 'computer_call', action: { type: 'type', text: 'rm -rf /srv/' } })], end),
    askResponses,
    [],
  ],
];
const modes = [
  ['whole', false],
  ['streamed', true],
] as const;
const table = rows.flatMap((row) => modes.map(([mode, streamed]) => [`${row[0]}, ${mode}`, row, streamed] as const));

describe("C2 a truncated call with free text doesn't reach a client", () => {
  it.each(table)('%s', async (_, [, answer, ask, earlier], streamed) => {
    const { url } = await proxied(answer('length'));
    const { text, calls, finish, said, error } = await ask(url, streamed);
    expect(error).toBe(false);
    expect(calls).toEqual(earlier);
    expect(text).toMatch(
      /^I do\.\n*\[The call to '\w+' was cut off by the output token limit: its input is incomplete/,
    );
    expect(finish).toMatch(/^length$|^max_output_tokens$/);
    if (earlier.length === 0) expect(said).not.toMatch(/Delete File|rm -rf|"rm"/);
  });
});

const broken = async (...[, answer, ask, earlier]: Row): Promise<void> => {
  const { url } = await proxied(answer('dropped'));
  const { calls, said, error } = await ask(url, true);
  expect(error || said.includes('"error"')).toBe(true);
  expect(calls).toEqual(earlier);
  if (earlier.length === 0) expect(said).not.toMatch(/Delete File|rm -rf|"rm"/);
};

describe("F1 an interrupted call with free text doesn't reach a client", () => {
  it.each(rows.filter(([name]) => !/says so|behind|second/.test(name)))('%s', broken);
});

describe("C2 a truncated Gemini call with partial arguments doesn't reach a client", () => {
  const pieces = [
    { name: 'write_file', willContinue: true },
    { partialArgs: [{ jsonPath: '$.path', stringValue: 'a.txt' }], willContinue: true },
    { partialArgs: [{ jsonPath: '$.content', stringValue: 'rm -rf', willContinue: true }], willContinue: true },
  ];
  const frame = (parts: object[], more: object = {}): string =>
    sse({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] });
  const stream = (finishReason: string): string =>
    [...pieces.map((functionCall) => frame([{ functionCall }])), frame([], { finishReason })].join('');

  it.each(['MAX_TOKENS', 'STOP'])('%s', async (finish) => {
    const { url } = await proxied((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream(finish));
    });
    const asked = { contents: [], tools: [{ functionDeclarations: [{ name: 'write_file' }] }] };
    const path = '/v1beta/models/m:streamGenerateContent?alt=sse';
    const text = await fetch(url + path, { method: 'POST', body: JSON.stringify(asked) }).then((one) => one.text());
    expect(text).toContain("The call to 'write_file' was cut off");
    expect(text).not.toMatch(/functionCall|rm -rf/);
  });
});

it.each(rows.filter(([name]) => /^Responses.*second/.test(name)))(
  'guard: an interrupted connection forwards no %s',
  broken,
);

describe('guard: complete calls pass', () => {
  it.each(table.filter(([name]) => !name.includes('says so')))('%s', async (_, [, answer, ask, earlier], streamed) => {
    const { url, direct } = await proxied(answer('complete'));
    const through = await ask(url, streamed);
    expect(through.calls).toHaveLength(earlier.length + 1);
    expect(through).toEqual(await ask(direct, streamed));
  });

  it.each(modes)('a call with free text before a truncated function call, %s', async (_, streamed) => {
    const open = { id: 'f1', type: 'function', function: { name: 'now', arguments: '{"zone": "Eur' } };
    const { url } = await proxied(chat([custom('a'), open], 'length'));
    const { calls, text } = await askChat(url, streamed);
    expect(calls).toEqual(['a']);
    expect(text).toContain("The call to 'now' was cut off");
  });

  it.each(modes)('calls that the server runs itself, %s', async (_, streamed) => {
    const search = item('a', { type: 'web_search_call', action: { type: 'search', query: 'x' } });
    const { url, direct } = await proxied(responses([search], 'length'));
    expect(await askResponses(url, streamed)).toEqual(await askResponses(direct, streamed));
  });
});

describe("a translated call without what its client's item needs", () => {
  const custom = { type: 'custom', name: 'apply_patch', description: 'Patches' };
  const rows: readonly (readonly [string, object, string, string, string, RegExp])[] = [
    ['free text, at the token limit', custom, 'apply_patch', '{}', 'length', /was cut off by the output token limit/],
    ['free text', custom, 'apply_patch', '{}', 'tool_calls', /could not be passed on/],
    ['a command', { type: 'local_shell' }, 'local_shell', '{}', 'tool_calls', /could not be passed on/],
    ['commands', { type: 'shell' }, 'shell', '{"timeout_ms": 5}', 'tool_calls', /could not be passed on/],
  ];
  const cases = rows.flatMap(([title, ...row]) => [false, true].map((stream) => [title, stream, ...row] as const));

  it.each(cases)('C2 is withheld: %s, streamed: %s', async (_, stream, tool, name, given, finish, note) => {
    const called = { index: 0, id: 'c', type: 'function', function: { name, arguments: given } };
    const chunk = (delta: object, finish_reason: string | null): string =>
      `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const { url } = await proxied(
      (response) => {
        if (stream) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`${chunk({ tool_calls: [called] }, null)}${chunk({}, finish)}data: [DONE]\n\n`);
        } else {
          const message = { role: 'assistant', content: null, tool_calls: [called] };
          json(response, {
            id: 'r',
            object: 'chat.completion',
            choices: [{ index: 0, message, finish_reason: finish }],
          });
        }
      },
      { about: { formats: ['openai-chat'] } },
    );
    const body = JSON.stringify({ model: 'm', input: 'x', stream, tools: [tool] });
    const { text } = await ask(`${url}/v1/responses`, { body });
    expect(text).toMatch(note);
    expect(text).not.toMatch(/"type":"\w*_call"/);
  });
});
