/** An end token at the very end leaves, unless the text is about it: after a label, unfinished words, or its opening tag. */
import { describe, expect, it } from 'vitest';
import { CallReader } from '../../src/dialect/call-reader.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const;
const toolbox = new Toolbox([tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema })]);
const read = (written: string, dialect: string) =>
  [undefined, 1, 7].map((chunk) => readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) }).text);
const tokens = [
  '<|im_end|>',
  '<|eot_id|>',
  '</s>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
  '<|endoftext|>',
  '[EOS]',
  '<|end_message|>',
  '<seed:eos>',
  '<turn|>',
  '<|role_end|>',
  '[|endofturn|]',
  '<end_of_utterance>',
];
const dialects = ['auto', 'hermes', 'kimi-k2', 'mistral', 'llama3-json'];
const cross = (lefts: readonly string[], rights = dialects) =>
  lefts.flatMap((left) => rights.map((right) => [left, right] as const));
/** The dialects in which tokens that the text is about stayed before, and the others. */
const [keptBefore, lostBefore] = [
  ['hermes', 'kimi-k2'],
  ['auto', 'mistral', 'llama3-json'],
];

describe('stays where the text is about it', () => {
  const expectKept = (before: string, dialect: string) => {
    for (const token of tokens) expect(read(before + token, dialect)).toEqual(Array(3).fill(before + token));
  };
  const named = [
    'The stop token is ',
    'Gemma ends its turn with ',
    'Stop tokens:\n- Llama: ',
    'EOS: ',
    'eos_token: ',
    'eos_token = ',
    'Its tokens:\n- ',
    'Its tokens:\n1. ',
    'Each turn is followed by ',
    'You write the answer and ',
    'Das Token heißt ',
    'Das Token ist ',
    'Le jeton est ',
    'El token es ',
    '结束符是',
    '結束符號為',
  ];
  it.each(cross(named, lostBefore))('behind %j in %s', expectKept);
  it.each(cross(named, keptBefore))('guard: behind %j in %s', expectKept);

  const open = [
    '```\nuser: hi',
    '```\nThe end\n',
    '`It ends so: ',
    '"It ends so: ',
    '“It ends so: ',
    'stops = [',
    '> A quoted line',
    '> The page\n> ',
    '<!-- so:',
  ];
  it.each(cross(open, lostBefore))('where something is open: behind %j in %s', expectKept);
  it.each(cross(open, keptBefore))('guard: where something is open: behind %j in %s', expectKept);

  const expectKeptBeforeText = (before: string, dialect: string) => {
    for (const token of tokens)
      for (const more of [' and more', '\nMore.', 'more']) {
        const written = before + token + more;
        expect(read(written, dialect)).toEqual([written, written, written]);
      }
  };
  const code = 'Run `npm test`';
  const complete = ['He said "hi"', '```js\nrun()\n```', '> A quoted line', '# Title', '| a | b |'];
  it.each([...cross(complete, lostBefore), ...cross([code], ['mistral', 'llama3-json'])])(
    'where text follows: behind %j in %s',
    expectKeptBeforeText,
  );
  it.each([...cross([...complete, code], keptBefore), ...cross([code], ['auto'])])(
    'guard: where text follows: behind %j in %s',
    expectKeptBeforeText,
  );

  it.each(['user: hi', 'User: hi\nAssistant: yes', '<?xml version="1.0"?>\n<a/>'])(
    'in a transcript or a document: %j',
    (before) => {
      for (const token of tokens) expect(read(before + token, 'auto')).toEqual(Array(3).fill(before + token));
    },
  );

  it('runs no call behind it where calls are shown', () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "a"}}</tool_call>';
    for (const token of tokens)
      for (const [open, close] of [
        ['```\n', '\n```'],
        ['> ', ''],
        ['`', '`'],
        ['"', '"'],
      ]) {
        const written = `So:\n${open}${token}${call}${close}`;
        for (const dialect of dialects) expect(readCalls(written, toolbox, { dialect }).calls).toEqual([]);
      }
  });

  it.each(['<b>bold</b> and <s>\nold\n</s>', '- [ ] task\n- <s>done\n  task</s>', 'Not <s>this,\n\nor this</s>'])(
    'closes an element: %j',
    (written) => {
      expect(read(written, 'auto')).toEqual([written, written, written]);
      expect(read(written, 'hermes')).toEqual([written, written, written]);
    },
  );
});

describe('guard: leaves where it ends the message', () => {
  it.each(cross(['Done.', 'Done. ', 'Done.\n', 'Done', '好的', '好的。', 'As follows:', 'As follows:\n', 'Yes! ']))(
    'behind %j in %s',
    (before, dialect) => {
      for (const token of tokens) expect(read(before + token, dialect)).toEqual([before, before, before]);
    },
  );

  it.each(
    cross([
      'He said "hi"',
      'He said “hi”',
      'Run `npm test`',
      '```js\nrun()\n```',
      '- Run:\n  ~~~\n  run()\n  ~~~',
      '| a | b |',
      '# Title',
      '// A comment',
      '$ ls',
      '2026-01-02 10:00:00 INFO done',
    ]),
  )('behind %j in %s', (before, dialect) => {
    for (const token of tokens) {
      expect(read(before + token, dialect)).toEqual([before, before, before]);
      expect(read(`${before}${token}${token}`, dialect)).toEqual([before, before, before]);
    }
  });

  it('behind a block of calls that the text shows', () => {
    const shown = 'You invoke it like this:\n<atem:function_calls>\n</atem:function_calls>';
    expect(read(` to=user<|message|>${shown}<|eot|>`, 'muse-glimmer').map((one) => one.trim())).toEqual(
      Array(3).fill(shown),
    );
  });

  it('behind a call', () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "a"}}</tool_call>';
    for (const token of tokens)
      expect(read(`I search: ${call}${token}`, 'auto').map((one) => one.trim())).toEqual(Array(3).fill('I search:'));
  });
});

describe('leaves right after the end of a fence', () => {
  const fences = ['```py\nx = 1\n```', '~~~\nx = 1\n~~~', '````md\n```\n````', '- Here:\n  ```py\n  x = 1\n  ```'];
  it.each(cross(fences))('%j in %s', (fence, dialect) => {
    for (const token of tokens.filter((one) => one !== '</s>'))
      expect(read(`Here:\n\n${fence}${token}`, dialect)).toEqual(Array(3).fill(`Here:\n\n${fence}`));
  });

  it.each(['```py\nx = "', '```\n', '````md\n```'])('guard: stays in an open fence: %j', (fence) => {
    for (const token of tokens) expect(read(fence + token, 'hermes')).toEqual(Array(3).fill(fence + token));
  });
});

it('guard: streams what follows an end token after a fence', () => {
  const reader = new CallReader(toolbox, { dialect: 'hermes' });
  const texts = (piece: string): string =>
    reader
      .push(piece)
      .map((event) => (event.type === 'text' ? event.text : ''))
      .join('');
  texts('```py\nx = 1\n```<|im_end|>');
  expect(texts('\nMore of it.') + texts(' And more.')).toContain('More of it. And more.');
});

describe('tokens of any template after the last call', () => {
  const call = '<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>';
  const last = [
    '<|user|>',
    '<|observation|>',
    '<|tool_response>',
    '[e~[',
    '<｜User｜>',
    '<|new_turn|>',
    '<|im_start|>',
  ];
  const expectCall = (token: string) => {
    for (const chunk of [undefined, 1, 7])
      for (const text of [call + token, `${call}\n${token}\n`, `I look it up.\n${call}${token}`]) {
        const { calls, text: left } = readCalls(text, toolbox, { dialect: 'auto', ...(chunk && { chunk }) });
        expect(calls.map(({ input }) => input)).toEqual([{ query: 'a' }]);
        expect(left.trim()).toBe(text.startsWith('I') ? 'I look it up.' : '');
      }
  };
  const known = ['<|eot_id|>', '</s>', '<|end_message|>'];
  const since = [...tokens, ...last].filter((token) => !known.includes(token));
  it.each(since)('a call stays a call before %s', expectCall);
  it.each(known)('guard: a call stays a call before %s', expectCall);
  it.each(last)('a call stays text if words follow %s, and a response without a call as it came', (token) => {
    for (const text of [`${call}${token} ends it.`, `The format is:\n> ${call}${token}`, `It is sunny.${token}`]) {
      const { calls, text: left } = readCalls(text, toolbox, { dialect: 'auto' });
      expect({ calls: calls.length, left }).toEqual({ calls: 0, left: text });
    }
  });
});
