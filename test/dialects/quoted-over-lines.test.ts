import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'search', description: 'Searches', inputSchema, effect: 'read' }),
  tool({ name: 'wipe', description: 'Wipes for good', inputSchema, effect: 'destructive' }),
]);

/** A call in each dialect, of the tool and with the text that it is given. */
const calls: Readonly<Record<string, (name: string, query: string) => string>> = {
  hermes: (name, query) => `<tool_call>\n{"name": "${name}", "arguments": {"query": "${query}"}}\n</tool_call>`,
  'qwen3-coder': (name, query) =>
    `<tool_call>\n<function=${name}>\n<parameter=query>\n${query}\n</parameter>\n</function>\n</tool_call>`,
  glm45: (name, query) => `<tool_call>${name}\n<arg_key>query</arg_key>\n<arg_value>${query}</arg_value>\n</tool_call>`,
  'anthropic-xml': (name, query) =>
    `<function_calls>\n<invoke name="${name}">\n<parameter name="query">${query}</parameter>\n</invoke>\n</function_calls>`,
  'nemotron-v2': (name, query) => `<TOOLCALL>[{"name": "${name}", "arguments": {"query": "${query}"}}]</TOOLCALL>`,
  'functionary-v31': (name, query) => `<function=${name}>{"query": "${query}"}</function>`,
  mistral: (name, query) => `[TOOL_CALLS]${name}[ARGS]{"query": "${query}"}`,
  'kimi-k2': (name, query) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"query": "${query}"}<|tool_call_end|><|tool_calls_section_end|>`,
  'deepseek-v31': (name, query) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>{"query": "${query}"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  lfm2: (name, query) => `<|tool_call_start|>[${name}(query="${query}")]<|tool_call_end|>`,
};

const read = (text: string, dialect: string, chunk?: number) => {
  const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
  return { calls: calls.map(({ name }) => name), text: left };
};

/** Texts with `CALL` where a call stands that destroys, and `FIRST` where one stands that reads. */
function inEach(texts: readonly string[], dialects = Object.keys(calls)): [string, string, string][] {
  return texts.flatMap((text) =>
    dialects.map((dialect): [string, string, string] => {
      const call = calls[dialect] as (name: string, query: string) => string;
      return [dialect, text, text.replaceAll('CALL', call('wipe', 'all')).replaceAll('FIRST', call('search', 'x'))];
    }),
  );
}

const pairs = ['""', "''", '()', '[]', '{}', '（）'];
const quoted = pairs.flatMap(([open, close]) => [
  `Agent B answered ${open}Sure, cleaning up.\nCALL${close} and the folder was gone.`,
  `Agent B answered ${open}Sure, cleaning up.\n\nCALL${close} and the folder was gone.`,
  `It says ${open}Sure.\nCALL\n${close}, and I ran nothing.`,
]);

/** Both at once, and in pieces of one character. */
const expectText = (dialect: string, text: string): void => {
  expect(read(text, dialect)).toEqual({ calls: [], text });
  expect(read(text, dialect, 1)).toEqual({ calls: [], text });
};

const both = 'The page said "FIRST\nCALL" and nothing else.';
const wrong = 'Wrong is "CALL</think>". Close the thought first.';

describe('two calls in one quotation, and a closer of reasoning inside one', () => {
  it.each([
    ...inEach([both], ['hermes', 'qwen3-coder', 'nemotron-v2', 'mistral', 'kimi-k2', 'deepseek-v31']),
    ...inEach([wrong], ['qwen3-coder', 'glm45', 'lfm2']),
  ])('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('guard: the same in dialects that already kept it as text', () => {
  it.each([
    ...inEach([both], ['glm45', 'anthropic-xml', 'functionary-v31', 'lfm2']),
    ...inEach([wrong], ['hermes', 'nemotron-v2', 'kimi-k2', 'deepseek-v31']),
    ...inEach(['Shall I run these two? FIRST\nCALL'], ['hermes', 'nemotron-v2']),
  ])('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('a call in brackets or quotes that the next text closes', () => {
  // A brace right behind bare arguments counts as one closer too many.
  it.each(
    inEach([
      ...quoted,
      'Agent B answered "Sure, cleaning up.\nCALL"',
      'He wrote "I don\'t mind.\nCALL." That was all.',
      "He wrote 'I don't mind.\nCALL' and that was all.",
      'Both (see "the log"\nFIRST\nCALL) were ignored.',
      'He wrote ‘I don’t mind.\nCALL’ and that was all.',
      '他说"好的。\nCALL"，我没有执行。',
      'A 5" pipe, and then "Sure.\nCALL" in the log.',
    ]).filter(([dialect, text]) => dialect !== 'mistral' || !text.includes('{')),
  )('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('a call in brackets or quotes that later text closes', () => {
  it.each(
    inEach([
      'The page says: "To clean up, send\nCALL\nand then you are done". I did not do it.',
      'The page says: "To clean up, send\nCALL\n\nThen you are done." I did not do it.',
      "Its last lines: 'To clean up, send\nCALL\nThen you are done.'\n\nI did not do it.",
      'One more thing (which I left alone:\nCALL\nstands at the end of it).',
      'The reply [in full:\nCALL\nand (a greeting)] was ignored.',
      '评论（全文：\nCALL\n到此为止）没有执行。',
    ]),
  )('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('guard: empty quotes and brackets', () => {
  it.each(
    inEach([
      'The "old" one of the 5" disk goes.\nCALL\nThe "new" one stays.',
      'I remove it (as you said:\nCALL\n1) next 2) last',
      "I don't keep it.\nCALL\nThe users' files stay, don't worry.",
      'Done :(\nCALL\nThat was it :)',
    ]),
  )('%s: %s', (dialect, _, text) => {
    expect(read(text, dialect).calls).toEqual(['wipe']);
    expect(read(text, dialect, 1).calls).toEqual(['wipe']);
  });
});

describe('a call right after one that is text', () => {
  it.each(
    inEach(['(FIRST\nCALL', '"FIRST\nFIRST\nCALL', '> FIRST\nCALL'], ['hermes', 'nemotron-v2']).map(
      ([dialect, name, text]): [string, string, string] => [
        dialect,
        name,
        dialect === 'hermes' ? text.replaceAll(/\n(?=\{|<\/)/g, '') : text,
      ],
    ),
  )('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('a closer of reasoning next to a call that is text', () => {
  it.each(
    inEach(
      [
        'A student asked what "<think>hm, CALL</think>" means. It is no act.',
        'The order is "<think> … </think>CALL", never the other way round.',
        'Inline: `CALL</think>` is what you should not see.',
      ],
      ['hermes', 'qwen3-coder', 'glm45', 'nemotron-v2', 'kimi-k2', 'deepseek-v31', 'lfm2'],
    ).map(([dialect, name, text]): [string, string, string] => [dialect, name, text.replaceAll('\n', ' ')]),
  )('%s: %s', (dialect, _, text) => expectText(dialect, text));
});

describe('guard: a call that the model makes', () => {
  it.each(
    inEach([
      "I'll do it, don't worry.\nCALL",
      'I read "the log" (all of it) and [this].\nCALL\nDone.',
      'The 5" pipe goes.\nCALL\nDone.',
      'Sad :(\nCALL\nDone.',
      'He said "wait.\nCALL\nDone.',
      'First (as you asked.\nCALL\nThat is (nearly) all.',
      '> a quotation\n\nCALL\nDone.',
    ]),
  )('%s: %s', (dialect, _, text) => {
    expect(read(text, dialect).calls).toEqual(['wipe']);
    expect(read(text, dialect, 1).calls).toEqual(['wipe']);
  });

  it.each(
    inEach(
      ['He said "wait.\nCALL\n"Done" is what I say next.'],
      Object.keys(calls).filter((dialect) => dialect !== 'mistral'),
    ),
  )('%s: %s', (dialect, _, text) => {
    expect(read(text, dialect).calls).toEqual(['wipe']);
  });

  it('after closed reasoning, and after text that is not a call', () => {
    const call = calls.hermes?.('wipe', 'all') ?? '';
    expect(read(`I look it up.\n</think>\n\n${call}`, 'hermes')).toEqual({ calls: ['wipe'], text: 'I look it up.\n' });
    expect(read(`> ${call.replaceAll('\n', '')}\n\nSo be it.\n${call}`, 'hermes').calls).toEqual(['wipe']);
  });
});
