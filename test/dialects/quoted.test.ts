import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { around, asked, made, midLine, thought } from './quoted-rows.ts';

const toolbox = new Toolbox([
  tool({
    name: 'delete_user',
    description: 'Deletes a user for good',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
    effect: 'destructive',
  }),
  tool({
    name: 'python',
    description: 'Runs code',
    inputSchema: { type: 'object', properties: { code: { type: 'string' } } },
  }),
]);

const object = '{"name": "delete_user", "arguments": {"id": 5}}';
const special: Readonly<Record<string, string>> = {
  'kimi-k2':
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.delete_user:0<|tool_call_argument_begin|>{"id": 5}<|tool_call_end|><|tool_calls_section_end|>',
  gemma4: '<|tool_call>call:delete_user{id:5}<tool_call|>',
  'deepseek-v31':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>delete_user<｜tool▁sep｜>{"id": 5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  lfm2: '<|tool_call_start|>[delete_user(id=5)]<|tool_call_end|>',
  'cohere-cmd3':
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "delete_user", "parameters": {"id": 5}}]<|END_ACTION|>',
};
const plain: Readonly<Record<string, string>> = {
  hermes: `<tool_call>\n${object}\n</tool_call>`,
  'qwen3-coder': '<tool_call>\n<function=delete_user>\n<parameter=id>\n5\n</parameter>\n</function>\n</tool_call>',
  'anthropic-xml':
    '<function_calls>\n<invoke name="delete_user">\n<parameter name="id">5</parameter>\n</invoke>\n</function_calls>',
  glm45: '<tool_call>delete_user\n<arg_key>id</arg_key>\n<arg_value>5</arg_value>\n</tool_call>',
};

const read = (text: string, dialect: string, chunk?: number) => {
  const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
  return { calls: calls.map(({ name, status }) => `${name} ${status}`), left };
};
const chunks = [undefined, 1, 3, 7];
const rows = (forms: Readonly<Record<string, string>>, texts: readonly string[]) =>
  texts.flatMap((text) =>
    Object.entries(forms).map(([dialect, call]) => [dialect, text.replace('CALL', () => call)] as const),
  );
const isText = (dialect: string, text: string): void => {
  for (const chunk of chunks) expect(read(text, dialect, chunk)).toEqual({ calls: [], left: text });
};

describe('a call of a named dialect is text', () => {
  it.each(rows(special, midLine))('on a line with words after it: %s %j', isText);
  it.each(rows({ ...special, ...plain }, around))('inside text that shows it: %s %j', isText);
  it.each(rows(plain, asked))('after a question: %s %j', isText);
  const own = (dialect: string, text: string): boolean =>
    (dialect === 'anthropic-xml' && text.startsWith('<thinking>')) ||
    (dialect === 'cohere-cmd3' && text.startsWith('<|START_THINKING|>'));
  const thoughts = rows({ ...special, ...plain }, thought).map(
    ([dialect, text]) => [own(dialect, text) ? 'guard: ' : '', dialect, text] as const,
  );
  it.each(thoughts)('%sin reasoning of another dialect: %s %j', (_, dialect, text) => {
    for (const chunk of chunks) expect(read(text, dialect, chunk).calls).toEqual([]);
  });
});

describe('code after a token', () => {
  it.each([
    'Functionary v3.1 puts <|python_tag|> in front of raw code.',
    'The special token is <|python_tag|>',
    'Le jeton est <|python_tag|>, suivi du code.',
  ])('is not a call in a sentence: %j', (text) => isText('functionary-v31', text));
  it.each(['<|python_tag|>print(1)', 'Let me compute.\n<|python_tag|>print(1)<|eom_id|>'])(
    'guard: runs: %j',
    (text) => {
      for (const chunk of chunks) expect(read(text, 'functionary-v31', chunk).calls).toEqual(['python ok']);
    },
  );
});

describe('a call in text or without markers, followed by prose, is text', () => {
  it.each([
    ['llama3-json', `Proposed call: ${object.replace('arguments', 'parameters')} Confirm?`],
    ['xlam', `I won't do it! [${object}] That is what they wanted.`],
    [
      'command-r-plus',
      'Action: ```json\n[{"tool_name": "delete_user", "parameters": {"id": 5}}]\n``` is what it writes.',
    ],
  ])('%s %j', isText);
});

describe('an opener that is only mentioned is text', () => {
  it.each([
    ['qwen3-coder', '<function=delete_user> opens the call, </function> closes it.'],
    ['qwen3-coder', 'Write <function=delete_user>, then <parameter=id>5</parameter>, then </function>.'],
    ['qwen3-coder', JSON.stringify({ role: 'assistant', content: plain['qwen3-coder'] })],
    ['minimax-m2', '<invoke name="delete_user"> opens the call, </invoke> closes it.'],
    ['anthropic-xml', '<invoke name="delete_user"> and </invoke> are the tags.'],
    ['minicpm5', '<function name="delete_user"> opens the call and </function> closes it.'],
  ])('%s %j', isText);
  it.each([
    ['qwen3-coder', '<tool_call>\n<function=delete_user>\nid: 5\n</function>\n</tool_call>'],
    ['anthropic-xml', '<invoke name="delete_user">5</invoke>'],
  ])('guard: a malformed call is reported: %s %j', (dialect, text) => {
    expect(read(text, dialect).calls).toEqual(['delete_user invalid']);
  });
});

describe('end-of-message elements are text inside a sentence', () => {
  it.each([
    ['mistral', 'The price was <s>$20</s> and is now $15.'],
    ['gigachat3', 'Старая цена: <s>2000 ₽</s>, новая: 1500 ₽.'],
  ])('%s %j', isText);
  it('guard: the token at the end is not text', () => {
    expect(read('It is $15.</s>', 'mistral').left).toBe('It is $15.');
  });
});

describe('guard: the call runs', () => {
  it.each(rows({ ...special, ...plain }, made))('%s %j', (dialect, text) => {
    for (const chunk of chunks) expect(read(text, dialect, chunk).calls).toEqual(['delete_user ok']);
  });
});
