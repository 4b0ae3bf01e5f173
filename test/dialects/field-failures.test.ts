/** Failures that users of servers and agents report, by class: what has one reading is read, and nothing else runs. */
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { ranCalls, toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('list_files', { path: string, all: { type: 'boolean' } }, effect, { required: ['path'], closed: true }),
    toolWith('save_note', { text: string, name: string }, effect, { required: ['text'], closed: true }),
    toolWith('run', { command: string }, effect, { required: ['command'], closed: true }),
  ]);
const toolbox = boxOf('write');
const ran = (text: string, tools = toolbox) => ranCalls(text, tools);

const gemma = (given: string): string => `<|tool_call>call:save_note{${given}}<tool_call|>`;
const kimi = (body: string): string =>
  `<|tool_calls_section_begin|><|tool_call_begin|>${body}<|tool_call_end|><|tool_calls_section_end|>`;
const dsml = (command: string): string =>
  `<｜｜DSML｜｜ calls>\n<｜｜DSML｜｜ invoke name="run">\n<｜｜DSML｜｜ parameter name="command" string="true">${command}</｜｜DSML｜｜ parameter>\n</｜｜DSML｜｜ invoke>\n</｜｜DSML｜｜ calls>`;
const run = { command: 'make test' };

describe('C25 a call with one reading is read', () => {
  const expectRun = (_: string, text: string, name: string, input: object) =>
    expect(ran(text)).toEqual([[name, input]]);
  it.each<[what: string, text: string, name: string, input: object]>([
    [
      'tokens that were dropped between two markers',
      '<|open|>toolscall tool="run" index="1"<|sep|><|open|>argument key="command" type="string"<|sep|>make test<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>',
      ...(['run', run] as const),
    ],
    [
      'a header and reasoning without tokens',
      'analysisI test it first.assistantcommentary to=functions.run json{"command": "make test"}',
      'run',
      run,
    ],
    ['a header without tokens', 'to=functions.run {"command": "make test"}', 'run', run],
    [
      'parentheses for braces',
      '<|tool_call>call:save_note(text=<|"|>hi<|"|>, name="a.md")<tool_call|>',
      'save_note',
      { text: 'hi', name: 'a.md' },
    ],
  ])('%s', expectRun);
  it.each<[what: string, text: string, name: string, input: object]>([
    [
      'a call as JSON in the frame of another notation',
      kimi('{"name": "run", "arguments": {"command": "make test"}}'),
      'run',
      run,
    ],
    [
      'a word before an invocation',
      'call\n<invoke name="run">\n<parameter name="command">make test</parameter>\n</invoke>',
      'run',
      run,
    ],
    [
      'single quotes around text that resembles a field',
      gemma("text:'Hello, name: it works'"),
      'save_note',
      { text: 'Hello, name: it works' },
    ],
    [
      'single quotes in a list of fields',
      gemma("text:'one, two: three',name:'a: b'"),
      'save_note',
      { text: 'one, two: three', name: 'a: b' },
    ],
    ['= for a colon', gemma('text:<|"|>hi<|"|>,name=\'a.md\''), 'save_note', { text: 'hi', name: 'a.md' }],
    ['the start of another marker after it', `${gemma('text:<|"|>hi<|"|>')}<|tool_call`, 'save_note', { text: 'hi' }],
    [
      'closers that are repeated',
      '<tool_call>run<arg_key>command</arg_key><arg_value>make test</arg_value></tool_call></tool_call></tool_call>',
      'run',
      run,
    ],
  ])('guard: %s', expectRun);
  it.each<[what: string, text: string, name: string, input: object]>([
    ['a string without its opener', gemma('text:so, or so<|"|>'), 'save_note', { text: 'so, or so' }],
    [
      'a string without its opener, before another field',
      gemma('text:see https://a.b, there<|"|>,name:<|"|>a.md<|"|>'),
      'save_note',
      { text: 'see https://a.b, there', name: 'a.md' },
    ],
    [
      'a string without its opener, after a number',
      '<|tool_call>call:list_files{all:true,path:src, lib<|"|>}<tool_call|>',
      'list_files',
      { all: true, path: 'src, lib' },
    ],
    ['a string without its opener, with backslashes', gemma('text:a\\d+\\n<|"|>'), 'save_note', { text: 'a\\d+\\n' }],
    ['a string in single quotes with another closer', gemma("text:'a: b'<|\"|>"), 'save_note', { text: 'a: b' }],
    ['a word of the opener missing', '<|tool_call>:run{command:<|"|>make test<|"|>}<tool_call|>', 'run', run],
    ['all words of the opener missing', '<|tool_call>run{command:<|"|>make test<|"|>}<tool_call|>', 'run', run],
    [
      'another sign before the number of a call',
      kimi('functions.run!2<|tool_call_argument_begin|>{"command": "make test"}'),
      'run',
      run,
    ],
    [
      'a section without the opener of its call',
      '<|tool_calls_section_begin|>functions.run:0<|tool_call_argument_begin|>{"command": "make test"}<|tool_call_end|><|tool_calls_section_end|>',
      'run',
      run,
    ],
    [
      'JSON in the tokens for Python',
      '<|python_start|>{"name": "run", "parameters": {"command": "make test"}}<|python_end|>',
      'run',
      run,
    ],
    [
      'the attribute of special tokens without the tokens',
      '<tool_calls>\n<invoke name="run">\n<parameter name="command" string="true">make test</parameter>\n</invoke>\n</tool_calls>',
      'run',
      run,
    ],
    [
      'white space around bars, and another block name',
      '< | DSML | tool_use>\n< | DSML | invoke name="run">\n< | DSML | parameter name="command" string="true">make test</ | DSML | parameter>\n</ | DSML | invoke>\n</ | DSML | tool_use>',
      'run',
      run,
    ],
    ['a tag that ends before its bracket', '<function=run{"command": "make test"}</function>', 'run', run],
    ['a slash before the name', '<function/run>{"command": "make test"}</function>', 'run', run],
    ['parentheses around the name', '<function(run)>{"command": "make test"}</function>', 'run', run],
    ['parentheses for the bracket', '<function(run){"command": "make test"}</function>', 'run', run],
    [
      'the name in a function, and the arguments next to it',
      '<tool_call>{"id": "1", "type": "function", "function": {"name": "run"}, "parameters": {"command": "make test"}}</tool_call>',
      'run',
      run,
    ],
    ['a list of one object', '<function=run>[{"command": "make test"}]</function>', 'run', run],
    [
      'the name in an element, and the arguments as JSON',
      'I run it.\n<tool_call>\n<function>run</function>\n{"command": "make test"}\n</tool_call>',
      'run',
      run,
    ],
    ['a token with two bars on each side, after prose', `I run it.\n${dsml('make test')}`, 'run', run],
    ['the same without its section', dsml('make test').replace(/<\/?｜｜DSML｜｜ calls>\n?/g, ''), 'run', run],
    ['a block whose name is one word', '<toolcall><run>{"command": "make test"}</run></toolcall>', 'run', run],
    [
      'the type of the content at the end of the name',
      '<|start|>assistant<|channel|>commentary to=functions.runjson<|message|>{"command": "make test"}',
      'run',
      run,
    ],
    [
      'spaces in the name of a recipient',
      '<|start|>assistant<|channel|>commentary to=functions.Save Note <|constrain|>json<|message|>{"text": "hi"}',
      'save_note',
      { text: 'hi' },
    ],
  ])('%s', expectRun);
});

describe('C25 a call with two readings, or none, does not run', () => {
  it.each([
    ['a closer of a string that is missing', gemma('text:<|"|>code with }],name:<|"|>a.md<|"|>')],
    ['an identifier for the name', kimi('3fa85f64-5717<|tool_call_argument_begin|>{"command": "make test"}')],
    ['a string without its opener that white space precedes', gemma('text: so, or so<|"|>')],
    ['a string without its opener after words', gemma('name:one, two,text:three<|"|>')],
    ['a string without its opener in a list', gemma('text:[one, two<|"|>]')],
    ['words after the name', '<|tool_call>run the tests<tool_call|>'],
    ['a slash before the name, and prose', '<function/run>{"command": "make test"}</function> is how it is written.'],
    [
      'a tag that ends before its bracket, within a sentence',
      'Write <function=run{"command": "make test"}</function> here.',
    ],
    [
      'a function with arguments of its own, and others next to it',
      '<tool_call>{"function": {"name": "run", "arguments": {"command": "ls"}}, "parameters": {"command": "rm x"}}</tool_call>',
    ],
    [
      'two sets of arguments next to a function',
      '<tool_call>{"function": {"name": "run"}, "parameters": {"command": "ls"}, "input": {"command": "rm x"}}</tool_call>',
    ],
    ['two objects in a list', '<function=run>[{"command": "ls"}, {"command": "rm x"}]</function>'],
    ['a frame without a recipient', '<|channel|>commentary<|message|>{"command": "make test"}<|end|>'],
    ['words for tags', '<save_note> a.md You are a note'],
    ['a token with two bars in a sentence', `The model writes ${dsml('ls')} for a call.`],
    ['a token with two bars in code', `\`${dsml('ls')}\``],
    ['a token with two bars in a fence', `\`\`\`\n${dsml('ls')}\n\`\`\``],
    ['a token with two bars in a result', `<tool_response>\n${dsml('ls')}\n</tool_response>`],
    ['a token with two bars in a log', `2026-11-16 10:00:00 INFO model: ${dsml('ls')}`],
    ['a closer of the other token', dsml('ls').replace('</｜｜DSML｜｜ parameter>', '</｜DSML｜ parameter>')],
    ['a token with two bars that is cut off', dsml('ls').slice(0, 90)],
    ['the name in an element, without arguments', '<tool_call>\n<function>run</function>\n</tool_call>'],
    [
      'the name in an element, in a question',
      'Shall I?\n<tool_call>\n<function>run</function>\n{"command": "ls"}\n</tool_call>',
    ],
    [
      'the name in an element, in a sentence',
      '<tool_call>\n<function>run</function>\n{"command": "ls"}\n</tool_call> is how it is written.',
    ],
    [
      'two calls in one block, with their names in elements',
      '<tool_call>\n<function>run</function>\n{"command": "ls"}\n<function>run</function>\n{"command": "rm x"}\n</tool_call>',
    ],
    ['a result in a block whose name is one word', '<toolcallresult><run>{"command": "ls"}</run></toolcallresult>'],
    ['another compound', '<toolchain><run>{"command": "ls"}</run></toolchain>'],
    ['a block in a sentence', 'The docs say <toolcall><run>{"command": "ls"}</run></toolcall> works.'],
    [
      'the type of the content twice',
      '<|start|>assistant<|channel|>commentary to=functions.runjson <|constrain|>json<|message|>{"command": "ls"}',
    ],
    [
      'the type of the content after another name',
      '<|start|>assistant<|channel|>commentary to=functions.rerunjson<|message|>{"command": "ls"}',
    ],
    [
      'spaces in the name of no tool',
      '<|start|>assistant<|channel|>commentary to=functions.Run Now <|constrain|>json<|message|>{"command": "ls"}',
    ],
    [
      'a header with spaces in a sentence',
      'It writes <|channel|>commentary to=functions.Save Note <|constrain|>json<|message|> first.',
    ],
  ])('guard: %s', (_, text) => {
    for (const effect of ['read', 'write', 'destructive'] as const) expect(ran(text, boxOf(effect))).toEqual([]);
  });
});
