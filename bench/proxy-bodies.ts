/** The requests of the proxy benchmark, and the responses of its upstream: text and a damaged call. */
const tool = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' }, encoding: { type: 'string' } },
      required: ['path'],
    },
  },
};
const messages = Array.from({ length: 6 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `This is message ${index} of a conversation that has gone on for a while. `.repeat(5),
}));

/** A request with a few tools, streamed or not. */
export const question = (stream: boolean): string => {
  const tools = Array.from({ length: 8 }, (_, index) => ({
    ...tool,
    function: { ...tool.function, name: index === 0 ? 'read_file' : `other_tool_${index}` },
  }));
  return JSON.stringify({ model: 'm', messages, tools, stream });
};

const damaged = "{path: 'src/proxy/server.ts', limit: '20',}";
const words = 'Let me look at the file that holds the proxy and see what it does there. ';

export const wholeBody = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: words,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: damaged } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 },
});

const frame = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const streamBody: readonly string[] = [
  frame({ role: 'assistant', content: '' }),
  ...words.split(' ').map((word) => frame({ content: `${word} ` })),
  frame({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '' } }] }),
  ...(damaged.match(/.{1,6}/g) ?? []).map((text) =>
    frame({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
  ),
  frame({}, 'tool_calls'),
  'data: [DONE]\n\n',
];
