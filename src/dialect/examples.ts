import type { Example } from './dialect.ts';

const examples: Readonly<Record<string, readonly Example[]>> = {
  hermes: [
    {
      text: '<tool_call>\n{"name": "special_function", "arguments": {"arg1": 1}}</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>{"name": "search", "arguments": {"q": "cats"}}</tool_call><tool_call>{"name": "search", "arguments": {"q": "dogs"}}</tool_call>',
      calls: [
        { name: 'search', arguments: { q: 'cats' } },
        { name: 'search', arguments: { q: 'dogs' } },
      ],
    },
  ],
  longcat: [
    {
      text: '<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Tokyo"}}</longcat_tool_call>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Tokyo"}}</longcat_tool_call>\n<longcat_tool_call>{"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}</longcat_tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  ernie45: [
    {
      text: '<tool_call>\n{"name": "get_current_temperature", "arguments": {"location": "Beijing"}}\n</tool_call>\n',
      calls: [{ name: 'get_current_temperature', arguments: { location: 'Beijing' } }],
    },
    {
      text: '<tool_call>\n{"name": "get_current_temperature", "arguments": {"location": "Beijing"}}\n</tool_call>\n<tool_call>\n{"name": "get_temperature_unit", "arguments": {"location": "Guangzhou", "unit": "c"}}\n</tool_call>\n',
      calls: [
        { name: 'get_current_temperature', arguments: { location: 'Beijing' } },
        { name: 'get_temperature_unit', arguments: { location: 'Guangzhou', unit: 'c' } },
      ],
    },
  ],
  granite4: [
    {
      text: '<tool_call>\n{"name": "special_function", "arguments": {"arg1": 1}}\n</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  granite3: [
    {
      text: '<|tool_call|>[{"name": "special_function", "arguments": {"arg1": 1}}]',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|tool_call|> [{"arguments": {"city": "Tokyo"}, "name": "get_weather"}, {"arguments": {"timezone": "Asia/Tokyo"}, "name": "get_time"}]',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  'granite-20b-fc': [
    {
      text: '<function_call> {"name": "get_weather", "arguments": {"city": "Tokyo"}}',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '<function_call> {"name": "get_weather", "arguments": {"city": "Tokyo"}}\n<function_call> {"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  'nemotron-v2': [
    {
      text: '<TOOLCALL>[{"name": "special_function", "arguments": {"arg1": 1}}]</TOOLCALL>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  jamba: [
    {
      text: '<tool_calls>[{"name": "get_current_weather", "arguments": {"city": "Dallas", "state": "TX"}}]</tool_calls>',
      calls: [{ name: 'get_current_weather', arguments: { city: 'Dallas', state: 'TX' } }],
    },
    {
      text: ' <tool_calls>[\n    {"name": "get_current_weather", "arguments": {"city": "Dallas", "state": "TX", "unit": "fahrenheit"}},\n    {"name": "get_current_weather", "arguments": {"city": "Orlando", "state": "FL", "unit": "fahrenheit"}}\n]</tool_calls>',
      calls: [
        { name: 'get_current_weather', arguments: { city: 'Dallas', state: 'TX', unit: 'fahrenheit' } },
        { name: 'get_current_weather', arguments: { city: 'Orlando', state: 'FL', unit: 'fahrenheit' } },
      ],
    },
  ],
  apriel: [
    {
      text: '<tool_calls>[{"name": "special_function", "arguments": {"arg1": 1}}]</tool_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  'hunyuan-a13b': [
    {
      text: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "北京"}}]</tool_calls>',
      calls: [{ name: 'get_weather', arguments: { city: '北京' } }],
    },
    {
      text: '<tool_calls>[{"name": "get_weather", "arguments": {"city": "San Francisco", "metric": "celsius"}}, {"name": "register_user", "arguments": {"name": "John Doe", "age": 37, "address": {"city": "San Francisco", "state": "CA"}, "role": null, "passed_test": true, "aliases": ["John", "Johnny"]}}]</tool_calls>',
      calls: [
        { name: 'get_weather', arguments: { city: 'San Francisco', metric: 'celsius' } },
        {
          name: 'register_user',
          arguments: {
            name: 'John Doe',
            age: 37,
            address: { city: 'San Francisco', state: 'CA' },
            role: null,
            passed_test: true,
            aliases: ['John', 'Johnny'],
          },
        },
      ],
    },
  ],
  'minimax-m1': [
    {
      text: '<tool_calls>\n{"name": "get_current_weather", "arguments": {"city": "Boston", "state": "MA"}}',
      calls: [{ name: 'get_current_weather', arguments: { city: 'Boston', state: 'MA' } }],
    },
    {
      text: '<tool_calls>\n{"name": "valid_tool", "arguments": {"city": "Seattle"}}\n{invalid json here}\n{"name": "another_valid_tool", "arguments": {"param": "value"}}\n</tool_calls>',
      calls: [
        { name: 'valid_tool', arguments: { city: 'Seattle' } },
        { name: 'another_valid_tool', arguments: { param: 'value' } },
      ],
      left: '{invalid json here}',
    },
  ],
  apertus: [
    {
      text: '<|tools_prefix|>[{"special_function": {"arg1": 1}}]<|tools_suffix|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|tools_prefix|>[{"get_weather": {"location": "Tokyo"}}, {"get_time": {"location": "Tokyo"}}]<|tools_suffix|>',
      calls: [
        { name: 'get_weather', arguments: { location: 'Tokyo' } },
        { name: 'get_time', arguments: { location: 'Tokyo' } },
      ],
    },
  ],
  'phi4-mini': [
    {
      text: 'functools[{"name": "get_weather", "arguments": {"city": "Tokyo"}}]',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: 'functools[\n  {"name": "get_weather", "arguments": {"city": "Tokyo"}},\n  {"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}\n]',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  firefunction: [
    {
      text: ' functools[{"name": "special_function", "arguments": {"arg1": 1}}]',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  internlm2: [
    {
      text: '<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Tokyo"}}<|action_end|>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
  ],
  'llama3-json': [
    {
      text: '{"name": "special_function", "parameters": {"arg1": 1}}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|python_tag|>{"name": "get_weather", "parameters": {}}<|python_tag|>{"name": "get_tourist_attractions", "parameters": {}}',
      calls: [
        { name: 'get_weather', arguments: {} },
        { name: 'get_tourist_attractions', arguments: {} },
      ],
    },
  ],
  'json-array': [
    {
      text: '[{"name": "get_weather", "parameters": {"city": "Tokyo"}}]',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '[{"name": "a", "arguments": {}}, {"name": "b", "arguments": {"x": [1, 2]}}]',
      calls: [
        { name: 'a', arguments: {} },
        { name: 'b', arguments: { x: [1, 2] } },
      ],
    },
  ],
  'generic-json': [
    {
      text: '{"tool_call": {"name": "special_function", "arguments": {"arg1": 1}}}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  'json-fence': [
    {
      text: 'Thought: agent thought here\n```\n{\n    "action": "search",\n    "action_input": "what is the temperature in SF?"\n}\n```\n',
      calls: [{ name: 'search', arguments: { input: 'what is the temperature in SF?' } }],
      left: 'Thought: agent thought here',
    },
  ],
  xlam: [
    {
      text: '[{"name": "get_current_weather", "arguments": {"city": "Seattle", "state": "WA", "unit": "celsius"}}]',
      calls: [{ name: 'get_current_weather', arguments: { city: 'Seattle', state: 'WA', unit: 'celsius' } }],
    },
    {
      text: '[{"name": "get_current_weather", "arguments": {"city": "北京"}}, {"name": "get_current_weather", "arguments": {"city": "上海"}}]',
      calls: [
        { name: 'get_current_weather', arguments: { city: '北京' } },
        { name: 'get_current_weather', arguments: { city: '上海' } },
      ],
    },
  ],
  'cohere-cmd3': [
    {
      text: '<|START_THINKING|><|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "special_function", "parameters": {"arg1": 1}}\n]<|END_ACTION|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|START_THINKING|>first I think about foo<|END_THINKING|><|START_ACTION|>\n[\n    {"tool_call_id": "0", "tool_name": "foo", "parameters": {"query": "query1"}},\n    {"tool_call_id": "1", "tool_name": "bar", "parameters": {"x": 42}}\n]\n<|END_ACTION|>',
      calls: [
        { name: 'foo', arguments: { query: 'query1' } },
        { name: 'bar', arguments: { x: 42 } },
      ],
      reasoning: 'first I think about foo',
    },
  ],
  'cohere-cmd4': [
    {
      text: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "foo", "parameters": {"x": 42}}]<|END_ACTION|>',
      calls: [{ name: 'foo', arguments: { x: 42 } }],
    },
    {
      text: '<|START_TEXT|>Hello.<|END_TEXT|>',
      calls: [],
      left: 'Hello.',
    },
  ],
  cohere2moe: [
    {
      text: '<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "special_function", "parameters": {"arg1": 1}}\n]<|END_ACTION|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: 'I\'m\nthinking<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "special_function", "parameters": {"arg1": 1}},\n    {"tool_call_id": "1", "tool_name": "python", "parameters": {"code": "print(\'hey\')"}}\n]<|END_ACTION|>',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'python', arguments: { code: "print('hey')" } },
      ],
      left: "I'm\nthinking",
    },
  ],
  'command-r-plus': [
    {
      text: 'Action:\n```json\n[{"tool_name": "special_function", "parameters": {"arg1": 1}}]\n```',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  gigachat3: [
    {
      text: '<|function_call|>{"name": "special_function", "arguments": {"arg1": 1}}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
  ],
  inkling: [
    {
      text: '<|content_invoke_tool_json|>{"name":"f","args":{"a":1}}<|end_message|>',
      calls: [{ name: 'f', arguments: { a: 1 } }],
    },
    {
      text: '<|content_invoke_tool_json|>{"name":"a","args":{}}<|end_message|><|message_model|><|content_invoke_tool_json|>{"name":"b","args":{"x":[1,2]}}<|end_message|>',
      calls: [
        { name: 'a', arguments: {} },
        { name: 'b', arguments: { x: [1, 2] } },
      ],
    },
  ],
  'lfm2-json': [
    {
      text: '<|tool_call_start|>[{"name": "special_function", "arguments": {"arg1": 1}}]<|tool_call_end|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|tool_call_start|>[{"name": "get_weather", "arguments": {"location": "Paris"}}, {"name": "get_time", "arguments": {"timezone": "UTC"}}]<|tool_call_end|>',
      calls: [
        { name: 'get_weather', arguments: { location: 'Paris' } },
        { name: 'get_time', arguments: { timezone: 'UTC' } },
      ],
    },
  ],
  'hermes-lenient': [
    {
      text: '<function=special_function>{"arg1": 1}</function>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<function=special_function>{"arg1": 1}</function>\n<function=python>{"code":"print(\'hello\')"}</function>',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'python', arguments: { code: "print('hello')" } },
      ],
    },
  ],
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
      text: 'some prefix text<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>foo<｜tool▁sep｜>{"x":1}<｜tool▁call▁end｜><｜tool▁call▁begin｜>bar<｜tool▁sep｜>{"y":2}<｜tool▁call▁end｜><｜tool▁calls▁end｜> some suffix text',
      calls: [
        { name: 'foo', arguments: { x: 1 } },
        { name: 'bar', arguments: { y: 2 } },
      ],
      left: 'some prefix text some suffix text',
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
    },
    {
      text: '<think>I need to call two functions<|tool_call_begin|>functions.special_function:0<|tool_call_argument_begin|>{"arg1": 1}<|tool_call_begin|>functions.python:1<|tool_call_argument_begin|>{"code": "print(\'hey\')"}',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'python', arguments: { code: "print('hey')" } },
      ],
      reasoning: 'I need to call two functions',
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
  'langchain-xml': [
    {
      text: '<tool>search</tool><tool_input>foo</tool_input>',
      calls: [{ name: 'search', arguments: { input: 'foo' } }],
    },
  ],
  'qwen3-coder': [
    {
      text: '<function=special_function>\n<parameter=arg1>\n1\n</parameter>\n</function>\n</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>\n<function=get_weather>\n<parameter=city>Tokyo</parameter>\n</function>\n</tool_call><tool_call>\n<function=get_time>\n<parameter=timezone>Asia/Tokyo</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  'nemotron-v3': [
    {
      text: '<tool_call>\n<function=special_function>\n<parameter=arg1>\n1\n</parameter>\n</function>\n</tool_call>\n',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>\n<function=get_weather>\n<parameter=city>Tokyo</parameter>\n</function>\n</tool_call><tool_call>\n<function=get_time>\n<parameter=timezone>Asia/Tokyo</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  step3p5: [
    {
      text: 'Test decimal number\n</think>\n<tool_call>\n<function=amount>\n<parameter=orig>\n3.14\n</parameter>\n</function>\n</tool_call>',
      calls: [{ name: 'amount', arguments: { orig: 3.14 } }],
      left: 'Test decimal number',
    },
    {
      text: '<tool_call>\n<function=get_current_weather>\n<parameter=city>\nSys\n</parameter>\n</function>\n</tool_call><tool_call>\n<function=calculate_area>\n<parameter=shape>\nrectangle</parameter>\n</function>\n</tool_call>',
      calls: [
        { name: 'get_current_weather', arguments: { city: 'Sys' } },
        { name: 'calculate_area', arguments: { shape: 'rectangle' } },
      ],
    },
  ],
  'seed-oss': [
    {
      text: '<seed:tool_call>\n<function=special_function>\n<parameter=arg1>1</parameter>\n</function>\n</seed:tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<seed:tool_call>\n<function=special_function>\n<parameter=arg1>1</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=special_function_with_opt>\n<parameter=arg1>1</parameter>\n<parameter=arg2>2</parameter>\n</function>\n</seed:tool_call>',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'special_function_with_opt', arguments: { arg1: 1, arg2: 2 } },
      ],
    },
  ],
  glm45: [
    {
      text: '<tool_call>special_function<arg_key>arg1</arg_key><arg_value>1</arg_value></tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Beijing</arg_value></tool_call><tool_call>get_weather<arg_key>city</arg_key><arg_value>Shanghai</arg_value></tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Beijing' } },
        { name: 'get_weather', arguments: { city: 'Shanghai' } },
      ],
    },
  ],
  'poolside-v1': [
    {
      text: '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tacos</arg_value>\n</tool_call>',
      calls: [{ name: 'search', arguments: { query: 'tacos' } }],
    },
    {
      text: '<tool_call>get_weather\n<arg_key>location</arg_key></tool_call><tool_call>search\n<arg_key>query</arg_key>\n<arg_value>tacos</arg_value>\n</tool_call>',
      calls: [
        { name: 'get_weather', arguments: {} },
        { name: 'search', arguments: { query: 'tacos' } },
      ],
    },
  ],
  ling3: [
    {
      text: '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Beijing</arg_value></tool_call>',
      calls: [{ name: 'get_weather', arguments: { city: 'Beijing' } }],
    },
  ],
  'hy-v3': [
    {
      text: '<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>NYC</arg_value></tool_call></tool_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'NYC' } }],
    },
    {
      text: '<tool_calls><tool_call>get_current_date<tool_sep></tool_call><tool_call>nonexistent<tool_sep></tool_call><tool_call>search<tool_sep><arg_key>query</arg_key><arg_value>test</arg_value></tool_call></tool_calls>',
      calls: [
        { name: 'get_current_date', arguments: {} },
        { name: 'nonexistent', arguments: {} },
        { name: 'search', arguments: { query: 'test' } },
      ],
    },
  ],
  'minimax-m2': [
    {
      text: '<minimax:tool_call><invoke name="special_function"><parameter name="arg1">1</parameter></invoke></minimax:tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<minimax:tool_call><invoke name="a"><parameter name="x">1</parameter></invoke><invoke name="b"><parameter name="x">2</parameter></invoke></minimax:tool_call>',
      calls: [
        { name: 'a', arguments: { x: 1 } },
        { name: 'b', arguments: { x: 2 } },
      ],
    },
  ],
  'anthropic-xml': [
    {
      text: 'I will check.\n\n<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</function_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Paris', days: 3 } }],
      left: 'I will check.',
    },
    {
      text: '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n<invoke name="add">\n<parameter name="x">1</parameter>\n<parameter name="y">2</parameter>\n</invoke>\n</function_calls>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Paris' } },
        { name: 'add', arguments: { x: 1, y: 2 } },
      ],
    },
  ],
  'anthropic-xml-legacy': [
    {
      text: '<function_calls>\n<invoke>\n<tool_name>get_weather</tool_name>\n<parameters>\n<city>Paris</city>\n<days>3</days>\n</parameters>\n</invoke>\n</function_calls>',
      calls: [{ name: 'get_weather', arguments: { city: 'Paris', days: 3 } }],
    },
  ],
  dots: [
    {
      text: '<dots_function_call>{"name":"search","arguments":{"query":"chairs"}}</dots_function_call>',
      calls: [{ name: 'search', arguments: { query: 'chairs' } }],
    },
    {
      text: 'visible<dots_function_call><invoke name="search"><parameter name="query">chairs</parameter></invoke></dots_function_call><dots_function_call><invoke name="search"><parameter name="query">tables</parameter></invoke></dots_function_call>',
      calls: [
        { name: 'search', arguments: { query: 'chairs' } },
        { name: 'search', arguments: { query: 'tables' } },
      ],
      left: 'visible',
    },
  ],
  'deepseek-v32': [
    {
      text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="special_function">\n<｜DSML｜parameter name="arg1" string="false">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="fn_a">\n<｜DSML｜parameter name="x" string="true">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="fn_b">\n<｜DSML｜parameter name="y" string="true">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      calls: [
        { name: 'fn_a', arguments: { x: '1' } },
        { name: 'fn_b', arguments: { y: '2' } },
      ],
    },
  ],
  'deepseek-v4': [
    {
      text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="special_function">\n<｜DSML｜parameter name="arg1" string="false">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_favorite_tourist_spot">\n<｜DSML｜parameter name="city" string="true">SF</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="submit"/>\n</｜DSML｜tool_calls>',
      calls: [
        { name: 'get_favorite_tourist_spot', arguments: { city: 'SF' } },
        { name: 'submit', arguments: {} },
      ],
    },
  ],
  step3: [
    {
      text: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_sep｜><｜tool_call_begin｜><steptml:invoke name="get_time"><steptml:parameter name="timezone">Asia/Tokyo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
      ],
    },
  ],
  minicpm5: [
    {
      text: '<function name="python"><param name="code">print(\'x\')</param></function>',
      calls: [{ name: 'python', arguments: { code: "print('x')" } }],
    },
    {
      text: '<function name="get_weather"><param name="city">北京</param></function><function name="sum_values"><param name="nums">[1,2]</param></function>',
      calls: [
        { name: 'get_weather', arguments: { city: '北京' } },
        { name: 'sum_values', arguments: { nums: [1, 2] } },
      ],
    },
  ],
  'kimi-k3': [
    {
      text: '<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="special_function" index="1"<|sep|><|open|>argument key="arg1" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: '<|open|>tools<|sep|><|open|>call tool="python" index="1"<|sep|><|open|>argument key="code" type="string"<|sep|>a<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="python" index="2"<|sep|><|open|>argument key="code" type="string"<|sep|>b<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
      calls: [
        { name: 'python', arguments: { code: 'a' } },
        { name: 'python', arguments: { code: 'b' } },
      ],
    },
  ],
  'minimax-m3': [
    {
      text: '</mm:think>]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="special_function">]<]minimax[>[<arg1>1]<]minimax[>[</arg1>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Beijing]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Tokyo]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Beijing' } },
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
      ],
    },
  ],
  'cline-xml': [
    {
      text: '<read_file><path>src/file.ts</path></read_file>',
      calls: [{ name: 'read_file', arguments: { path: 'src/file.ts' } }],
    },
    {
      text: '<read_file><path>file1.ts</path></read_file><read_file><path>file2.ts</path></read_file>',
      calls: [
        { name: 'read_file', arguments: { path: 'file1.ts' } },
        { name: 'read_file', arguments: { path: 'file2.ts' } },
      ],
    },
  ],
  lfm2: [
    {
      text: '<|tool_call_start|>[toggle(enabled=True)]<|tool_call_end|>',
      calls: [{ name: 'toggle', arguments: { enabled: true } }],
    },
    {
      text: '<|tool_call_start|>[get_weather(city="Paris"), search(query="hotels")]<|tool_call_end|>',
      calls: [
        { name: 'get_weather', arguments: { city: 'Paris' } },
        { name: 'search', arguments: { query: 'hotels' } },
      ],
    },
  ],
  'llama4-pythonic': [
    {
      text: '[do_something_cool(steps=[])]',
      calls: [{ name: 'do_something_cool', arguments: { steps: [] } }],
    },
    {
      text: "[get_weather(city='LA',metric='C'),register_user(name='Doe',age=9)]",
      calls: [
        { name: 'get_weather', arguments: { city: 'LA', metric: 'C' } },
        { name: 'register_user', arguments: { name: 'Doe', age: 9 } },
      ],
    },
  ],
  pythonic: [
    {
      text: '[search(query="\\d+")]',
      calls: [{ name: 'search', arguments: { query: '\\d+' } }],
    },
    {
      text: "[get_weather(location='Paris', data=[10, 20]), search(query='test', filters=['a', 'b'])]",
      calls: [
        { name: 'get_weather', arguments: { location: 'Paris', data: [10, 20] } },
        { name: 'search', arguments: { query: 'test', filters: ['a', 'b'] } },
      ],
    },
  ],
  olmo3: [
    {
      text: '<function_calls>do_something_cool(steps=[])</function_calls>',
      calls: [{ name: 'do_something_cool', arguments: { steps: [] } }],
    },
    {
      text: "<function_calls>get_weather(city='San Francisco', metric='celsius')\nregister_user(name='John Doe', age=37, address={'city': 'San Francisco', 'state': 'CA'}, role=None, passed_test=True, aliases=['John', 'Johnny'])</function_calls>",
      calls: [
        { name: 'get_weather', arguments: { city: 'San Francisco', metric: 'celsius' } },
        {
          name: 'register_user',
          arguments: {
            name: 'John Doe',
            age: 37,
            address: { city: 'San Francisco', state: 'CA' },
            role: null,
            passed_test: true,
            aliases: ['John', 'Johnny'],
          },
        },
      ],
    },
  ],
  harmony: [
    {
      text: ' to=functions.special_function<|channel|>analysis<|message|>{"arg1": 1}',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
    },
    {
      text: ' to=get_current_weather<|channel|>commentary <|constrain|>json<|message|>{"location": "Tokyo"}<|call|><|start|>assistant to=get_user_location<|channel|>commentary <|constrain|>json<|message|>{}<|call|>',
      calls: [
        { name: 'get_current_weather', arguments: { location: 'Tokyo' } },
        { name: 'get_user_location', arguments: {} },
      ],
    },
  ],
  'muse-glimmer': [
    {
      text: ' to=user<|message|>Hello, world!\nWhat\'s up?<|eom|><|start|>assistant to=special_function<|message|><atem:function_calls>\n<atem:invoke name="special_function">\n<atem:parameter name="arg1">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
      calls: [{ name: 'special_function', arguments: { arg1: 1 } }],
      left: "Hello, world!\nWhat's up?",
    },
    {
      text: ' <|start|>assistant to=math.add<|message|><atem:function_calls>\n<atem:invoke name="math.add">\n<atem:parameter name="a">1</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=math.mul<|message|><atem:function_calls>\n<atem:invoke name="math.mul">\n<atem:parameter name="a">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
      calls: [
        { name: 'math.add', arguments: { a: 1 } },
        { name: 'math.mul', arguments: { a: 3 } },
      ],
    },
  ],
  react: [
    {
      text: 'Thought: Gotta use a tool.\nAction: tool\nAction Input: {"a": 1, "b": {}}\n',
      calls: [{ name: 'tool', arguments: { a: 1, b: {} } }],
      reasoning: 'Gotta use a tool.',
    },
    {
      text: 'Thought: I know.\nFinal Answer: 2',
      calls: [],
      left: '2',
      reasoning: 'I know.',
    },
  ],
  'content-only': [
    {
      text: 'Use <tool_call> to call a tool.',
      calls: [],
      left: 'Use <tool_call> to call a tool.',
    },
  ],
};

/** The examples of a row. */
export const examplesOf = (name: string): readonly Example[] => examples[name] ?? [];
