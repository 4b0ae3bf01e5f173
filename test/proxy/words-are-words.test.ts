/** C29 Requests that want no calls, in every way that the API formats have to say so: what the answer writes stays text. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, upstream } from './around.ts';
import { cuttingServer } from './cutting-server.ts';

const call = '{"name": "delete_file", "arguments": {"path": "/srv/db"}}';
const answers = { marked: `<tool_call>\n${call}\n</tool_call>`, bare: call } as const;
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const name = 'delete_file';
const user = [{ role: 'user', content: 'Go.' }];
const chatTools = [{ type: 'function', function: { name, parameters: schema } }];
const responsesTools = [{ type: 'function', name, parameters: schema, strict: false }];
const messagesTools = [{ name, input_schema: schema }];
const geminiTools = [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }];
const chat = { model: 'm', messages: user };
const responses = { model: 'm', store: false, input: 'Go.' };
const messages = { model: 'm', max_tokens: 9, messages: user };
const contents = { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] };

const rows: readonly (readonly [Format, string, object])[] = [
  ['openai-chat', 'no tools', chat],
  ['openai-chat', 'an empty list of tools', { ...chat, tools: [] }],
  ['openai-chat', 'no choice', { ...chat, tools: chatTools, tool_choice: 'none' }],
  ['openai-chat', 'a JSON object', { ...chat, tools: chatTools, response_format: { type: 'json_object' } }],
  [
    'openai-chat',
    'a JSON schema',
    { ...chat, tools: chatTools, response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } },
  ],
  ['openai-chat', 'old functions, none', { ...chat, functions: [{ name, parameters: schema }], function_call: 'none' }],
  ['openai-chat', 'a tool in free text alone', { ...chat, tools: [{ type: 'custom', custom: { name: 'sh' } }] }],
  ['openai-responses', 'no tools', responses],
  ['openai-responses', 'no choice', { ...responses, tools: responsesTools, tool_choice: 'none' }],
  [
    'openai-responses',
    'a JSON object',
    { ...responses, tools: responsesTools, text: { format: { type: 'json_object' } } },
  ],
  [
    'openai-responses',
    'a JSON schema',
    { ...responses, tools: responsesTools, text: { format: { type: 'json_schema', name: 'x', schema } } },
  ],
  ['openai-responses', 'hosted tools alone', { ...responses, tools: [{ type: 'web_search' }] }],
  ['anthropic', 'no tools', messages],
  ['anthropic', 'no choice', { ...messages, tools: messagesTools, tool_choice: { type: 'none' } }],
  [
    'anthropic',
    'a JSON schema',
    { ...messages, tools: messagesTools, output_config: { format: { type: 'json_schema', schema } } },
  ],
  [
    'anthropic',
    'a JSON schema, in the older field',
    { ...messages, tools: messagesTools, output_format: { type: 'json_schema', schema } },
  ],
  ['anthropic', 'hosted tools alone', { ...messages, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['gemini', 'no tools', contents],
  ['gemini', 'no choice', { ...contents, tools: geminiTools, toolConfig: { functionCallingConfig: { mode: 'NONE' } } }],
  [
    'gemini',
    'no choice, with underscores',
    { ...contents, tools: geminiTools, tool_config: { function_calling_config: { mode: 'NONE' } } },
  ],
  ['gemini', 'JSON', { ...contents, tools: geminiTools, generationConfig: { responseMimeType: 'application/json' } }],
  [
    'gemini',
    'JSON, with underscores',
    { ...contents, tools: geminiTools, generation_config: { response_mime_type: 'application/json' } },
  ],
  [
    'gemini',
    'a JSON schema',
    {
      ...contents,
      tools: geminiTools,
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    },
  ],
  [
    'gemini',
    'an enum',
    {
      ...contents,
      tools: geminiTools,
      generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } },
    },
  ],
  ['gemini', 'hosted tools alone', { ...contents, tools: [{ googleSearch: {} }] }],
  ['ollama', 'no tools', { model: 'm', messages: user }],
  ['ollama', 'JSON', { model: 'm', messages: user, tools: chatTools, format: 'json' }],
  ['ollama', 'a JSON schema', { model: 'm', messages: user, tools: chatTools, format: schema }],
];
const wanting: readonly (readonly [Format, string, object])[] = [
  ['openai-chat', 'tools', { ...chat, tools: chatTools }],
  ['openai-chat', 'tools and words', { ...chat, tools: chatTools, response_format: { type: 'text' } }],
  ['openai-responses', 'tools', { ...responses, tools: responsesTools }],
  ['openai-responses', 'tools and words', { ...responses, tools: responsesTools, text: { format: { type: 'text' } } }],
  ['anthropic', 'tools', { ...messages, tools: messagesTools }],
  ['gemini', 'tools', { ...contents, tools: geminiTools }],
  [
    'gemini',
    'tools and words',
    { ...contents, tools: geminiTools, generationConfig: { responseMimeType: 'text/plain' } },
  ],
  ['ollama', 'tools', { model: 'm', messages: user, tools: chatTools }],
  ['ollama', 'tools and an empty format', { model: 'm', messages: user, tools: chatTools, format: '' }],
];

/** Requests whose tool choice names the tools that may be called, in every notation. */
const choosing = (...names: readonly [string, ...string[]]): readonly (readonly [Format, string, object])[] => {
  const all = [name, 'read_file', 'list_files'];
  const tools = all.map((one) => ({ type: 'function', function: { name: one, parameters: schema } }));
  const flat = all.map((one) => ({ type: 'function', name: one, parameters: schema, strict: false }));
  const own = all.map((one) => ({ name: one, input_schema: schema }));
  const declared = [{ functionDeclarations: all.map((one) => ({ name: one, parametersJsonSchema: schema })) }];
  const nested = names.map((one) => ({ type: 'function', function: { name: one } }));
  const list = names.map((one) => ({ type: 'function', name: one }));
  const gemini = (mode: string) => ({ functionCallingConfig: { mode, allowedFunctionNames: names } });
  const one = names.length === 1;
  const forced: readonly (readonly [Format, string, object])[] = [
    ['openai-chat', 'a forced function', { ...chat, tools, tool_choice: nested[0] }],
    ['openai-chat', 'an old forced function', { ...chat, tools, function_call: { name: names[0] } }],
    ['openai-responses', 'a forced function', { ...responses, tools: flat, tool_choice: list[0] }],
    ['anthropic', 'a forced tool', { ...messages, tools: own, tool_choice: { type: 'tool', name: names[0] } }],
  ];
  return [
    ...(one ? forced : []),
    [
      'openai-chat',
      'allowed tools',
      { ...chat, tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: nested } } },
    ],
    [
      'openai-responses',
      'allowed tools',
      { ...responses, tools: flat, tool_choice: { type: 'allowed_tools', mode: 'required', tools: list } },
    ],
    ['gemini', 'allowed names', { ...contents, tools: declared, toolConfig: gemini('ANY') }],
    ['gemini', 'allowed names, validated', { ...contents, tools: declared, toolConfig: gemini('VALIDATED') }],
    [
      'gemini',
      'allowed names, with underscores',
      {
        ...contents,
        tools: declared,
        tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: names } },
      },
    ],
  ];
};

const stops: Readonly<Record<Format, string>> = {
  'openai-chat': 'stop',
  'openai-responses': 'completed',
  anthropic: 'end_turn',
  gemini: 'STOP',
  ollama: 'stop',
};
const formats = Object.keys(stops) as Format[];
const path = (format: Format, streams: boolean): string =>
  ({
    'openai-chat': '/v1/chat/completions',
    'openai-responses': '/v1/responses',
    anthropic: '/v1/messages',
    gemini: `/v1beta/models/m:${streams ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    ollama: '/api/chat',
  })[format];

const proxies = new Map<string, string>();
beforeAll(async () => {
  for (const format of formats)
    for (const [kind, words] of Object.entries(answers)) {
      const { url } = await upstream(
        cuttingServer(() => ({ words, calls: [], ends: 'tool_calls', word: stops[format] })),
      );
      const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
      open.push(proxy);
      proxies.set(`${format} ${kind}`, proxy.url);
    }
});
afterAll(closeAll);

async function passed(client: Format, server: Format, kind: string, body: object, streams: boolean): Promise<string> {
  const response = await fetch(`${proxies.get(`${server} ${kind}`)}${path(client, streams)}`, {
    method: 'POST',
    body: JSON.stringify(client === 'gemini' ? body : { ...body, stream: streams }),
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
const calls =
  /"(?:tool_calls|functionCall)":\s?[[{](?!\])|"function_call":\s?\{|"type":\s?"(?:tool_use|function_call)"/;

/** What held before words were looked at for a form. */
const before = /no tools|empty list|no choice|none$|alone$/;
const titled = rows.map((row) => [before.test(row[1]) ? 'guard: ' : '', ...row] as const);
const modes = [false, true];
describe.each(Object.keys(answers))('a %s call', (kind) => {
  it.each(titled)('%sstays text: %s, %s', async (_, format, __, body) => {
    for (const streams of modes) {
      const text = await passed(format, format, kind, body, streams);
      expect(text).not.toMatch(calls);
      expect(text).toContain('delete_file');
      const server = formats[(formats.indexOf(format) + 1) % formats.length] as Format;
      expect(await passed(format, server, kind, body, streams)).not.toMatch(calls);
    }
  });

  it.each(wanting)('guard: counts: %s, %s', async (format, _, body) => {
    for (const streams of modes) expect(await passed(format, format, kind, body, streams)).toMatch(calls);
  });

  it.each([...choosing('read_file'), ...choosing('read_file', 'list_files')])(
    'stays text where the choice allows other tools: %s, %s',
    async (format, _, body) => {
      for (const streams of modes) {
        const text = await passed(format, format, kind, body, streams);
        expect(text).not.toMatch(calls);
        expect(text).toContain('delete_file');
      }
    },
  );

  it.each([...choosing('delete_file'), ...choosing('read_file', 'delete_file')])(
    'guard: is made where the choice allows it: %s, %s',
    async (format, _, body) => {
      for (const streams of modes) expect(await passed(format, format, kind, body, streams)).toMatch(calls);
    },
  );
});
