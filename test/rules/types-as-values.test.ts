/** A call read from text whose arguments are all the names of their types shows a form, and is refused or text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const string = { type: 'string' };
const define = (name: string, effect: Effect, properties: object, required = Object.keys(properties)) =>
  tool({
    name,
    description: name,
    effect,
    inputSchema: { type: 'object', properties, required } as { type: 'object' },
  });
const toolbox = new Toolbox([
  define('search', 'read', { query: string, page: string }, ['query']),
  define('restart', 'write', { service: string, env: string }, ['service']),
  define('drop_db', 'destructive', { name: string }),
  define('set_type', 'write', { column_type: string }),
  define('convert', 'write', { to: { type: 'string', enum: ['string', 'number'] } }),
]);
type Given = Readonly<Record<string, string>>;
const each = (given: Given, write: (key: string, value: string) => string, between = ''): string =>
  Object.entries(given)
    .map(([key, value]) => write(key, value))
    .join(between);
const forms: readonly (readonly [string, (name: string, given: Given) => string])[] = [
  ['generic-json', (name, given) => JSON.stringify({ name, arguments: given })],
  ['generic-json', (name, given) => JSON.stringify({ tool: name, input: given })],
  ['json-fence', (name, given) => `\`\`\`json\n${JSON.stringify({ name, arguments: given })}\n\`\`\``],
  ['hermes', (name, given) => `<tool_call>${JSON.stringify({ name, arguments: given })}</tool_call>`],
  ['pythonic', (name, given) => `[${name}(${each(given, (key, value) => `${key}="${value}"`, ', ')})]`],
  ['cline-xml', (name, given) => `<${name}>${each(given, (key, value) => `<${key}>${value}</${key}>`)}</${name}>`],
  [
    'qwen3-coder',
    (name, given) =>
      `<tool_call>\n<function=${name}>\n${each(given, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>\n</tool_call>`,
  ],
  ['react', (name, given) => `Action: ${name}\nAction Input: ${JSON.stringify(given)}`],
  [
    'kimi-k2',
    (name, given) =>
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(given)}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
];
const ran = (text: string, dialect: string) =>
  [{}, { prompted: true }, { dialect }].map((options) =>
    [undefined, 1, 7].flatMap((chunk) =>
      readCalls(text, toolbox, { ...options, ...(chunk && { chunk }) })
        .calls.filter(({ status }) => status !== 'invalid')
        .map(({ name }) => name),
    ),
  );

describe('runs in no mode and no dialect', () => {
  it.each<[string, Given]>([
    ['restart', { service: 'string' }],
    ['restart', { service: 'String' }],
    ['restart', { service: ' string ' }],
    ['restart', { service: 'str' }],
    ['restart', { service: 'string', env: 'string' }],
    ['restart', { service: 'string', env: '...' }],
    ['drop_db', { name: 'string' }],
    ['search', { query: 'string', page: 'string' }],
  ])('%s %j', (name, given) => {
    for (const [dialect, write] of forms) expect(ran(write(name, given), dialect), dialect).toEqual([[], [], []]);
  });

  it('says so, and refuses the calls beside it', () => {
    const [, marked] = forms[3] as (typeof forms)[3];
    const { calls } = readCalls(
      `${marked('restart', { service: 'string' })}${marked('search', { query: 'a' })}`,
      toolbox,
      {
        dialect: 'hermes',
      },
    );
    expect(calls.map(({ status, problems }) => [status, problems[0]?.message])).toEqual([
      ['invalid', expect.stringMatching(/^Root object contains only placeholders or the names of types;/)],
      ['invalid', expect.stringMatching(/^Root object is next to a call that contains only placeholders/)],
    ]);
  });
});

describe('guard: runs with values', () => {
  it.each<[string, Given]>([
    ['search', { query: 'string' }],
    ['search', { query: 'integer' }],
    ['restart', { service: 'integer' }],
    ['restart', { service: 'strings' }],
    ['restart', { service: 'string', env: 'prod' }],
    ['set_type', { column_type: 'string' }],
    ['convert', { to: 'string' }],
  ])('%s %j', (name, given) => {
    for (const [dialect, write] of forms)
      for (const names of ran(write(name, given), dialect)) expect(names, dialect).toEqual([name, name, name]);
  });
});
