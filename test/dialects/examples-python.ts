import type { Example } from './example.ts';

/** Examples of the rows of `table-python.ts`. */
export const pythonExamples: Readonly<Record<string, readonly Example[]>> = {
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
  gemma3: [
    {
      text: '```tool_code\nget_weather(city="Oslo")\n```',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
    },
    {
      text: '```tool_code\nprint(get_weather(city="Oslo"))\n```',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
    },
    {
      text: 'I will check the weather.\n\n```tool_code\n[get_weather(city="Oslo", days=3), search(query="hotels")]\n```',
      calls: [
        { name: 'get_weather', arguments: { city: 'Oslo', days: 3 } },
        { name: 'search', arguments: { query: 'hotels' } },
      ],
      left: 'I will check the weather.',
      named: true,
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
};
