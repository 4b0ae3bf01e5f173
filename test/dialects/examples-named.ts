import type { Example } from './example.ts';

/** Examples of the rows of `table-named.ts`. */
export const namedExamples: Readonly<Record<string, readonly Example[]>> = {
  mistral: [
    {
      text: '[TOOL_CALLS]special_function[ARGS]{"arg1":1}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '[TOOL_CALLS]add{"a": 3.5, "b": 4}[TOOL_CALLS]multiply{"a": 3, "b": 6}',
      calls: [
        { name: 'add', arguments: { a: 3.5, b: 4 } },
        { name: 'multiply', arguments: { a: 3, b: 6 } },
      ],
    },
    {
      text: '[TOOL_CALLS] [{"name": "add", "arguments": {"a": 3.5, "b": 4}}]',
      calls: [{ name: 'add', arguments: { a: 3.5, b: 4 } }],
    },
    {
      text: '[TOOL_CALLS]add[CALL_ID]abcdefghi[ARGS]{"a": 1}',
      calls: [{ name: 'add', arguments: { a: 1 } }],
    },
  ],
  'deepseek-v3': [
    {
      text: '<｜tool▁calls｜>function<｜tool▁sep｜>special_function\n```json\n{"arg1": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city":"Shanghai"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_tourist_attractions\n```json\n{"city": "Beijing"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Shanghai' } },
        { name: 'get_tourist_attractions', arguments: { city: 'Beijing' } },
      ],
    },
  ],
  'deepseek-v31': [
    {
      text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{"city": "Tokyo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      calls: [{ name: 'get_time', arguments: { city: 'Tokyo' } }],
    },
    {
      text: 'some prefix text\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>foo<｜tool▁sep｜>{"x":1}<｜tool▁call▁end｜><｜tool▁call▁begin｜>bar<｜tool▁sep｜>{"y":2}<｜tool▁call▁end｜><｜tool▁calls▁end｜> some suffix text',
      calls: [
        { name: 'foo', arguments: { x: 1 } },
        { name: 'bar', arguments: { y: 2 } },
      ],
      left: 'some prefix text\n some suffix text',
      named: true,
    },
  ],
  'kimi-k2': [
    {
      text: '<|tool_call_begin|>functions.execute_command:0<|tool_call_argument_begin|>{"command": "ls -lah", "cwd": "/home/user/development/exllamav3", "timeout": 10}',
      calls: [
        {
          name: 'execute_command',
          arguments: { command: 'ls -lah', cwd: '/home/user/development/exllamav3', timeout: 10 },
        },
      ],
      faulty: true,
    },
    {
      text: '<think>I need to call two functions<|tool_call_begin|>functions.special_function:0<|tool_call_argument_begin|>{"arg1": 1}<|tool_call_begin|>functions.python:1<|tool_call_argument_begin|>{"code": "print(\'hey\')"}',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'python', arguments: { code: "print('hey')" } },
      ],
      reasoning: 'I need to call two functions',
      faulty: true,
    },
  ],
  'functionary-v31': [
    {
      text: '<function=special_function>{"arg1": 1}</function>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  'functionary-v32': [
    {
      text: 'special_function\n{"arg1": 1}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  gemma4: [
    {
      text: '<|tool_call>call:amount{orig:3.14}<tool_call|>',
      calls: [{ name: 'amount', arguments: { orig: 3.14 } }],
    },
    {
      text: '<|tool_call>call:get_time{city:<|"|>London<|"|>}<tool_call|><|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>',
      calls: [
        { name: 'get_time', arguments: { city: 'London' } },
        { name: 'get_weather', arguments: { city: 'Paris' } },
      ],
    },
  ],
  functiongemma: [
    {
      text: '<start_function_call>call:get_weather{location:<escape>London<escape>}<end_function_call>',
      calls: [{ name: 'get_weather', arguments: { location: 'London' } }],
    },
    {
      text: '<start_function_call>call:get_weather{location:<escape>London<escape>}<end_function_call><start_function_call>call:get_time{timezone:<escape>UTC<escape>}<end_function_call>',
      calls: [
        { name: 'get_weather', arguments: { location: 'London' } },
        { name: 'get_time', arguments: { timezone: 'UTC' } },
      ],
    },
  ],
  'solar-open': [
    {
      text: '<|think|>The weather, then.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Seoul"}<|tool_call:end|><|calls|>',
      calls: [{ name: 'get_weather', arguments: { city: 'Seoul' } }],
      reasoning: 'The weather, then.',
    },
    {
      text: '<|tool_calls|><|tool_call:begin|>f6g7h8i9j0<|tool_call:name|>fn_a<|tool_call:args|>{"x": 1}<|tool_call:end|><|tool_call:begin|>k1l2m3n4o5<|tool_call:name|>fn_b<|tool_call:args|>{"y": "a <|end|>"}<|tool_call:end|><|calls|>',
      calls: [
        { name: 'fn_a', arguments: { x: 1 } },
        { name: 'fn_b', arguments: { y: 'a <|end|>' } },
      ],
    },
    { text: '<|content|>It is sunny.<|end|>', calls: [], left: 'It is sunny.' },
  ],
  plamo3: [
    {
      text: '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Tokyo"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|><|plamo:tag|>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>fn_a<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"x": [1]}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>fn_b<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
      calls: [
        { name: 'fn_a', arguments: { x: [1] } },
        { name: 'fn_b', arguments: {} },
      ],
    },
  ],
  'langchain-xml': [
    {
      text: '<tool>search</tool><tool_input>foo</tool_input>',
      calls: [{ name: 'search', arguments: { input: 'foo' } }],
    },
  ],
};
