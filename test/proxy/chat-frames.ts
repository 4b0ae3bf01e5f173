/** A Chat Completions request with one tool, and the parts of an upstream's responses with a damaged call of it. */

export const fileParameters = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path'],
};

export const chatPath = '/v1/chat/completions';
export const chatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  tools: [{ type: 'function', function: { name: 'read_file', parameters: fileParameters } }],
};
export const sse = { 'content-type': 'text/event-stream' };

/** Arguments of the tool, and what the proxy makes of them. */
export const damagedArguments = "{'path': 'a', 'limit': '3'}";
export const mendedArguments = '{"path":"a","limit":3}';

export const chatCall = (args: unknown = damagedArguments, more: object = {}) => ({
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'read_file', arguments: args },
  ...more,
});

export const dataFrame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A chunk of a stream. `more` has further fields of it, and the index of its choice. */
export const chatChunk = (
  delta: object,
  finish: string | null = null,
  { index = 0, ...more }: { readonly index?: number; readonly [field: string]: unknown } = {},
): string =>
  dataFrame({
    id: 'r',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index, delta, finish_reason: finish }],
    ...more,
  });

export const doneFrame = 'data: [DONE]\n\n';
