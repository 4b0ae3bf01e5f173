import type { ModelRequest, ToolSpec, UserMessage } from '../../model/index.ts';
import type { SchemaObject } from '../../schema/types.ts';
import { toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';

const weather: ToolSpec = {
  type: 'function',
  name: 'get_weather',
  description: 'Gets the current weather in a city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'The name of the city' } },
    required: ['city'],
    additionalProperties: false,
  },
};

const order: ToolSpec = {
  type: 'function',
  name: 'place_order',
  description: 'Places an order',
  schema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, count: { type: 'integer' } },
          required: ['name', 'count'],
          additionalProperties: false,
        },
      },
      address: {
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
        required: ['street', 'city'],
        additionalProperties: false,
      },
    },
    required: ['items', 'address'],
    additionalProperties: false,
  },
};

/** A field without a type: many servers and models send its lists as JSON text. */
const tags: ToolSpec = {
  type: 'function',
  name: 'save_tags',
  description: 'Saves tags',
  schema: {
    type: 'object',
    properties: { tags: { description: 'A list of tags' } },
    required: ['tags'],
    additionalProperties: false,
  },
};

/** Schema for structured output. */
export const responseSchema: SchemaObject = {
  type: 'object',
  properties: { capital: { type: 'string' }, river: { type: 'string' } },
  required: ['capital', 'river'],
  additionalProperties: false,
};

const says = (text: string): UserMessage => ({ role: 'user', parts: [{ type: 'text', text }] });

/** The prompts that a server is checked with. */
export const prompts = {
  answer: { messages: [says('Answer with the single word: ready')] },
  call: { tools: [weather], messages: [says('What is the weather in Paris? Call get_weather.')] },
  nested: {
    tools: [order],
    messages: [says('Order 2 apples and 3 pears to 5 Mill Lane in York. Call place_order once.')],
  },
  untyped: { tools: [tags], messages: [says('Save the tags red and blue. Call save_tags once.')] },
  parallel: {
    tools: [weather],
    messages: [says('What is the weather in Paris and in Tokyo? Call get_weather for both at once, in one answer.')],
  },
  result: {
    tools: [weather],
    messages: [
      says('What is the weather in Paris?'),
      {
        role: 'assistant',
        parts: [{ type: 'call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' }],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'result',
            callId: 'call_1',
            name: 'get_weather',
            content: [{ type: 'text', text: '18 degrees, rain' }],
          },
        ],
      },
    ],
  },
  output: {
    messages: [says('Name the capital of France and its river, as JSON with the keys capital and river.')],
    output: { type: 'schema', name: 'answer', schema: responseSchema, strict: true },
  },
} as const satisfies Readonly<Record<string, ModelRequest>>;

/** The tools of all prompts, to check calls against. */
export const toolbox = new Toolbox([weather, order, tags].map(toolFromSpec), { validate: false });
