/** Words that only look like a call's: sentences that start with a token, and questions without a question mark. */
import { describe, expect, it } from 'vitest';
import { CallReader, readCalls } from '../../src/dialect/index.ts';
import { Toolbox, tool } from '../../src/index.ts';

const object = (key: string) =>
  ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key] }) as never;
const toolbox = new Toolbox([
  tool({ name: 'python', description: 'Runs code', inputSchema: object('code') }),
  tool({ name: 'close_ticket', description: 'Closes a ticket', inputSchema: object('id') }),
]);
const runs = (text: string, dialect?: string): number =>
  readCalls(text, toolbox, dialect ? { dialect } : {}).calls.filter(({ status }) => status !== 'invalid').length;

describe('words after a token that is followed by code', () => {
  it.each([
    "'s purpose is to announce code.",
    '-Marken leiten Code ein.',
    '/<|eom_id|> come in pairs.',
    '" is the name of the token.',
    '(see the manual) is for code.',
    '=128010 in the table of tokens.',
    '| 128010 | code |',
    's come before code.',
    '—the token for code',
    '\nis what Llama writes',
    ' print(1)',
    '—это особый токен',
    '用来表示代码。',
    'はコードの前に付きます',
    'for instance, announces code.',
    'if present, means that code follows.',
    'with a newline: both are fine',
    'token',
    'from the template is dropped',
  ])('stay text: %s', (words) => {
    for (const dialect of [undefined, 'functionary-v31']) {
      const text = `<|python_tag|>${words}`;
      expect([runs(text, dialect), readCalls(text, toolbox, dialect ? { dialect } : {}).text], dialect).toEqual([
        0,
        text,
      ]);
    }
  });

  it.each([
    "print('two words')",
    'import math\nprint(math.pi)',
    'import pandas as pd',
    'from datetime import date\nprint(date.today())',
    'x = 5\nprint(x)',
    'a, b = 1, 2',
    '2 + 2',
    '[i for i in range(3)]',
    '# a comment of some words\nx = 1',
    'def f(a):\n    return a\nf(1)',
    'for i in range(3):\n    print(i)',
    "with open('a b.txt') as f:\n    print(f.read())",
    '"a b c".upper()',
    "df['two words'].sum()  # all of them",
    'result = 5 if x else 6',
    'f"{x} is here"',
    `print("it's")`,
    '"""A text."""',
  ])('guard: are code: %s', (code) => {
    expect(runs(`<|python_tag|>${code}`, 'functionary-v31')).toBe(1);
  });
});

describe('a question without a question mark before a call', () => {
  const call = '<tool_call>{"name": "close_ticket", "arguments": {"id": "T-3"}}</tool_call>';

  const expectMade = (words: string, made: number) => {
    for (const gap of ['\n', '\n\n']) {
      const text = words + gap + call;
      expect(runs(text)).toBe(made);
      const reader = new CallReader(toolbox);
      const events = [...[...text].flatMap((char) => reader.push(char)), ...reader.end()];
      expect(events.filter(({ type }) => type === 'call.finished')).toHaveLength(made);
    }
  };
  it.each([
    ['チケットを閉じてもいいですか。', 0],
    ['すぐに閉じますか。', 0],
    ['现在要关闭它吗。', 0],
    ['要關閉嗎。', 0],
    ['Να το κλείσω τώρα;', 0],
  ])('%s', expectMade);
  it.each([
    ['チケットを閉じます。', 1],
    ['どうか、このまま閉じます。', 1],
    ['I close it; then I report back.', 1],
    ['Το κλείνω τώρα.', 1],
  ])('guard: %s', expectMade);
});

describe('reasoning tags at the start of a message', () => {
  const inPieces = (text: string): string => {
    const reader = new CallReader();
    const events = [...[...text].flatMap((char) => reader.push(char)), ...reader.end()];
    return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  };

  it.each([
    '<think>と</think>の間に推論を書きます。',
    '<think>和</think>之间是推理。',
    '[THINK]と[/THINK]が目印です。',
    '<think>/</think> delimit reasoning.',
    '<think>, </think> and <answer> are tags.',
    "<think>'s counterpart is </think>, as you know.",
    '<think>…</think> is cut by the template.',
    '<think>...</think>-Blöcke fallen weg.',
    '<think>-Token are part of the vocabulary.',
    '<think> und </think> sind Marken.',
    '<think> opens the block, and `</think>` ends it.',
    '<think> is the counterpart of "</think>" in templates.',
    '<think> steht vor „</think>“ im Text.',
    '[THINK] [PLAN] [ACT]: three steps on the board.',
    '[THINK] Pair. Share. A method for classrooms.',
  ])('remain in a sentence: %s', (text) => {
    expect([readCalls(text).text, inPieces(text)]).toEqual([text, text]);
  });

  it.each([
    ['<think>Short.</think>Yes.', 'Yes.'],
    ['<think></think>\n\nYes.', 'Yes.'],
    ['<think></think>好的', '好的'],
    ['<think>好</think>可以', '可以'],
    ['<think>ok</think>Yes.', 'Yes.'],
    ['<think>...</think>Yes.', 'Yes.'],
    ['<think>…</think>\nYes.', 'Yes.'],
    ['<think>- one\n- two</think>Yes.', 'Yes.'],
    ['<think>and so it is.</think>Yes.', 'Yes.'],
    ['<think>"Hi" greets me.</think>Hello.', 'Hello.'],
    ['[THINK]Okay, so.[/THINK]Yes.', 'Yes.'],
  ])('guard: enclose reasoning: %s', (text, rest) => {
    expect([readCalls(text).text, inPieces(text)]).toEqual([rest, rest]);
  });
});

describe('the line of a call', () => {
  const call = '<tool_call>{"name": "close_ticket", "arguments": {"id": "T-3"}}</tool_call>';

  it.each(['│ ', '┃ ', '▌', '▎ ', '❯ ', 'bq. ', ': ', '%% ', 'REM ', '- ┃ '])('quotes it: %s', (sign) => {
    for (const lead of ['', 'The log says\n'])
      expect(readCalls(lead + sign + call, toolbox).text).toBe(lead + sign + call);
  });

  const expectMade = (lead: string, made: number) => {
    expect(runs(lead + call)).toBe(made);
  };
  it.each([
    ['I close it.\n\n    ', 0],
    ['I close it.\n\n\t', 0],
    ['The format is\n\n    ', 0],
    ['An example:\n\n  ', 0],
    ['An example:\n   ', 0],
  ])('is indented: %j', expectMade);
  it.each([
    ['I close it.\n\n  ', 1],
    ['I close it.\n\n   ', 1],
    ['1. I close it.\n\n   ', 1],
  ])('guard: is indented: %j', expectMade);
});

describe('special tokens at the start of a message, before prose', () => {
  const tools = new Toolbox([
    tool({ name: 'delete_file', description: 'Deletes a file', effect: 'destructive', inputSchema: object('path') }),
    tool({ name: 'write_file', description: 'Writes a file', inputSchema: object('path') }),
  ]);
  const rendered = (name: string): readonly string[] => [
    `<|tool_call_start|>[${name}(path="/a")]<|tool_call_end|>`,
    `[TOOL_CALLS]${name}[ARGS]{"path": "/a"}`,
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"path": "/a"}<|tool_call_end|><|tool_calls_section_end|>`,
  ];
  const made = (text: string) =>
    readCalls(text, tools).calls.flatMap(({ status, name }) => (status === 'invalid' ? [] : [name]));

  it.each([' is how the model writes a call.', '\nThe other model sent this. I did not run it.'])('%j', (words) => {
    for (const call of rendered('delete_file')) expect(made(call + words), call).toEqual([]);
  });

  it.each([' is how the model writes a call.', ', as the docs say.', ' — so the docs write it.'])(
    'are the subject of a sentence: %j',
    (words) => {
      for (const call of rendered('write_file'))
        for (const chunk of [undefined, 1, 7]) {
          const { text, calls } = readCalls(call + words, tools, { ...(chunk && { chunk }) });
          expect({ text, calls }, call).toEqual({ text: call + words, calls: [] });
        }
    },
  );

  it.each([' <- that is the format', ': a call'])('are pointed at, or continue their arguments: %j', (words) => {
    for (const call of rendered('write_file')) expect(made(call + words), call).toEqual([]);
  });

  it.each(['\nDone.', '\n\nI wrote it.', ' Done.'])('guard: %j', (words) => {
    for (const call of rendered('write_file')) expect(made(call + words), call).toEqual(['write_file']);
  });

  it('guard: run alone, and before end tokens', () => {
    for (const name of ['delete_file', 'write_file'])
      for (const call of rendered(name)) expect([...made(call), ...made(`${call}\n`)], call).toEqual([name, name]);
  });
});
