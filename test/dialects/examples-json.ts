import type { Example } from './example.ts';

/** Examples of the rows of `table-json.ts`. */
export const jsonExamples: Readonly<Record<string, readonly Example[]>> = {
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
  'lm-studio': [
    {
      text: '[TOOL_REQUEST]{"name": "get_weather", "arguments": {"city": "Tokyo"}}[END_TOOL_REQUEST]',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
    {
      text: '[TOOL_REQUEST]\n{"name": "get_weather", "arguments": {"city": "Tokyo"}}\n[END_TOOL_REQUEST]\n[TOOL_REQUEST]{"name": "get_time", "arguments": {"timezone": "Asia/Tokyo"}}[END_TOOL_REQUEST]',
      calls: [
        { name: 'get_weather', arguments: { city: 'Tokyo' } },
        { name: 'get_time', arguments: { timezone: 'Asia/Tokyo' } },
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
      faulty: true,
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
      text: '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Tokyo"}}]<|/tool_call|>',
      calls: [{ name: 'get_weather', arguments: { city: 'Tokyo' } }],
    },
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
      named: true,
    },
  ],
  'json-fence': [
    {
      text: 'Thought: agent thought here\n```\n{\n    "action": "search",\n    "action_input": "what is the temperature in SF?"\n}\n```\n',
      calls: [{ name: 'search', arguments: { input: 'what is the temperature in SF?' } }],
      left: 'Thought: agent thought here',
      named: true,
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
      reasoningOpen: true,
    },
    {
      text: 'I\'m\nthinking<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "special_function", "parameters": {"arg1": 1}},\n    {"tool_call_id": "1", "tool_name": "python", "parameters": {"code": "print(\'hey\')"}}\n]<|END_ACTION|>',
      calls: [
        { name: 'special_function', arguments: { arg1: 1 } },
        { name: 'python', arguments: { code: "print('hey')" } },
      ],
      reasoning: "I'm\nthinking",
      reasoningOpen: true,
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
  pangu: [
    {
      text: '[unused16]The weather, then.[unused17][unused11][{"name": "get_weather", "arguments": {"city": "Shenzhen"}}][unused12]',
      calls: [{ name: 'get_weather', arguments: { city: 'Shenzhen' } }],
      reasoning: 'The weather, then.',
    },
    {
      text: '[unused11][{"name": "fn_a", "arguments": {"x": 1}}, {"name": "fn_b", "arguments": {"y": "[unused12]"}}][unused12]',
      calls: [
        { name: 'fn_a', arguments: { x: 1 } },
        { name: 'fn_b', arguments: { y: '[unused12]' } },
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
};
