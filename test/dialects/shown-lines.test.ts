/** Lines and blocks that show a call, and tokens at the start of an answer about them. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const toolbox = new Toolbox([
  tool({
    name: 'restart',
    description: 'Restarts',
    inputSchema: { type: 'object', properties: { service: { type: 'string' } }, required: ['service'] },
  }),
]);
const call = '<tool_call>{"name": "restart", "arguments": {"service": "nginx"}}</tool_call>';
const sizes = [undefined, 1, 7];
const read = (text: string, options: { dialect?: string; prompted?: boolean }) =>
  sizes.map((chunk) => {
    const { calls, text: rest } = readCalls(text, toolbox, { ...options, ...(chunk && { chunk }) });
    return calls.length === 0 && rest === text ? 'text' : calls.map(({ status }) => status).join() || 'changed';
  });
const all = (what: string) => sizes.map(() => what);

const shown = {
  'a block scalar of YAML': [
    '- |\n  @',
    '- - |\n    @',
    'key: |2\n    @',
    'key: |1\n @',
    'key: |-2\n    @',
    'key: >2-\n  @',
    'key: !!str |\n  @',
    'key: &a |\n  @',
    'key: | # c\n  @',
    'key: |\n  @',
  ],
  'indented code below a heading, a rule or a fence': ['# H\n    @', '---\n    @', '```\nx\n```\n    @'],
  'the prompt of a shell or an interpreter': [
    'root@c0ffee:/app# @',
    '/app # @',
    '/ # @',
    'sh-4.2# @',
    '~/src $ @',
    '~ % @',
    'host% @',
    '... @',
    '   ...: @',
    'λ> @',
    'redis 127.0.0.1:6379> @',
    '\u001b[32m$\u001b[0m @',
  ],
  'a block that is closed': [
    'cat <<\\EOF\n@\nEOF',
    'x = <<~TXT\n  @\nTXT',
    'x = <<~TXT\n@\nTXT',
    'x = <<-TXT\n@\n  TXT',
    'my $x = <<~END;\n  @\n  END',
    '#|\n@\n|#',
    '////\n@\n////',
    '\\begin{comment}\n@\n\\end{comment}',
    ':::: {.note}\n@\n::::',
    '<input>\n@\n</input>',
  ],
  'a table without outer pipes': ['a | b\n--|--\n@ | 1', 'a | b\n:--|--:\n@'],
};

describe.each(Object.entries(shown))('guard: %s shows a call', (_, texts) => {
  it.each(texts.flatMap((text) => ['auto', 'hermes'].map((dialect) => [dialect, text] as const)))(
    'in %s: %j',
    (dialect, text) => {
      expect(read(`This is from the archive.\n\n${text.replace('@', call)}`, { dialect })).toEqual(all('text'));
    },
  );
});

describe('the name of a service before its output shows a call', () => {
  const rows = { hermes: call, mistral: '[TOOL_CALLS]restart[ARGS]{"service": "nginx"}' };
  const cases = Object.entries(rows).flatMap(([dialect, one]) =>
    ['auto', dialect].flatMap((way) =>
      [
        'vllm  | generated: @',
        'vllm  | INFO 05-01 10:00:01 engine.py:120] generated: @',
        'web  | 2026-05-01 10:00:01 output @',
        'redis  | Ready\nmy_agent.1   | INFO output @',
      ].map((text) => [way, text.replace('@', one)] as const),
    ),
  );
  it.each(cases)('in %s: %j', (dialect, text) => expect(read(text, { dialect })).toEqual(all('text')));

  it.each(['I run it | @', 'Done  | Now I restart it.\n@', 'vllm  | ready\n\n@'])('guard: %j', (text) =>
    expect(read(text.replace('@', call), { dialect: 'hermes' })).toEqual(all('ok')),
  );
});

const marked = [call, '<|tool_call_start|>[restart(service="nginx")]<|tool_call_end|>'];
describe('code that uses a call as a value shows it', () => {
  it.each([
    'sample = @',
    'sample=@',
    'const call: string = @',
    'd["call"] = @',
    'total += @',
    'x = 1; y = @',
    'sample =\n@',
    'return @',
    'print @',
    'echo @',
    'if x: yield @',
    '(s) => @',
    'f(x) -> @',
    `${'a'.repeat(150)} = @`,
  ])('%j', (text) => {
    for (const one of marked) {
      expect(read(`It is tested so:\n\n${text.replace('@', one)}`, { dialect: 'auto' })).toEqual(all('text'));
      const dialect = one === call ? 'hermes' : 'lfm2';
      expect(read(`It is tested so:\n\n${text.replace('@', one)}`, { dialect })).toEqual(all('ok'));
    }
  });

  it.each([
    'Restart\n=======\n@',
    'a = 1\n\n@',
    'I restart it.\nmode=safe\n@',
    'I return.\n@',
    'Now I restart it. @',
    'I set a = b. @',
    'The echo.\n@',
  ])('guard: %j', (text) => {
    for (const one of marked) expect(read(text.replace('@', one), { dialect: 'auto' })).toEqual(all('ok'));
  });
});

describe('guard: lines that only resemble them', () => {
  it.each([
    'Let me check...\n@',
    'Step 1: I restart it.\n@',
    '# Restart\n@',
    'I use option 2 > 1.\n@',
    'It is at 100 %.\n@',
    'a | b\n--|--\n1 | 2\n\nNow I restart it.\n@',
  ])('%j', (text) => {
    for (const dialect of ['auto', 'hermes']) expect(read(text.replace('@', call), { dialect })).toEqual(all('ok'));
  });
});

describe('an answer that starts with a token it explains keeps it', () => {
  const tokens = [
    '</think>',
    '<bos>',
    '<|call|>',
    '<|START_RESPONSE|>',
    '<|END_RESPONSE|>',
    '<|content_text|>',
    '<|message_model|>',
    '<|end_message|>',
    '<channel|>',
    '[/THINK]',
    '<|END_THINKING|>',
    '</mm:think>',
    '<think>',
    '<mm:think>',
    '<seed:think>',
    '<|START_THINKING|>',
    '<|inner_prefix|>',
    '</s>',
    '<eos>',
  ];
  const explanations = [
    ', the token.',
    ': the closing tag of it.',
    '; then more.',
    '. That is the token.',
    '? That is the token.',
    '/x is odd.',
    ' — the tag that opens.',
    ' (id 2) comes first.',
    ' = 1',
    ' is the token.',
  ];
  const expectText = (text: string) => {
    for (const options of [{}, { prompted: true }]) expect(read(text, options)).toEqual(all('text'));
  };
  it.each(tokens.flatMap((token) => explanations.map((text) => token + text)))('%j', expectText);
  it.each(explanations.map((text) => `<s>${text}`))('guard: %j', expectText);
});
