/** What the conformance suite's scenarios ask for by name: tools, resources, prompts and forms, as data. */
import type { Wire } from '../../src/gateway/rpc.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const said = (text: string): Wire => ({ type: 'text', text });
const image: Wire = { type: 'image', data: pixel, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, text: string): Wire => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

const object = (properties: Wire = {}): Wire => ({ type: 'object', properties, required: Object.keys(properties) });
/** An object of texts, all of them required. */
export const texts = (...names: string[]): Wire =>
  object(Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}` }])));

interface Listed extends Wire {
  readonly name: string;
  /** What a call gives; those without one do something. */
  readonly result?: Wire;
}

const tool = (name: string, content?: readonly Wire[], inputSchema = object()): Listed => ({
  name,
  description: `Does what the suite expects of ${name}`,
  inputSchema,
  ...(content && { result: { content } }),
});

const list: Wire = { type: 'array', items: { type: 'string' } };

export const tools: readonly Listed[] = [
  tool('test_simple_text', [said('This is a simple text response for testing.')]),
  tool('test_image_content', [image]),
  tool('test_audio_content', [{ type: 'audio', data: silence, mimeType: 'audio/wav' }]),
  tool('test_embedded_resource', [embedded('test://embedded-resource', 'text/plain', 'Embedded')]),
  tool('test_multiple_content_types', [
    said('Three kinds:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  tool('test_reconnection', [said('Nothing was closed')]),
  tool('test_error_handling'),
  tool('test_tool_with_logging'),
  tool('test_tool_with_progress'),
  tool('test_sampling', undefined, texts('prompt')),
  tool('test_elicitation', undefined, texts('message')),
  tool('test_elicitation_sep1034_defaults'),
  tool('test_elicitation_sep1330_enums'),
  tool('json_schema_2020_12_tool', undefined, {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { city: { type: 'string' }, lines: list } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  }),
];

export const withDefaults: Wire = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `The ${value}` }));
const untitled = ['option1', 'option2', 'option3'];

export const enums: Wire = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: untitled },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: untitled } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
};

const described = (uri: string, mimeType: string): Wire => ({ uri, name: uri, description: `At ${uri}`, mimeType });

export const resources: readonly Wire[] = [
  described('test://static-text', 'text/plain'),
  described('test://static-binary', 'image/png'),
  described('test://watched-resource', 'text/plain'),
];
export const templates: readonly Wire[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'By its id',
    mimeType: 'application/json',
  },
];

/** What stands at an address. */
export function resourceAt(uri: string): Wire {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) };
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: pixel };
  return { uri, mimeType: 'text/plain', text: `What stands at ${uri}` };
}

interface Prompt extends Wire {
  readonly name: string;
  readonly messages: (given: Wire) => readonly Wire[];
}

const prompt = (name: string, names: readonly string[], content: (given: Wire) => readonly Wire[]): Prompt => ({
  name,
  description: `Says what the suite expects of ${name}`,
  arguments: names.map((argument) => ({ name: argument, description: `The ${argument}`, required: true })),
  messages: (given) => content(given).map((part) => ({ role: 'user', content: part })),
});

export const prompts: readonly Prompt[] = [
  prompt('test_simple_prompt', [], () => [said('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri }) => [
    embedded(String(resourceUri), 'text/plain', 'Embedded'),
    said('What is above?'),
  ]),
  prompt('test_prompt_with_image', [], () => [image, said('What is above?')]),
];
