/**
 * What may follow a call's arguments: closers, the next call, the end of the message. Anything else may be more of the
 * arguments, so the call is refused; it never runs without it.
 */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' } as const;
const toolbox = new Toolbox([
  tool({
    name: 'remove',
    description: 'Deletes a file',
    effect: 'destructive',
    inputSchema: { type: 'object', properties: { path: text, recursive: { type: 'boolean' } }, required: ['path'] },
  }),
  tool({
    name: 'shell',
    description: 'Runs a command',
    effect: 'write',
    inputSchema: { type: 'object', properties: { command: text }, required: ['command'] },
  }),
]);

type Row = readonly [dialect: string, write: (name: string, body: string) => string];

/** Rows with JSON for the arguments, each with a closer or none. */
const named: readonly Row[] = [
  ['kimi-k2', (n, b) => `<|tool_call_begin|>functions.${n}:0<|tool_call_argument_begin|>${b}<|tool_call_end|>`],
  ['mistral', (n, b) => `[TOOL_CALLS]${n}[ARGS]${b}`],
  ['deepseek-v31', (n, b) => `<｜tool▁call▁begin｜>${n}<｜tool▁sep｜>${b}<｜tool▁call▁end｜>`],
  [
    'deepseek-v3',
    (n, b) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${n}\n\`\`\`json\n${b}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  ['harmony', (n, b) => `<|channel|>commentary to=functions.${n} <|constrain|>json<|message|>${b}<|call|>`],
  ['functionary-v31', (n, b) => `<function=${n}>${b}</function>`],
  ['functionary-v32', (n, b) => `>>>${n}\n${b}`],
  ['react', (n, b) => `Action: ${n}\nAction Input: ${b}`],
];

/** Rows with tags for the parameters, where models write one JSON object in their place. */
const tagged: readonly (readonly [...Row, parameter: (key: string, value: string) => string])[] = [
  [
    'qwen3-coder',
    (n, b) => `<tool_call>\n<function=${n}>\n${b}\n</function>\n</tool_call>`,
    (k, v) => `<parameter=${k}>\n${v}\n</parameter>`,
  ],
  [
    'seed-oss',
    (n, b) => `<seed:tool_call>\n<function=${n}>\n${b}\n</function>\n</seed:tool_call>`,
    (k, v) => `<parameter=${k}>${v}</parameter>`,
  ],
  [
    'minimax-m2',
    (n, b) => `<minimax:tool_call>\n<invoke name="${n}">\n${b}\n</invoke>\n</minimax:tool_call>`,
    (k, v) => `<parameter name="${k}">${v}</parameter>`,
  ],
  [
    'anthropic-xml',
    (n, b) => `<function_calls>\n<invoke name="${n}">\n${b}\n</invoke>\n</function_calls>`,
    (k, v) => `<parameter name="${k}">${v}</parameter>`,
  ],
  [
    'deepseek-v32',
    (n, b) =>
      `<｜DSML｜function_calls>\n<｜DSML｜invoke name="${n}">\n${b}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    (k, v) => `<｜DSML｜parameter name="${k}" string="false">${v}</｜DSML｜parameter>`,
  ],
  ['minicpm5', (n, b) => `<function name="${n}">${b}</function>`, (k, v) => `<param name="${k}">${v}</param>`],
  [
    'glm45',
    (n, b) => `<tool_call>${n}\n${b}\n</tool_call>`,
    (k, v) => `<arg_key>${k}</arg_key>\n<arg_value>${v}</arg_value>`,
  ],
];
const bodies: readonly Row[] = [...named, ...tagged.map(([dialect, write]) => [dialect, write] as const)];

/** Rows with a JSON object for the whole call. */
const whole: readonly (readonly [dialect: string, write: (call: string) => string, key: string])[] = [
  ['hermes', (c) => `<tool_call>\n${c}\n</tool_call>`, 'arguments'],
  ['granite-20b-fc', (c) => `<function_call>${c}</function_call>`, 'arguments'],
  ['nemotron-v2', (c) => `<TOOLCALL>[${c}]</TOOLCALL>`, 'arguments'],
  ['jamba', (c) => `<tool_calls>[${c}]</tool_calls>`, 'arguments'],
  ['mistral', (c) => `[TOOL_CALLS][${c}]`, 'arguments'],
  ['granite3', (c) => `<|tool_call|>[${c}]`, 'arguments'],
  ['llama3-json', (c) => c, 'parameters'],
  ['generic-json', (c) => c, 'arguments'],
  ['internlm2', (c) => `<|action_start|><|plugin|>${c}<|action_end|>`, 'parameters'],
];

const outcomes = (answer: string, dialect: string, chunk?: number) =>
  readCalls(answer, toolbox, { dialect, ...(chunk && { chunk }) }).calls;
/** The calls that would run, in the row and where no row is named, whole and in pieces. */
const ran = (answer: string, dialect: string) =>
  [dialect, 'auto'].flatMap((read) =>
    [undefined, 1, 7].flatMap((chunk) =>
      outcomes(answer, read, chunk).flatMap(({ status, input }) => (status === 'invalid' ? [] : [input])),
    ),
  );
const args = '{"path": "/srv/data"}';

describe('JSON arguments, then parameters of the dialect', () => {
  it.each(tagged)('%s', (dialect, write, parameter) => {
    for (const [key, value] of [
      ['recursive', 'false'],
      ['dry_run', 'true'],
    ] as const)
      for (const gap of ['', '\n', '\n\n']) {
        const answer = write('remove', args + gap + parameter(key, value));
        expect(ran(answer, dialect), answer).toEqual([]);
        expect(outcomes(answer, dialect)[0]?.problems?.[0]?.message).toMatch(/is followed by other text/);
      }
  });
});

describe('two objects in one call', () => {
  it.each(bodies)('%s', (dialect, write) => {
    for (const second of ['{"path": "/srv/other"}', '{"recursive": false}', '[false]'])
      for (const gap of ['', ' ', '\n', ', ', ';', ',\n']) {
        const answer = write('remove', args + gap + second);
        expect(ran(answer, dialect), answer).toEqual([]);
      }
  });
});

describe('a brace in unescaped quotes', () => {
  const inner = [
    'cat a.json | tr "}{" "][" > b.json',
    'split.py --sep "},{" in.json',
    'split.py --sep "}, {"',
    'sed -i "s/a/b/" x; grep -c "}[" x.json',
    'rm -rf build "} [ -d dist ] && rm -rf dist',
    'rm -rf build "} && rm -rf dist',
    'rm -rf build "}; rm -rf dist',
  ];
  const isWhole = (input: unknown, command: string) => (input as { command?: string } | null)?.command === command;
  it.each(bodies)('%s: refused, or the complete command', (dialect, write) => {
    for (const command of inner) {
      const answer = write('shell', `{"command": "${command}"}`);
      expect(
        ran(answer, dialect).filter((input) => !isWhole(input, command)),
        answer,
      ).toEqual([]);
    }
  });
  it.each(whole)('%s: refused, or the complete command', (dialect, write, key) => {
    for (const command of inner) {
      const answer = write(`{"name": "shell", "${key}": {"command": "${command}"}}`);
      expect(
        ran(answer, dialect).filter((input) => !isWhole(input, command)),
        answer,
      ).toEqual([]);
    }
  });
});

describe('a part without a key in the object that is the call', () => {
  it.each(whole)('%s', (dialect, write, key) => {
    for (const rest of ['{"command": "make b"}', '"b"', '3', 'make b', '["b"]', 'null', '"b", "c"', '{}'])
      for (const call of [
        `{"name": "shell", "${key}": {"command": "make a"}, ${rest}}`,
        `{${rest}, "name": "shell", "${key}": {"command": "make a"}}`,
        `{"name": "shell", ${rest}, "${key}": {"command": "make a"}}`,
      ])
        expect(ran(write(call), dialect), call).toEqual([]);
  });
  it.each(whole)('%s: words next to the arguments, and in a wrapper', (dialect, write, key) => {
    const given = `"${key}": {"command": "make a"}`;
    for (const call of [
      `{"name": "shell", ${given} make b}`,
      `{"name": "shell", ${given} only a dry run}`,
      `{"function": {"name": "shell", ${given}, 3}}`,
      `{"function": {"name": "shell", ${given}, {"command": "make b"}}}`,
      `{"function": {"name": "shell", ${given}}, 3}`,
      `{"type": "function", "function": {"name": "shell", ${given} make b}}`,
      `{"tool_calls": [{"name": "shell", ${given}}, "x"]}`,
    ])
      expect(ran(write(call), dialect), call).toEqual([]);
  });
  it('gives the reason', () => {
    const [call] = outcomes(
      '<tool_call>{"name": "shell", "arguments": {"command": "make a"}, "b"}</tool_call>',
      'hermes',
    );
    expect(call?.problems?.[0]?.message).toMatch(/has text without a key/);
  });
});

describe('text after a list of calls, inside its markers', () => {
  it.each(whole.filter(([, write]) => /\[\]\S/.test(write(''))))('%s', (dialect, write, key) => {
    for (const rest of ['only a dry run', '"b"', '3', ', 3', '<parameter name="a">b</parameter>', 'recursive=false'])
      for (const gap of ['', ' ', '\n']) {
        const answer = write(`{"name": "shell", "${key}": {"command": "make a"}}`).replace(/\](?=<)/, `]${gap}${rest}`);
        expect(ran(answer, dialect), answer).toEqual([]);
      }
  });
});

describe('text after Python calls, inside their markers', () => {
  it.each([
    ['lfm2', (rest: string) => `<|tool_call_start|>[shell(command="make a")]${rest}<|tool_call_end|>`],
    ['olmo3', (rest: string) => `<function_calls>shell(command="make a")${rest}</function_calls>`],
  ] as const)('%s', (dialect, write) => {
    for (const rest of ['only a dry run', '"b"', '3', ', 3', '{"command": "b"}', 'recursive=false', '# dry run'])
      for (const gap of ['', ' ', '\n']) expect(ran(write(gap + rest), dialect), rest).toEqual([]);
  });
});

describe('guard: closers and further calls end arguments', () => {
  it.each(bodies)('%s', (dialect, write) => {
    const answer = `${write('remove', '{"path": "a"}')}\n${write('remove', '{"path": "b"}')}`;
    for (const chunk of [undefined, 1, 7])
      expect(outcomes(answer, dialect, chunk).map(({ status, input }) => [status, input])).toEqual([
        ['ok', { path: 'a' }],
        ['ok', { path: 'b' }],
      ]);
  });
  it.each(whole)('%s', (dialect, write, key) => {
    const call = (path: string) => `{"name": "remove", "${key}": {"path": "${path}"}}`;
    const list = write('').includes('[]');
    const answer = list ? write(`${call('a')}, ${call('b')}`) : `${write(call('a'))}\n${write(call('b'))}`;
    expect(outcomes(answer, dialect).map(({ input }) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
  });
  it.each(['mistral', 'functionary-v32'])('%s: prose on a separate line', (dialect) => {
    const [, write] = named.find(([name]) => name === dialect) as Row;
    for (const prose of ['I will wait for it.', 'Note: this takes a while.', 'Then we go on (see above).'])
      expect(outcomes(`${write('shell', '{"command": "ls"}')}\n${prose}`, dialect)).toMatchObject([{ status: 'ok' }]);
  });
});
