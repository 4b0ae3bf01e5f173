import { describe, expect, it } from 'vitest';
import type { ReadCallsOptions } from '../../src/dialect/call-reader.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

/** Texts that two different responses could have become run nothing. */

const city = { type: 'string' } as const;
const toolbox = new Toolbox(
  Object.entries({
    get_weather: { type: 'object', properties: { city } } as const,
    terminal: { type: 'object' } as const,
    install: { type: 'object', properties: { name: city, arguments: { type: 'object' } } } as const,
  }).map(([name, inputSchema]) => tool({ name, description: 'Does it', effect: 'read', inputSchema })),
);

/** The calls that run, with their arguments. */
function run(text: string, options: ReadCallsOptions): readonly unknown[] {
  const { calls } = readCalls(text, toolbox, options);
  for (const chunk of [1, 7]) expect(readCalls(text, toolbox, { ...options, chunk }).calls).toEqual(calls);
  return calls.flatMap(({ status, input }) => (status === 'invalid' ? [] : [input]));
}

const kimi = (opener: string, value: string): [string, string] => [
  `<|open|>call tool="get_weather"<|sep|><|open|>argument ${opener}<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|>`,
  'kimi-k3',
];
const deepseek = (opener: string, value: string): [string, string] => [
  `<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter ${opener}>${value}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  'deepseek-v32',
];
const qwen = (opener: string, value: string): [string, string] => [
  `<tool_call>\n<function=get_weather>\n<parameter=${opener}>${value}</parameter>\n</function>\n</tool_call>`,
  'qwen3-coder',
];

describe('a value that begins with the quote that its attribute lacks', () => {
  it.each([
    kimi('key="city" type="string', '"x'),
    kimi('key="city" type="string', '"x"'),
    kimi("key='city' type='string", "'x"),
    deepseek('name="city" string="true', '"x'),
    qwen('"city', '"x'),
  ])('%s', (text, dialect) => {
    for (const way of [dialect, 'auto']) expect(run(text, { dialect: way })).toEqual([]);
  });

  it.each([
    [...kimi('key="city" type="string"', '"x'), '"x'],
    [...kimi('key="city" type="string"', '"x"'), '"x"'],
    [...kimi('key="city" type="string', 'x'), 'x'],
    [...kimi('key="city" type="string', ' "x'), ' "x'],
    [...kimi('key="city"', '"x'), '"x'],
    [...deepseek('name="city" string="true"', '"x'), '"x'],
    [...qwen('city', '"x'), '"x'],
    [...qwen('"city"', '"x'), '"x'],
  ] as const)('guard: reads %s', (text, dialect, value) => {
    expect(run(text, { dialect })).toEqual([{ city: value }]);
  });
});

describe('a string that opens on a line before the call', () => {
  const list = '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]';

  it.each([
    `raw = r"functools\n${list}"`,
    `raw = "functools\n${list}"`,
    `raw = r'functools\n${list}'`,
    `raw = r"functools\n${list}\n"`,
    `text = "The model says\n${list}"\nprint(text)`,
    `logger.info("calling\n${list}")`,
    `raw = "functools\nget_weather(city='Oslo')"`,
  ])('%s', (text) => {
    expect(run(text, { prompted: true })).toEqual([]);
  });

  it.each([
    [`functools\n${list}`, 1],
    [`Let's look at Oslo's weather.\n${list}`, 1],
    [`city = 'Oslo'\n${list}`, 1],
    [`Setting q='Oslo' first.\n${list}`, 1],
    [`[{"name": "get_weather", "arguments": {"city": "x = 'it"}}]\n${list}`, 2],
    [`get_weather(city="a = 'b")\nget_weather(city="Oslo")`, 2],
  ])('guard: reads %s', (text, count) => {
    expect(run(text, { prompted: true })).toHaveLength(count);
  });
});

describe('arguments that are a call of their own tool, which declares no fields', () => {
  const call = (name: string) => `{"name": "${name}", "arguments": {"city": "a"}}`;
  const forms: readonly [string, (name: string, given: string) => string, ReadCallsOptions][] = [
    ['hermes', (name, given) => `<tool_call>{"name": "${name}", "arguments": ${given}}</tool_call>`, {}],
    ['mistral', (name, given) => `[TOOL_CALLS]${name}[ARGS]${given}`, { dialect: 'mistral' }],
    ['an element', (name, given) => `<${name}>${given}</${name}>`, { prompted: true }],
    ['a label', (name, given) => `[tool: ${name}] ${given}`, {}],
    ['an attribute', (name, given) => `<call tool="${name}">${given}</call>`, {}],
    ['a call in Python', (name, given) => `${name}(${given})`, { prompted: true }],
  ];

  it.each(forms)('in %s', (_, write, options) => {
    expect(run(write('terminal', call('terminal')), options)).toEqual([]);
    expect(run(write('terminal', `{"function": ${call('terminal')}}`), options)).toEqual([]);
  });

  it.each(forms)('guard: reads other arguments in %s', (_, write, options) => {
    for (const given of [call('other'), '{"name": "terminal"}', '{"name": "terminal", "size": 1}'])
      expect(run(write('terminal', given), options)).toEqual([JSON.parse(given)]);
    expect(run(write('get_weather', call('get_weather')), options)).toEqual([{ city: 'a' }]);
    expect(run(write('install', call('install')), options)).toEqual([JSON.parse(call('install'))]);
  });
});
