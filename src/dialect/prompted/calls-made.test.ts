import { describe, expect, it } from 'vitest';
import { toolWith } from '../../../test/dialects/toolboxes.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const toolbox = new Toolbox([
  toolWith('get_weather', { city: text }, 'read'),
  toolWith('now', {}, 'read'),
  toolWith('add', { a: number, b: number }, 'read'),
  toolWith('open', { path: text }, 'read'),
  toolWith('delete_user', { user_id: { type: 'integer' } }, 'destructive'),
  toolWith('submit', {}, 'destructive'),
]);
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });
const json = '{"name": "delete_user", "arguments": {"user_id": 42}}';
const weather = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

describe('a response that shows or describes calls makes none, and stays unchanged', () => {
  it.each<[what: string, answers: readonly string[]]>([
    [
      'a fence of another language',
      ['text', 'ruby', 'rust', 'go', 'gherkin', 'plaintext', 'java', 'js', 'json5', 'swift', 'mermaid'].flatMap(
        (one) => [
          `\`\`\`${one}\n${json}\n\`\`\``,
          `\`\`\`${one}\ndelete_user(user_id=42)\n\`\`\``,
          `\`\`\`${one}\nget_weather(city="Oslo")\n\`\`\``,
          `~~~${one}\n${json}\n~~~`,
        ],
      ),
    ],
    ['a fence of another language that nothing closes', [`\`\`\`text\n${json}`, `~~~text\nnow()`]],
    ['code of a tool that destroys', ['```python\ndelete_user(user_id=42)\n```', '```py\nsubmit()\n```']],
    [
      'JSON that has not the shape of a call',
      [
        '[["delete_user", {"user_id": 42}], ["get_weather", {"city": "Oslo"}]]',
        '[["tool", "arguments"], ["delete_user", {"user_id": 42}]]',
        '[["get_weather", {"city": "Oslo"}]]',
        '[["delete_user", "user_id", 42]]',
        '{"get_weather": {"city": "Oslo"}}',
        '{"delete_user": {"user_id": 42}}',
        '[{"get_weather": {"city": "Oslo"}}, {"now": {}}]',
        `{"tools": [${json}]}`,
        `{"actions": [${weather}]}`,
        `{"result": ${weather}}`,
        '{"name": "get_weather", "city": "Oslo"}',
        '{"action": "get_weather", "action_input": {"city": "Oslo"}}',
      ],
    ],
    [
      'names that no tool has',
      [
        '{"action": "wait", "action_input": "until Monday"}',
        'order_pizza(size="L")',
        '{"name": "Kim", "arguments": {"for": ["cheaper"]}}',
        '[get_weather(city="Oslo"), order_pizza(size="L")]',
      ],
    ],
    [
      'code around a call',
      [
        'SELECT now();',
        'add(2, 3) = 5',
        'add(2, 3) = 5\nadd(5, 0) = 5',
        'x = add(a=2, b=3)',
        'return add(a=2, b=3)',
        'with open("data.txt") as f:\n    pass',
        'let w = get_weather(city: "Oslo")',
        'get_weather(city="Oslo") |> now()',
        'submit().',
        'import time\ntime.sleep(5)\nsubmit()',
        `\`\`\`json\n// example only\n${json}\n\`\`\``,
        'submit() == True',
        'submit().then(() => console.log("done"))',
        'try:\n    submit()\nexcept Exception:\n    pass',
        'graph TD\n  A[get_weather(city="Oslo")] --> B[now()]',
      ],
    ],
    [
      'a call in a sentence',
      [
        '서울 날씨를 알려면 get_weather(city="서울")을 호출하면 됩니다.',
        'Then add(2, 3) = 5, and by induction the rest.',
        'With get_weather(city="Oslo") you would get the weather.',
        'Entre los dos: [get_weather(city="Oslo")]. Nada más.',
        'In the log: delete_user(user_id=42) [rejected].',
      ],
    ],
    [
      'prose behind a call that does not begin the answer',
      [
        `The endpoint takes:\n\n\`\`\`json\n${json}\n\`\`\`\n\nI haven't sent anything.`,
        `Here's an example:\n\n\`\`\`json\n${weather}\n\`\`\`\n\nYou can adapt it.`,
        'A call like any other:\n\nget_weather(city="Oslo")\n\nNothing special about it.',
        '\\begin{verbatim}\nget_weather(city="Oslo")\n\\end{verbatim}\nThe listing above is Example 3.2.',
        `Request: ${weather}\nResponse: {"error": "forbidden"}`,
      ],
    ],
    [
      'prose behind JSON that begins the answer',
      [
        `${json} → 403`,
        `${weather} → 403`,
        `${json}\n{"error": "forbidden"}`,
        `\`\`\`json\n${json}\n\`\`\`\n↑ this failed.`,
      ],
    ],
    ['a link', ['[submit()](#submit)', '[submit()][1]\n\n[1]: https://example.com/', '[now()](#now)']],
    [
      'what stands in other writing',
      [
        `data:\n  deny: |\n    ${json}`,
        `To: bob\nBody: ${json}`,
        '/* disabled:\nsubmit()\n*/',
        'Traceback:\n  File "a.py", line 40\n    submit()\n  File "a.py", line 12',
        `&lt;tool_call&gt;${json}&lt;/tool_call&gt;`,
      ],
    ],
  ])('%s', (_what, answers) => {
    for (const answer of answers) expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });
});

const certainty = (answer: string) =>
  read(answer).calls.map(({ name, status, repairs }) => [
    name,
    status === 'invalid' ? status : repairs.some((one) => one.certainty === 'inferred') ? 'inferred' : 'lossless',
  ]);

describe('guard: a response that consists of calls makes them', () => {
  it.each<[answer: string, calls: unknown]>([
    [json, [['delete_user', 'lossless']]],
    [`\`\`\`json\n${json}\n\`\`\``, [['delete_user', 'lossless']]],
    [`\`\`\`\n${json}\n\`\`\``, [['delete_user', 'lossless']]],
    ['```tool_code\ndelete_user(user_id=42)\n```', [['delete_user', 'lossless']]],
    ['delete_user(user_id=42)', [['delete_user', 'lossless']]],
    [
      '[delete_user(user_id=42), submit()]',
      [
        ['delete_user', 'lossless'],
        ['submit', 'lossless'],
      ],
    ],
    [`I'll look it up.\n\n${weather}`, [['get_weather', 'inferred']]],
    [`Let me check.\n\n\`\`\`json\n${weather}\n\`\`\``, [['get_weather', 'inferred']]],
    [`I delete it.\n\n${json}`, [['delete_user', 'invalid']]],
  ])('%s', (answer, calls) => {
    expect(certainty(answer)).toEqual(calls);
  });
});

it("infers a call in Python code, and in formats that calls don't usually have", () => {
  expect(certainty('```python\nget_weather(city="Oslo")\n```')).toEqual([['get_weather', 'inferred']]);
  expect(certainty(`[('get_weather', {'city': 'Oslo'})]`)).toEqual([['get_weather', 'inferred']]);
  expect(certainty('```json\n[{"get_weather": {"city": "Oslo"}}]\n```')).toEqual([['get_weather', 'inferred']]);
});

describe.each([
  [
    'guard: ',
    [
      `<tool_call>\n${json}\n</tool_call>`,
      `<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`,
      '<function_calls>\n<invoke name="delete_user">\n<parameter name="user_id">42</parameter>\n</invoke>\n</function_calls>',
      '<tool_call>\n<function=delete_user>\n<parameter=user_id>\n42\n</parameter>\n</function>\n</tool_call>',
      'Action: delete_user\nAction Input: {"user_id": 42}',
      'Thought: The account goes.\nAction: delete_user\nAction Input: {"user_id": 42}',
    ],
  ],
  ['', ['<delete_user><user_id>42</user_id></delete_user>']],
])('%sa response that consists only of marked calls counts like one of a named dialect', (_, answers) => {
  it.each(answers)('%s', (answer) => {
    expect(new Set(certainty(answer).map(String))).toEqual(new Set(['delete_user,lossless']));
    const pieces = readCalls(answer, toolbox, { prompted: true, chunk: 3 });
    expect(pieces.calls.map(({ status }) => status)).toEqual(read(answer).calls.map(({ status }) => status));
  });
});

describe('guard: marked calls next to prose are inferred', () => {
  it.each([`I delete it.\n<tool_call>${json}</tool_call>`, `<think>So: <tool_call>${json}</tool_call></think>`])(
    '%s',
    (answer) => {
      expect(certainty(answer).map(String)).not.toContain('delete_user,lossless');
    },
  );
});
