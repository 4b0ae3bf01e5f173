/** Calls that servers leak with several markers missing, and look-alikes of them that stay text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { ranCalls, readAlike, toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const toolbox = new Toolbox([
  toolWith('run', { command: string, label: string }, 'write', { required: ['command'] }),
  toolWith('reply', { text: string }, 'write'),
  toolWith('remove', { path: string }, 'destructive'),
]);
const ran = (text: string) => ranCalls(text, toolbox);
const expectText = (text: string): void => {
  const { calls, text: left } = readAlike(text, toolbox);
  expect([calls, left]).toEqual([[], text]);
};

const glm = (command: string): string => `run<arg_key>command</arg_key><arg_value>${command}</arg_value></tool_call>`;
const kimi = (index: number, text: string, end: string): string =>
  `reply:${index}<|tool_call_argument_begin|>{"text": "${text}"}${end}`;
const both = [
  ['reply', { text: 'a' }],
  ['reply', { text: 'b' }],
];

describe('several calls without openers', () => {
  it.each([
    [
      'one below the other',
      `${kimi(0, 'a', '<|tool_calls_section_end|>')}\n${kimi(1, 'b', '<|tool_calls_section_end|>')}`,
    ],
    ['in a row', `${kimi(0, 'a', '<|tool_call_end|>')}${kimi(1, 'b', '<|tool_call_end|><|tool_calls_section_end|>')}`],
    ['without closers', `${kimi(0, 'a', '')}\n${kimi(1, 'b', '')}`],
    [
      'with a separator',
      'reply<｜tool▁sep｜>{"text":"a"}<｜tool▁call▁end｜>reply<｜tool▁sep｜>{"text":"b"}<｜tool▁call▁end｜>',
    ],
    ['with [ARGS]', 'reply[ARGS]{"text": "a"}reply[ARGS]{"text": "b"}'],
  ])('%s', (_, text) => expect(ran(text)).toEqual(both));

  it('with tags', () =>
    expect(ran(`${glm('make')}\n${glm('make test')}`)).toEqual([
      ['run', { command: 'make' }],
      ['run', { command: 'make test' }],
    ]));

  it('guard: a name and its marker in a value belong to it', () => {
    const text = '} run<｜tool▁sep｜>{}';
    const calls = [...ran(`reply<｜tool▁sep｜>${JSON.stringify({ text })}<｜tool▁call▁end｜>`)];
    for (const [, input] of calls) expect(input).toEqual({ text });
    expect(ran(`${glm(`x</arg_value></tool_call>${glm('make')}`)}`)).toEqual([]);
  });

  it.each([
    [
      'an unknown name',
      `${kimi(0, 'a', '<|tool_call_end|>')}other<|tool_call_argument_begin|>{"text": "b"}<|tool_call_end|>`,
    ],
    ['words between the calls', `${kimi(0, 'a', '<|tool_call_end|>')}\nThen:\n${kimi(1, 'b', '<|tool_call_end|>')}`],
    ['words before them', `The log shows ${kimi(0, 'a', '<|tool_call_end|>')}${kimi(1, 'b', '<|tool_call_end|>')}`],
    ['words after them', `${glm('make')}\n${glm('make test')}\nThis is what it wrote.`],
    ['a name in a sentence', 'Use run<arg_key> and reply<arg_key>.'],
  ])('guard: text with %s stays text', (_, text) => expectText(text));

  it('guard: none runs a destructive tool', () =>
    expect(ran('remove[ARGS]{"path": "/a"}remove[ARGS]{"path": "/b"}')).toEqual([]));
});

describe('a call without opener and closer', () => {
  const pair = (key: string, value: string): string => `<arg_key>${key}</arg_key>\n<arg_value>${value}`;
  it.each([
    ['on lines', `run\n${pair('command', 'make')}</arg_value>`, { command: 'make' }],
    [
      'with all fields',
      `run${pair('command', 'make')}</arg_value>${pair('label', 'a')}</arg_value>`,
      { command: 'make', label: 'a' },
    ],
  ])('%s', (_, text, input) => expect(ran(text)).toEqual([['run', input]]));

  it.each([
    ['its value is open', `run\n${pair('command', 'make')}`],
    ['the opener of a key is last', `run\n${pair('command', 'make')}</arg_value>\n<arg_key>label`],
    ['a key is last', `run\n${pair('command', 'make')}</arg_value>\n<arg_key>label</arg_key>`],
    ['a value begins', `run\n${pair('command', 'make')}</arg_value>\n<arg_key>label</arg_key><arg_value>`],
    ['only its closer is missing, and with it a field', `<tool_call>run\n${pair('command', 'make')}</arg_value>`],
    ['words follow', `run\n${pair('command', 'make')}</arg_value>\nThis is how it writes them.`],
    ['words precede it', `It wrote run\n${pair('command', 'make')}</arg_value>`],
    ['a key is unknown', `run\n${pair('other', 'make')}</arg_value>`],
    ['a value ends twice', `run\n${pair('command', 'make</arg_value>\nrm')}</arg_value>`],
    ['the tool is destructive', `remove\n${pair('path', '/srv')}</arg_value>`],
  ])('guard: none runs if %s', (_, text) => expect(ran(text)).toEqual([]));
});

describe('a name as in an attribute', () => {
  const call = (head: string): string => `<tool_call>\n{${head}, "arguments": {"command": "make"}}\n</tool_call>`;
  it.each(['"name="run"', '"name="run" '])('%s', (head) =>
    expect(ran(call(head))).toEqual([['run', { command: 'make' }]]),
  );
  it('in several calls', () => expect(ran(call('"name="run"') + call('"name="run"'))).toHaveLength(2));
  it.each([
    '"name="run',
    '"name=run"',
    '"name"="other"',
    '"name="run" "x"',
    '"name="run make"',
    '"names="run"',
    '"name="remove"',
  ])('guard: %s runs nothing', (head) => expect(ran(call(head))).toEqual([]));
  it('guard: in a value, it belongs to it', () => {
    const command = 'echo {"name="run", "arguments": {}}';
    const text = `<tool_call>{"name": "run", "arguments": ${JSON.stringify({ command })}}</tool_call>`;
    expect(ran(text)).toEqual([['run', { command }]]);
    expect(ran(text.replaceAll('\\"', '"'))).toEqual([]);
  });
});

describe('a label with an id, and a word before the arguments', () => {
  it.each([
    '[Tool Call: run (ID: call_1)]\nArguments: {\n  "command": "make"\n}',
    '[Tool Call: run]\nArguments: {"command": "make"}',
    '[Calling tool: run (id: 7)] {"command": "make"}',
  ])('%j', (text) => expect(ran(text)).toEqual([['run', { command: 'make' }]]));

  it.each([
    '[Tool Result: run (ID: call_1)]\nArguments: {"command": "make"}',
    '[Last Tool Call: run (ID: call_1)]\nArguments: {"command": "make"}',
    '[Tool Call: run (rejected)]\nArguments: {"command": "make"}',
    '[Tool Call: run (ID: call_1)]\nOutput: {"command": "make"}',
    '[Tool Call: run (ID: call_1)]\nInput: {"command": "make"}',
    '[Tool Call: run (ID: call_1)]\nArguments: {"command": "make"}\n[Tool Result]\nDone.',
    '[Tool Call: run (ID: call_1)] has Arguments: {"command": "make"}',
    '[Tool Call: run (ID: call_1)]\nArguments: {"other": "make"}',
    '[Tool Call: other (ID: call_1)]\nArguments: {"command": "make"}',
    '> [Tool Call: run (ID: call_1)]\n> Arguments: {"command": "make"}',
    'Log:\n[Tool Call: run (ID: call_1)]\nArguments: {"command": "make"}',
    '[Tool Call: ...] Arguments: {...}',
  ])('guard: %j stays text', expectText);
});

describe('a header whose channel follows the tool', () => {
  it.each([
    'assistant to=functions.run commentary json\n{"command": "make"}',
    'to=functions.run commentary json {"command": "make"}',
    'assistant to=functions.run commentary\n{"command": "make"}',
  ])('%j', (text) => expect(ran(text)).toEqual([['run', { command: 'make' }]]));

  it.each([
    'assistant to=functions.run commentary on this: {"command": "make"}',
    'to=functions.run means commentary json {"command": "make"}',
    'assistant to=functions.run commentary json is what it wrote.\n{"command": "make"}',
    'assistant to=functions.other commentary json\n{"command": "make"}',
    'The header assistant to=functions.run commentary json\n{"command": "make"}',
    'assistant to=functions.run final json\n{"command": "make"}',
  ])('guard: %j stays text', expectText);
});

describe('blocks of calls that nothing closes', () => {
  it.each([
    ['around an element', '<tool_call> <run> <command>make</command> </run>', [['run', { command: 'make' }]]],
    [
      'before another',
      '<tool_call> <run> <command>make</command> </run>\n\n<tool_call> <reply> <text>Done</text> </reply>',
      [
        ['run', { command: 'make' }],
        ['reply', { text: 'Done' }],
      ],
    ],
    [
      'around a block',
      '<tool_calls><tool_call><tool_name>reply</tool_name><text>a</text></tool_call>',
      [['reply', { text: 'a' }]],
    ],
  ])('%s', (_, text, calls) => expect(ran(text)).toEqual(calls));

  it.each([
    ['a value', '<tool_call> <run> <command>make'],
    ['a call, which may lack a field', '<tool_call> <run> <command>make</command>'],
    ['a form with the name as a field', '<function><name>run</name><command>make</command>'],
    ['data', '<job> <run> <command>make</command> </run>'],
    ['a list of tools', '<tools> <run> <command>make</command> </run>'],
    ['a block with words', '<tool_call> runs: <run> <command>make</command> </run>'],
    ['another element', '<tool_call> <step> <run> <command>make</command> </run>'],
  ])('guard: no call runs if %s is open', (_, text) => expect(ran(text)).toEqual([]));
});

describe('closers that no dialect has', () => {
  const call = '<tool_call>\n<function=run>\n<parameter=command>\nmake\n</parameter>\n</function>';
  it.each([
    ['behind the call', `${call}\n</function_invocation>\n</tool_call>`],
    ['behind a doubled one', `${call}\n</function>\n</function_invocation>\n</tool_call>`],
    ['behind JSON', '<tool_call>{"name": "run", "arguments": {"command": "make"}}</function_invocation></tool_call>'],
  ])('%s', (_, text) => expect(ran(text)).toEqual([['run', { command: 'make' }]]));

  it('guard: others, and those in values, are not left out', () => {
    expectText(`${call}\n</div>\n</tool_call>`);
    const inside = call.replace('make', 'make</function_invocation>');
    expect(ran(`${inside}\n</function_invocation>\n</tool_call>`)).toEqual([
      ['run', { command: 'make</function_invocation>' }],
    ]);
    expect(ran(`${inside.replace('</parameter>\n', '')}\n</tool_call>`)).toEqual([]);
  });
});

describe('the name of a parameter in its closer', () => {
  const note = new Toolbox([toolWith('note', { content: string, reason: string, path: string }, 'write')]);
  const text = (content: string, rest = ''): string =>
    `<invoke name="note">\n<parameter name="content">${content}\n<parameter name="reason">asked</parameter>\n<parameter name="path">a.md</parameter>${rest}\n</invoke>`;
  it.each([
    ['after a line', 'Prefer X over Y.</content>', 'Prefer X over Y.'],
    ['after two', 'One line\nand "another"</content>', 'One line\nand "another"'],
  ])('%s', (_, written, content) =>
    expect(ranCalls(text(written), note)).toEqual([['note', { content, reason: 'asked', path: 'a.md' }]]),
  );

  it.each([
    '<b>Prefer</b> X</content>',
    '<content>a</content>b</content>',
    'end it with </content>',
    'write `</content>',
    'say "</content>',
    'Prefer X</reason>',
    'Prefer X</div>',
    'Prefer X</contents>',
    'a</content>b</content>',
    '</content>',
    '\n</content>',
  ])('guard: refuses %j, which has two readings', (written) => expect(ranCalls(text(written), note)).toEqual([]));

  it('guard: the last parameter, and an element of that name', () => {
    const last = '<invoke name="note">\n<parameter name="content">Prefer X.</content>\n</invoke>';
    expect(ranCalls(last, note)).toEqual([]);
    for (const content of ['<content>x</content>', 'Prefer X</content>'])
      expect(ranCalls(text(`${content}</parameter>`), note)).toMatchObject([['note', { content }]]);
  });
});

/** The calls of a named dialect that run, which must be the same in chunks. */
const ranAs = (dialect: string, text: string, effect: 'write' | 'destructive' = 'write'): unknown[] => {
  const tools = new Toolbox([toolWith('run', { command: string, label: string }, effect, { required: ['command'] })]);
  const of = (chunk: number): unknown[] =>
    readCalls(text, tools, { dialect, chunk }).calls.flatMap(({ name, status, input }) =>
      status === 'invalid' ? [] : [[name, input]],
    );
  const whole = of(text.length);
  for (const chunk of [1, 6]) expect(of(chunk)).toEqual(whole);
  return whole;
};
const make = [['run', { command: 'make' }]];

describe('a list of calls after a sentence, in a named dialect', () => {
  const python = '[run(command="make")]';
  const json = '[{"name": "run", "arguments": {"command": "make"}}]';
  const rows = [
    ['llama4-pythonic', python],
    ['pythonic', python],
    ['json-array', json],
    ['granite3', json],
  ] as const;
  it.each(rows)('%s: %s', (dialect, list) => {
    for (const lead of [
      'I build it first.\n',
      'I build it: ',
      'Let me build.\n\n',
      '<think>Hm.</think>\nI build it.\n',
    ])
      expect(ranAs(dialect, lead + list)).toEqual(make);
    const [call] = readCalls(`I build it.\n${list}`, toolbox, { dialect }).calls;
    expect(call?.repairs).toContainEqual(expect.objectContaining({ kind: 'text', certainty: 'inferred' }));
  });
  it.each(rows)('guard: %s runs nothing else: %s', (dialect, list) => {
    const others = [
      `The list ${list} is a call.`,
      `I build it.\n${list}\nThat is the format.`,
      `calls = ${list}`,
      `It is like this: \`${list}\``,
      `I would write\n> ${list}`,
      `See ${list}(https://example.com).`,
      `For example:\n\n    ${list}`,
      `{"data": ${list}}`,
      `"${list}"`,
      `- ${list} first\n- then wait`,
      `Output:\n${list}`,
      `It is this:\n\`\`\`sh\n${list}\n\`\`\``,
      `Log:\n12: ${list}`,
      `for c in ${list}:\n  pass`,
      `I build it.\n${list.slice(0, -4)}`,
      `I build it.\n${list.replace('run', 'other')}`,
      `I build it.\n${list.replace('"make"', '"<your command>"')}`,
    ];
    for (const text of others) expect([text, ranAs(dialect, text)]).toEqual([text, []]);
    expect(ranAs(dialect, `I build it.\n${list}`, 'destructive')).toEqual([]);
    expect(ran(`I build it.\n${python}`)).toEqual([]);
    const alone = list.slice(1, -1);
    for (const text of [`I build it.\n${alone}`, `The commit adds:\n\n<invoke>\n${alone}\n</invoke>`])
      expect([text, ranAs(dialect, text)]).toEqual([text, []]);
  });
});

describe('inner markers without their first bracket, or twice', () => {
  const call = (inside: string): string => `<tool_call>${inside}</tool_call>`;
  const value = '<arg_value>make</arg_value>';
  const tags = [
    `run\narg_key>command</arg_key>${value}`,
    'function=run>parameter=command>make</parameter></function>',
    'run<arg_key>command</arg_key>arg_value>make</arg_value>',
  ];
  it.each(tags)('%s', (inside) => expect(ran(call(inside))).toEqual(make));

  const pairs = [
    `run<arg_key>command</arg_key></arg_key>${value}`,
    `run<arg_key><arg_key>command</arg_key>${value}`,
    `run<arg_key>command${value}`,
  ];
  it.each(pairs)('also in a named dialect: %s', (inside) => {
    expect(ranAs('glm45', call(inside))).toEqual(make);
    expect(ranAs('glm45', call(inside), 'destructive')).toEqual([]);
  });

  const placed = (text: string): string[] => [`\`${text}\``, `> ${text}`, `${text}\nThis is how it failed.`];
  it.each([...tags, ...pairs])('guard: %s is text if it is shown', (inside) => {
    for (const shown of placed(call(inside))) expect([shown, ran(shown)]).toEqual([shown, []]);
  });
  it.each(tags)('guard: %s is text after words and without markers around it', (inside) => {
    for (const shown of [`It wrote ${call(inside)}`, inside]) expect([shown, ran(shown)]).toEqual([shown, []]);
  });
  it.each([
    'run\narg_key>other</arg_key><arg_value>make</arg_value>',
    'run\narg_key>command</arg_key><arg_value>echo arg_key>label</arg_key><arg_value>x</arg_value>',
    'run\n<arg_key>command</arg_key><arg_value>a</arg_value>arg_key>label</arg_key><arg_value>x</arg_value>',
    'function=run>parameter=command>echo parameter=label>x</parameter></function>',
    'function=run>parameter=command>grep "function=f>" a.c</parameter></function>',
    'function=run>parameter=command>x</function>',
    'function=other>parameter=command>x</parameter></function>',
    '<function=run>parameter=command>parameter=label>x</parameter></parameter></function>',
    'run<arg_key>cmd</arg_key></arg_key><arg_value>x</arg_value>',
    'run<arg_key>comm and<arg_value>x</arg_value>',
    'run the <arg_key>command</arg_key></arg_key><arg_value>x</arg_value>',
    'run<arg_key>command</arg_key><arg_value>cat <arg_key>label<arg_value>y</arg_value>',
    'run<arg_key>command</arg_key><arg_value>x</arg_value><arg_key><arg_key>label</arg_key><arg_value>y</arg_value>',
  ])('guard: %s is ambiguous or none', (inside) => expect(ran(call(inside))).toEqual([]));
  it.each([
    ['<arg_key>command</arg_key><arg_value>a arg_key>label</arg_key> b</arg_value>', 'a arg_key>label</arg_key> b'],
  ])('guard: in a value they belong to it: %s', (inside, command) =>
    expect(ran(call(`run\n${inside}`))).toEqual([['run', { command }]]),
  );
});

describe('a call between tokens with `call:` missing, or with a slash in the closer', () => {
  const texts = [
    '<start_function_call>run{command:<escape>make<escape>}<end_function_call>',
    '<start_function_call>call:run{command:<escape>make<escape>}</end_function_call>',
    '<start_function_call>run{command:<escape>make<escape>}</end_function_call>',
  ];
  it.each(texts)('%s', (text) => {
    for (const dialect of ['auto', 'functiongemma']) {
      expect(ranAs(dialect, text)).toEqual(make);
      expect(ranAs(dialect, text, 'destructive')).toEqual([]);
    }
  });
  it.each(texts)('guard: %s is text where it is shown', (text) => {
    for (const shown of [`\`${text}\``, `> ${text}`, `Use ${text} to build.`, text.replace('run', 'other')])
      expect([shown, ran(shown)]).toEqual([shown, []]);
  });
  it.each([
    '<start_function_call>run{command:<escape>echo }</end_function_call>',
    '<start_function_call>run {is what I wrote}</end_function_call>',
    '<start_function_call> and run{command} are its tokens.',
  ])('guard: %s runs nothing', (text) => expect(ran(text)).toEqual([]));
  it('guard: in a value, the closer belongs to it', () =>
    expect(
      ran('<start_function_call>call:run{command:<escape>a </end_function_call><escape>}<end_function_call>'),
    ).toEqual([['run', { command: 'a </end_function_call>' }]]));
});
