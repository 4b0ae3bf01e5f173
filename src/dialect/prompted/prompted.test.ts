import { describe, expect, it } from 'vitest';
import { mend } from '../../mend/mend.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';
import { readPrompted } from './index.ts';

const toolbox = new Toolbox(
  [
    tool({
      name: 'weather.get',
      description: 'The weather',
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    }),
    tool({
      name: 'get_time',
      description: 'The time',
      effect: 'read',
      inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
    }),
  ],
  { validate: false },
);
const read = (text: string) => readPrompted(text, toolbox).calls.map((call) => [call.name, call.arguments]);
const paris = ['weather.get', { city: 'Paris' }];
const both = [paris, ['get_time', { zone: 'UTC' }]];

describe('formats of responses that consist of calls', () => {
  it.each<[way: string, text: string, calls: unknown]>([
    ['a list of calls', `[weather.get(city='Paris'), get_time(zone='UTC')]`, both],
    ['calls without a list', `weather.get(city="Paris"), get_time(zone="UTC")`, both],
    ['a call on each line', `weather.get(city="Paris")\nget_time(zone="UTC")`, both],
    ['a list of strings', `["weather.get(city='Paris')", "get_time(zone='UTC')"]`, both],
    ['strings with the same quotes inside', `['weather.get(city='Paris')']`, [paris]],
    ['names in quotes', `['weather.get'(city='Paris'), 'get_time'(zone='UTC')]`, both],
    ['a list of tuples', `[('weather.get', {'city': 'Paris'}), ('get_time', {'zone': 'UTC'})]`, both],
    ['lists of name and keys', `[['weather.get', 'city': 'Paris'], ['get_time', zone='UTC']]`, both],
    ['a name and JSON', `weather_get\n{"city": "Paris"}`, [['weather_get', { city: 'Paris' }]]],
    ['a name and JSON in a fence', 'weather.get\n```json\n{"city": "Paris"}\n```', [paris]],
    ['a name and JSON, both with labels', 'Function: weather.get\nArguments: {"city": "Paris"}', [paris]],
    ['labels in bold', '**Tool:** `weather.get`\n**Parameters:** {"city": "Paris"}', [paris]],
    ['JSON of name and arguments', `{"name": "weather.get", "arguments": {"city": "Paris"}}`, [paris]],
    ['Python dicts of name and parameters', `[{'name': 'weather.get', 'parameters': {'city': 'Paris'}}]`, [paris]],
    [
      'arguments as text',
      `{"name": "weather.get", "arguments": "{\\"city\\": \\"Paris\\"}"}`,
      [['weather.get', '{"city": "Paris"}']],
    ],
    [
      'a function inside',
      `{"type": "function", "function": {"name": "weather.get", "arguments": {"city": "Paris"}}}`,
      [paris],
    ],
    ['tool_calls around', `{"tool_calls": [{"name": "weather.get", "arguments": {"city": "Paris"}}]}`, [paris]],
    ['the name as the key', `[{'weather.get': {'city': 'Paris'}}, {'get_time': {'zone': 'UTC'}}]`, both],
    ['the name as the key, in a fence', '```json\n[{"weather.get": {"city": "Paris"}}]\n```', [paris]],
    ['arguments beside the name', `{'name': 'weather.get', 'city': 'Paris'}`, [paris]],
    ['tuples, then names and objects', `[('weather.get', {'city': 'Paris'}), 'get_time', {'zone': 'UTC'}]`, both],
    [
      'JSON lines',
      `{"name": "weather.get", "arguments": {"city": "Paris"}}\n{"name": "get_time", "arguments": {"zone": "UTC"}}`,
      both,
    ],
    ['a fence', "```python\n[weather.get(city='Paris')]\n```", [paris]],
    ['a fence after prose', "Here it is:\n```\nweather.get(city='Paris')\n```", [paris]],
    ['prose before', "I will call:\nweather.get(city='Paris')", [paris]],
    ['prose in its line before', "So: get_time(zone='UTC')", [['get_time', { zone: 'UTC' }]]],
    [
      'prose behind a list',
      "[weather.get(city='Paris')]\n\nThis calls `weather.get` for the city that was named.",
      [paris],
    ],
    ['print around', "print(default_api.weather_get(city='Paris'))", [['default_api.weather_get', { city: 'Paris' }]]],
    ['print around, in a list', "[print(weather.get(city='Paris'))]", [paris]],
    ['a variable that takes the result', "```python\nresult = weather.get(city='Paris')\nprint(result)\n```", [paris]],
    ['escaped underscores', "[get\\_time(zone='UTC')]", [['get_time', { zone: 'UTC' }]]],
    ['a dict as the only argument', `[weather.get({'city': 'Paris'})]`, [paris]],
    ['arguments in order', `[weather.get('Paris', 3)]`, [['weather.get', { city: 'Paris', days: 3 }]]],
    ['a closer missing', `[weather.get(city='Paris'), get_time(zone='UTC']`, both],
    ['the closer of the list missing', `[weather.get(city='Paris')`, [paris]],
    ['the closer of the call missing', `weather.get(city='Paris'`, [paris]],
    ['a list of names and pairs', `['weather.get', 'city="Paris"', 'get_time', 'zone=UTC']`, both],
    ['tuples of names and pairs', `[('weather.get', 'city=Paris'), ('get_time', '(zone="UTC")')]`, both],
    ['arguments as pairs', `{'tool': 'weather.get', 'params': [{'name': 'city', 'value': 'Paris'}]}`, [paris]],
    ['markers around', '<tool_call>\n{"name": "weather.get", "arguments": {"city": "Paris"}}\n</tool_call>', [paris]],
  ])('%s', (_way, text, calls) => {
    expect(read(text)).toEqual(calls);
  });
});

describe('a call next to constants has them as arguments and is refused', () => {
  it.each<[way: string, text: string, call: unknown[]]>([
    [
      'constants',
      'city = "Paris"\ndays = 2\nweather.get(city, days)',
      ['weather.get', { city: 'Paris', days: 2 }, 'invalid'],
    ],
    ['settings', 'args = {\n  "city": "Paris"\n}\nweather.get(**args)', [...paris, 'invalid']],
    ['constants before a list', 'city = "Paris"\n[weather.get(city=city)]', [...paris, 'invalid']],
    ['constants in a fence', '```python\ncity = "Paris"\nweather.get(city)\n```', [...paris, 'invalid']],
  ])('%s', (_way, text, call) => {
    const { calls } = readCalls(text, toolbox, { prompted: true });
    expect(calls.map(({ name, input, status }) => [name, input, status])).toEqual([call]);
  });
});

it('converts Python values to the types of the schema, without changing their notation', () => {
  expect(read("[weather.get(city=007, days='3')]")).toEqual([['weather.get', { city: '007', days: 3 }]]);
});

it('keeps the notation of a JSON number for a string field', () => {
  const checked = new Toolbox([...toolbox]);
  const text = '{"name": "weather.get", "arguments": {"city": 1.0}}';
  const [call] = readCalls(text, checked, { dialect: 'auto', prompted: true }).calls;
  expect(call).toMatchObject({ status: 'mended', input: { city: '1.0' } });
  expect(call?.repairs).toContainEqual(expect.objectContaining({ kind: 'type', certainty: 'inferred' }));
});

it('reads calls with any name if there are no tools, and prose as prose', () => {
  const names = (text: string) => readPrompted(text, undefined).calls.map(({ name }) => name);
  expect(names('[find_map(city="Paris")]')).toEqual(['find_map']);
  expect(names('So:\n{"name": "find_map", "arguments": {}}')).toEqual(['find_map']);
  expect(names('You could use find_map(city="Paris").')).toEqual([]);
});

it('reports a duplicate key with two values', () => {
  const text = '{"name": "weather.get", "arguments": {"city": "a", "city": "b"}}';
  const [json] = readCalls(text, toolbox, { dialect: 'auto', prompted: true }).calls;
  expect(json?.problems?.map(({ code }) => code)).toEqual(['duplicate_key']);
  const [call] = readPrompted("[weather.get(city='Paris', city='Rome')]", toolbox).calls;
  expect(call?.problems?.map(({ code }) => code)).toEqual(['duplicate_key']);
});

describe('the part of a response that counts', () => {
  it('is the first list, not what is said about it later', () => {
    const text = `[weather.get(city='Paris')]\n\nThis calls weather.get(city='Paris'). For Rome it would be, with the same function and another city and nothing else changed, at least as far as I can see:\n[weather.get(city='Rome')]`;
    expect(read(text)).toEqual([paris]);
  });

  it('includes lists that directly follow each other', () => {
    expect(read(`1. [weather.get(city='Paris')]\n2. Then:\n[get_time(zone='UTC')]`)).toEqual(both);
  });

  it('counts a call twice if one list contains it twice', () => {
    expect(read(`[weather.get(city='Paris'), weather.get(city='Paris')]`)).toEqual([paris, paris]);
  });

  it.each([`[get_map(city='Paris')]`, `get_map(city='Paris')`, `{"name": "get_map", "arguments": {}}`])(
    'leaves a call without a tool as text: %s',
    (text) => {
      expect(readPrompted(text, toolbox)).toMatchObject({ calls: [], text });
    },
  );

  it('ignores a name that means no function', () => {
    expect(read(`{"name": "no_function", "arguments": {}}`)).toEqual([]);
  });

  it.each([
    `[get_time(zone='UTC'), weather.get(city='Par`,
    `[get_time(zone='UTC'), weather.get(city='Paris', days=`,
    `[get_time(zone='UTC'), weather.get(city='Paris', days=1`,
    `[get_time(zone='UTC'), weather.get(`,
    `[{"name": "get_time", "arguments": {"zone": "UTC"}}, {"name": "weather.get", "arguments": {"city": "Par`,
    `[{"name": "get_time", "arguments": {"zone": "UTC"}}, {"name": "weather.get", "arguments": {"city": "Paris",`,
  ])('never runs a truncated call: %s', (text) => {
    const { calls } = readPrompted(text, toolbox);
    expect(calls.map(({ whole }) => whole)).toEqual([true, false]);
    const outcomes = calls.map((call) => mend(call, toolbox));
    expect(outcomes.map((outcome) => (outcome.status === 'invalid' ? outcome.errorType : outcome.status))).toEqual([
      'mended',
      'truncated',
    ]);
  });

  it.each([
    `[weather.get(city='Paris'`,
    `weather.get(city='Paris'), get_time(zone='UTC')`,
    `['weather.get(city='Paris')']`,
    '```python\nweather.get(city="Paris")\nget_time()\n```',
  ])('leaves no part of the list in the text: %s', (text) => {
    expect(readPrompted(text, toolbox).text).toBe('');
  });

  it.each(["`weather.get(city='Paris')`", "**weather.get(city='Paris')**"])(
    'leaves no empty code or emphasis in the text: %s',
    (text) => {
      const read = readPrompted(text, toolbox);
      expect([read.calls.length, read.text]).toEqual([1, '']);
    },
  );

  it('keeps the text around the calls', () => {
    expect(readPrompted("I call:\nweather.get(city='Paris')", toolbox).text).toBe('I call:');
    expect(readPrompted("Sure:\n```python\nweather.get(city='Paris')\n```\n", toolbox)).toMatchObject({
      text: 'Sure:',
      dialect: 'pythonic',
    });
  });
});

describe('prose', () => {
  it.each([
    'You could use `weather.get(city)` for that.',
    'The function weather.get() needs a city.',
    'Call weather.get(city, days) or weather.get(...).',
    'weather.get(city=city, days=days) takes two arguments.',
    'Such as [weather.get(city), get_time(zone=zone)].',
    'None of the functions (weather.get, get_time) can help.',
    'Paris (France) is nice.',
    '["Paris (France)", "Rome (Italy)"]',
    'By f(x) = x**2 we mean [f(1), f(2)].',
    'A function like find_map(city="Paris") would be needed:\n\n[find_map(city="Paris")]',
    '[]',
    '[()]',
    '{"name": "weather.get", "description": "The weather", "parameters": {"type": "object", "properties": {}}}',
    '{"name": "find_map", "parameters": {"city": {"type": "string"}}}',
    "I'm sorry, I can't do that.",
    '',
  ])('contains no call: %s', (text) => {
    expect(readPrompted(text, toolbox)).toEqual({ calls: [], text, dialect: 'content-only' });
  });
});
