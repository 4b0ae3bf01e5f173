import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const made = (name: string, properties: object, effect: 'read' | 'write' = 'write') =>
  tool({
    name,
    description: name,
    effect,
    inputSchema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  });
const toolbox = new Toolbox([
  made('set_env', { key: text, value: text }),
  made('write_file', { path: text, content: text }),
  made('set_user', { id: { type: 'integer' } }),
  made('grep', { pattern: text }, 'read'),
]);
const prompted = (answer: string) => {
  const { calls, text: left } = readCalls(answer, toolbox, { prompted: true });
  return { calls: calls.map(({ name, status }) => [name, status]), text: left };
};
const json = '{"name": "set_env", "arguments": {"key": "A", "value": "1"}}';
const python = 'set_env(key="A", value="1")';

const fence = (inner: string, mark = '```', language = '') => `${mark}${language}\n${inner}\n${mark}`;
const foreign = [
  `<tool_call>\n${json}\n</tool_call>`,
  `<tool_call>${json}</tool_call>`,
  `<function_calls>\n${json}\n</function_calls>`,
  `<function_calls>\n${python}\n</function_calls>`,
  `<|tool_call|>${json}`,
  `POST /call\n\n${json}`,
  `POST /v1/tools HTTP/1.1\nContent-Type: application/json\n\n${json}`,
  `$ curl -d '${json}'`,
  `request:\n${json}`,
  `${json}\n\nHTTP/1.1 403 Forbidden`,
  `>>> ${python}`,
  `${python}\n# not sent`,
  `${python}\nOK`,
  `[INFO] ${python}`,
  `Anfrage: ${python}`,
];

describe('prompted: a fence with anything besides calls is an example, and stays unchanged', () => {
  it.each(
    foreign.flatMap((inner) => [
      `This is the call I did not send:\n\n${fence(inner)}`,
      `L'appel que je n'ai pas envoyé :\n${fence(inner, '~~~')}`,
      `送信しなかった呼び出し：\n${fence(inner, '````', 'json')}`,
      `- Nicht gesendet:\n\n${fence(inner).replace(/^/gm, '  ')}`,
      `El formato es:\n\n\`\`\`\n${inner}`,
    ]),
  )('%s', (answer) => expect(prompted(answer)).toEqual({ calls: [], text: answer }));

  it.each([
    `I set it:\n\n${fence(json)}`,
    `I set it:\n\n${fence(json, '~~~', 'json')}`,
    `I set it:\n\n${fence(`[${json}]`, '```', 'json')}`,
    `I set it:\n\n${fence(`[${python}]`, '```', 'tool_code')}`,
    `I set it:\n\n${fence(`print(${python})`, '```', 'tool_code')}`,
    `I set it:\n\n\`\`\`json\n${json}`,
  ])('guard: a fence with only calls is read: %s', (answer) =>
    expect(prompted(answer).calls).toEqual([['set_env', 'ok']]),
  );
});

describe('prompted: a call that starts in inline code does not continue after it', () => {
  it.each([
    '`set_env(key="A", value="1"` is missing a parenthesis.',
    '`grep(pattern="x` hat eine offene Zeichenkette.',
    '`set_env(key="A", value="1"` の閉じ括弧が足りません。',
    'JSON5: `grep{pattern:"TODO}` has an open string.',
    'In Gemma 4: `call:grep{pattern:<|"|>TODO<|"|>}` is what it writes',
    'Gemma 4 : `<|tool_call>call:grep{pattern:<|"|>TODO<|"|>}<tool_call|>` — les guillemets sont des jetons.',
    '`` grep(pattern="a` `` y no se cierra.',
    '- `[set_env(key="A"` falta `]`',
    '`{"name": "grep", "arguments": {"pattern": "x"` fehlt das Ende.',
    '`set_env(key="A",\nvalue="1"` is broken.',
    '`grep(pattern="x"`\n\nThe bracket is missing.',
  ])('%s', (answer) => expect(prompted(answer)).toEqual({ calls: [], text: answer }));

  it.each(['`grep(pattern="x")`', '**Tool:** `grep`\n**Parameters:** {"pattern": "x"}'])('guard: %s', (answer) =>
    expect(prompted(answer).calls).toEqual([['grep', 'ok']]),
  );
});

describe('prompted: words on the line of a call that writes make it text', () => {
  it.each([
    'Exemple : set_user(id=5)',
    'Beispiel: set_user(id=5)',
    'Not: set_user(id=5)',
    'Nicht: set_user(id=5)',
    'NO: set_user(id=5)',
    '例：set_user(id=5)',
    'User: hi\nAssistant: set_user(id=5)',
    'A: set_user(id=5)\nB: set_user(id=6)',
    `Ejemplo: ${json}`,
    'Пример: [set_user(id=5)]',
    '- Rejected: set_user(id=5)',
    '**Bad:** set_user(id=5)',
  ])('%s', (answer) => expect(prompted(answer)).toEqual({ calls: [], text: answer }));

  it.each([
    ['Now:\nset_user(id=5)', ['set_user']],
    ['1. set_user(id=5)\n2. set_user(id=6)', ['set_user', 'set_user']],
    ['- set_user(id=5)', ['set_user']],
    ['→ set_user(id=5)', ['set_user']],
    ['So: grep(pattern="x")', ['grep']],
  ])('guard: %s', (answer, names) => expect(prompted(answer).calls.map(([name]) => name)).toEqual(names));
});

/** Every form without markers, with a value of a size. */
const bare: readonly [form: string, write: (value: string) => string][] = [
  ['JSON', (value) => JSON.stringify({ name: 'write_file', arguments: { path: 'a', content: value } })],
  ['a JSON list', (value) => JSON.stringify([{ name: 'write_file', parameters: { path: 'a', content: value } }])],
  [
    'JSON in a fence',
    (value) => fence(JSON.stringify({ name: 'write_file', arguments: { path: 'a', content: value } }), '```', 'json'),
  ],
  ['Python in a list', (value) => `[write_file(path="a", content=${JSON.stringify(value)})]`],
  ['a Python call', (value) => `write_file(path="a", content=${JSON.stringify(value)})`],
  ['Python in a fence', (value) => fence(`write_file(path="a", content=${JSON.stringify(value)})`, '```', 'tool_code')],
  ['tags', (value) => `<write_file>\n<path>a</path>\n<content>${value}</content>\n</write_file>`],
  [
    'labels',
    (value) =>
      `Thought: I write it.\nAction: write_file\nAction Input: ${JSON.stringify({ path: 'a', content: value })}`,
  ],
];
const sizes = [100, 380, 400, 420, 800, 1500, 3000, 5000];

describe('auto: a response that is one call is read at any size, complete and in pieces', () => {
  it.each(bare)('guard: %s', (_, write) => {
    for (const size of sizes) {
      const value = 'x = 1, y. '.repeat(size / 10).trimEnd();
      const [whole, ...pieces] = [undefined, 7, 256, 401].map((chunk) => {
        const { calls, text: left } = readCalls(write(value), toolbox, chunk ? { chunk } : {});
        return { calls: calls.map(({ name, status, input }) => [name, status, input]), text: left };
      });
      expect(whole).toEqual({ calls: [['write_file', 'ok', { path: 'a', content: value }]], text: '' });
      for (const one of pieces) expect(one).toEqual(whole);
    }
  });

  it.each(['WriteFile', 'functions.write_file', 'write-file', 'tools.writeFile', 'default_api.write_file'])(
    'a Python call of %s is read complete and in pieces',
    (name) => {
      for (const chunk of [undefined, 1, 7]) {
        const { calls } = readCalls(`${name}(path="a", content="b")`, toolbox, chunk ? { chunk } : {});
        expect([chunk, calls.map(({ status }) => status)]).toEqual([chunk, ['mended']]);
      }
    },
  );

  it.each(['x'.repeat(2000), `${'\n'.repeat(600)}${json}`, `[${' '.repeat(500)}${json}]`])(
    'guard: a start that does not show a call is text, complete and in pieces',
    (answer) => {
      for (const chunk of [undefined, 7, 256])
        expect(readCalls(answer, toolbox, chunk ? { chunk } : {})).toMatchObject({ calls: [], text: answer });
    },
  );
});

describe('named: formats without markers accept fences', () => {
  const call = '{"name": "grep", "arguments": {"pattern": "x"}}';
  const rows = [
    ...['llama3-json', 'json-array', 'granite3', 'generic-json', 'xlam', 'hermes-lenient'].map((row) => [row, call]),
    ...['pythonic', 'llama4-pythonic'].map((row) => [row, '[grep(pattern="x")]']),
  ] as [string, string][];
  it.each(rows)('%s', (dialect, inner) => {
    for (const language of ['json', 'tool_code', '']) {
      for (const chunk of [undefined, 1, 5]) {
        const { calls, text: left } = readCalls(fence(inner, '```', language), toolbox, {
          dialect,
          ...(chunk && { chunk }),
        });
        expect([language, chunk, calls.map(({ name, status }) => [name, status]), left]).toEqual([
          language,
          chunk,
          [['grep', 'ok']],
          '',
        ]);
      }
    }
  });
  it.each(rows)('guard: %s leaves an example in a fence', (dialect, inner) => {
    for (const answer of [
      fence(inner, '```', 'yaml'),
      fence(`// only shown\n${inner}`, '```', 'json'),
      `${fence(inner, '```', 'json')}\n\nThis is what I would send.`,
      fence(`${inner}\nOK`),
    ])
      expect(readCalls(answer, toolbox, { dialect })).toMatchObject({ calls: [], text: answer });
  });
});

describe('a call that is an echo leaves the text unchanged', () => {
  const context = [{ role: 'tool' as const, content: 'Action: set_env\nAction Input: {"key": "A", "value": "1"}' }];
  const input = '{"key": "A", "value": "1"}';
  const labelled = `Thought: the file says so\nAction: set_env\nAction Input: ${input}`;
  it.each([
    ['auto', labelled, labelled],
    ['react', labelled, labelled],
    [
      'auto',
      `<|channel|>analysis<|message|>x<|end|><|start|>assistant<|channel|>commentary to=functions.set_env <|constrain|>json<|message|>${input}<|call|>`,
      `<|start|>assistant<|channel|>commentary to=functions.set_env <|constrain|>json<|message|>${input}<|call|>`,
    ],
  ])('%s: %s', (dialect, answer, left) => {
    for (const chunk of [undefined, 1, 7])
      expect(readCalls(answer, toolbox, { dialect, context, ...(chunk && { chunk }) })).toMatchObject({
        calls: [],
        note: 'echo',
        text: left,
      });
  });
});
