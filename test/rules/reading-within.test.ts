/** Reading: an object, an attribute or a quotation that is a part of something else is not the arguments. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { boolean, closed, integer, string } from './mend-with.ts';

const mode = { enum: ['text', 'binary'] };
const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'W',
    inputSchema: closed({ path: string, content: string, mode }, ['path']),
  }),
  tool({ name: 'edit_file', description: 'E', inputSchema: closed({ file_path: string, new_text: string }) }),
  tool({ name: 'shell', description: 'S', inputSchema: closed({ command: string, cwd: string, timeout: integer }) }),
  tool({
    name: 'find',
    description: 'F',
    effect: 'read',
    inputSchema: closed({ query: string, name: string, all: boolean }),
  }),
]);
const write = (text: string) => mend({ name: 'write_file', arguments: text }, toolbox);
const shell = (text: string) => mend({ name: 'shell', arguments: text }, toolbox);
const given = { path: 'a', content: 'b' };
const object = JSON.stringify(given);
const call = JSON.stringify({ name: 'write_file', arguments: given });

describe('Reading: a call in a tag, inside other text', () => {
  it.each([
    `<arg_key>path</arg_key>\n<arg_value>doc.md</arg_value>\n<arg_key>content</arg_key>\n<arg_value><tool_call>${call}</tool_call></arg_value>x`,
    `<parameter=path>doc.md</parameter><parameter=content><tool_call>${call}</tool_call></parameter>x`,
    `<parameter name="path">doc.md</parameter>\n<parameter name="content">As in:\n<tool_call>${call}</tool_call>\n</parameter>\n</parameter>`,
    `<document><content><tool_call>${call}</tool_call></content></document>`,
    `The user's message contained <tool_call>${call}</tool_call>`,
    `The document says\n<tool_call>\n${call}\n</tool_call>`,
    `I found this in the log: <tool_call>${call}</tool_call>`,
    `> <tool_call>${call}</tool_call>`,
    `- <tool_call>${call}</tool_call>`,
    `In the log: <arguments>${object}</arguments>`,
    `The earlier attempt was <input>${object}</input>`,
    `Last result: <output>${object}</output>`,
    `An attacker wrote: <json>${object}</json>`,
    `user: <json>${object}</json>`,
    `quoted text <tool>${object}</tool>`,
    `<document>\nRun it like so:\n${object}\n</document>`,
    `<quote author="eve">\nPlease send:\n${object}\n</quote>`,
  ])('%j', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    `<tool_call>\n${call}\n</tool_call>`,
    `<function_call>${object}</function_call>`,
    `<think>They want <b>a</b>.</think>\n<tool_call>${call}</tool_call>`,
    `Here it is:\n${object}`,
    `${object}</tool_call>`,
    `I see <b>one</b> way:\n${object}`,
  ])('guard: %j is read', (text) => expect(write(text)).toMatchObject({ status: 'mended', input: given }));
});

it('Reading: a call in a tag of a parameter is the text of that parameter', () => {
  const content = `<tool_call>${call}</tool_call>`;
  for (const text of [
    `<arg_key>path</arg_key><arg_value>doc.md</arg_value><arg_key>content</arg_key><arg_value>${content}</arg_value>`,
    `<parameter=path>doc.md</parameter><parameter=content>${content}</parameter>`,
  ])
    expect(write(text)).toMatchObject({ status: 'mended', input: { path: 'doc.md', content } });
});

describe('Reading: an object in a tag that no dialect writes calls in', () => {
  const tags = ['args', 'arguments', 'parameters', 'params', 'input', 'json', 'answer', 'output', 'tool', 'call'];
  it.each(tags)('<%s>', (tag) => {
    for (const text of [
      `<${tag}>${object}</${tag}>`,
      `<${tag}>\n${object}\n</${tag}>`,
      `<${tag}>${object}`,
      `<${tag}>\n\`\`\`json\n${object}\n\`\`\`\n</${tag}>`,
      `Here it is:\n<${tag}>${object}</${tag}>`,
      `<tool_call><${tag}>${object}</${tag}></tool_call>`,
    ])
      expect([text, write(text).status]).toEqual([text, 'invalid']);
  });
});

describe('guard: Reading: a call as the text of one line', () => {
  it('stays that text', () => {
    const lines = `content: <tool_call>${call}</tool_call>\npath: a.txt`;
    expect(write(lines).input).not.toEqual(given);
  });
});

describe('Reading: attributes of an element that is not the call', () => {
  it.each(['delete_file', 'example', 'note', 'meta', 'wrong', 'tool_response', 'not-called', 'previous_call', 'input'])(
    '%s',
    (name) => {
      expect(write(`<${name} path="a" content="b"/>`).status).toBe('invalid');
      expect(write(`<${name} path="a" content="b"></${name}>`).status).toBe('invalid');
      expect(write(`\`\`\`xml\n<${name} path="a" content="b" />\n\`\`\``).status).toBe('invalid');
    },
  );
  it('closed by another', () =>
    expect(write('<write_file path="a" content="b"></delete_file>').status).toBe('invalid'));
  it.each(['write_file', 'tool_call', 'parameters', 'arguments'])('guard: %s is read', (name) => {
    for (const text of [`<${name} path="a" content="b"/>`, `<${name} path="a" content="b"></${name}>`])
      expect(write(text)).toMatchObject({ status: 'mended', input: given });
  });
});

describe('Reading: code after a call', () => {
  it.each([
    `write_file(${object}) if ok else skip()`,
    `write_file(${object}); delete_file(x)`,
    `write_file(${object}) # not run (yet)`,
    `write_file(${object}) or write_file_later()`,
  ])('%s', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    `write_file(${object}) && rollback()`,
    `write_file(${object} | defaults())`,
    `write_file(${object} if ok else {})`,
    `write_file(${object}) -> skipped (see log)`,
  ])('guard: %s', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    `write_file(${object}).undo()`,
    `write_file(${object}, dry_run=True)`,
    `write_file(path="a", content="b") if ok else skip()`,
    `write_file(path="a", content="b"); write_file(path="c", content="d")`,
  ])('guard: %s', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    `write_file(${object})`,
    `write_file( ${object} );\n`,
    `functions.write_file(${object})`,
    `write_file(${object},)`,
    'write_file({path: "a", content: "b"})',
    'write_file(path="a", content="b")',
  ])('guard: %s is read', (text) => expect(write(text)).toMatchObject({ status: 'mended', input: given }));
});

describe('Reading: text next to the object that names a declared key', () => {
  it.each([
    '{"path":"x"} but use path y',
    '{"path":"x"} with mode binary',
    '{"path":"x"}\nActually the path must be /tmp',
    '{"path":"x"}\nIgnore the path above',
    '{"path":"x"}\nThat is the path.',
    '{"path":"x"}\nNote that Content was left out',
    '{"path":"x"} path',
    '{"path":"x"} // the path is a guess',
    '{"path":"x"} # wrong path',
    'I set the path to:\n{"path":"x"}',
    'With mode binary:\n{"path":"x"}',
    'The path was wrong. Trying again:\n{"path": "x"}',
    'path\n{"path":"x"}',
    '{"path":"a"}<parameter name="content">b</parameter>',
    '{"path":"a"}\n<content>b</content>',
    '{"path":"a"}<parameter=mode>x</parameter>',
    '{"path":"a"}\n```\ncontent here\n```',
    '{"path":"a"}<arg_key>content</arg_key><arg_value>b</arg_value>',
    '{"path":"a"} with other content, {"path":"a"}',
    '"{\\"path\\":\\"x\\"} but use path y"',
    '```json\n{"path":"x"}\n```\nThe path is a guess.',
  ])('%j', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    '{"path":"x"} — wait, the path is wrong',
    '{"path":"x"} (the mode should be binary)',
    '{"path":"a"} --content b',
  ])('guard: %j', (text) => expect(write(text).status).toBe('invalid'));
  it.each([
    ['edit_file', '{"file_path": "a"}\nPut the new text below it.'],
    ['edit_file', 'The file path follows:\n{"file_path": "a"}'],
    ['find', '{"query": "x"}\nThis query finds them.'],
    ['find', '{"query": "x"}\nTell me the name.'],
  ])('%s %j', (name, text) => expect(mend({ name, arguments: text }, toolbox).status).toBe('invalid'));
  it.each([['edit_file', '{"file_path": "a"} (filePath was given)']])('guard: %s %j', (name, text) =>
    expect(mend({ name, arguments: text }, toolbox).status).toBe('invalid'),
  );
  it.each([
    ' — done.',
    ' ✅',
    '!',
    ' (ok)',
    '\nI will write it now.',
    '\nThe paths and contents are as you said.',
    '\nLet me know.',
    '</tool_call>',
    ';',
  ])('guard: %j after it is read', (more) =>
    expect(write(`${object}${more}`)).toMatchObject({ input: given, problems: [] }),
  );
  it('guard: a word in a special token is not a key', () => {
    const event = new Toolbox([
      tool({ name: 'book', description: 'B', inputSchema: closed({ end: string, tool: string }) }),
    ]);
    for (const more of ['<｜tool▁call▁end｜>', '<|tool_call_end|>', '</tool_call>'])
      expect(mend({ name: 'book', arguments: `{"end": "x"}${more}` }, event)).toMatchObject({
        input: { end: 'x' },
        problems: [],
      });
  });
  it.each(['Sure:\n', 'I will call write_path with:\n', 'Step 1 (of 2):\n', 'I have a plan:\n'])(
    'guard: %j before it is read',
    (lead) => expect(write(lead + object)).toMatchObject({ status: 'mended', input: given }),
  );
});

describe('Reading: signs and words between two strings', () => {
  const signs = [
    'or',
    'and',
    'then',
    'not',
    'in',
    'if b else',
    'instead of',
    '&&',
    '||',
    '|',
    '&',
    '??',
    '/',
    '=>',
    '->',
    '-',
    '%',
    '~',
  ];
  it.each([...signs, '<>', '.', '..', '^', ';'])('a %s b', (sign) => {
    expect(shell(`{"command": "rm -rf x" ${sign} "y"}`).status).toBe('invalid');
    expect(shell(`{"command": "ls", "cwd": "/a/" ${sign} "/b/"}`).status).toBe('invalid');
    expect(shell(`{"command": "ls/" ${sign} "/b", "cwd": "/a"}`).status).toBe('invalid');
  });
  it.each(['||', '&&', '->', '|', '-', '%'])('without spaces: %s', (sign) => {
    expect(shell(`{"command": "ls", "cwd": "/a/"${sign}"/b/"}`).status).toBe('invalid');
    expect(shell(`{"cwd": "/a/"${sign}"/b/", "command": "ls"}`).status).toBe('invalid');
  });
  it.each([
    ['{"command": "ls", "cwd": "/a" (not "/b")}'],
    ['{"command": "rm -rf x" or "y" or "z"}'],
    ['{"command": "echo "a" b" or "c"}'],
    ['{"command": "kill 6" or "8"}'],
  ])('guard: %s', (text) => expect(shell(text).status).toBe('invalid'));
  it.each([['{"command": "x (" or ") y"}'], ['{"command": "x (" or ") y", "cwd": "/a"}']])('%s', (text) =>
    expect(shell(text).status).toBe('invalid'),
  );
  it.each([
    ['{"command": "say "hi" to all"}', 'say "hi" to all'],
    ['{"command": "echo "a" or "b""}', 'echo "a" or "b"'],
    ['{"command": "echo "a" | grep "b" && ls"}', 'echo "a" | grep "b" && ls'],
    ['{"command": "python -c print(f"x {y}")"}', 'python -c print(f"x {y}")'],
    ['{"command": "print("hello " + name)"}', 'print("hello " + name)'],
    ['{"command": "print("a" + " b")"}', 'print("a" + " b")'],
    ['{"command": "git commit -m "fix: all""}', 'git commit -m "fix: all"'],
    ['{"command": "grep -r "TODO" src", "timeout": 5}', 'grep -r "TODO" src'],
    ['{"command": "안녕 "큰따옴표"가 있습니다."}', '안녕 "큰따옴표"가 있습니다.'],
    ['{"command": "他说"你好"了"}', '他说"你好"了'],
    ['{"command": "cut a 6" pipe here", "timeout": 5}', 'cut a 6" pipe here'],
  ])('guard: %s is read', (text, command) =>
    expect(shell(text)).toMatchObject({ status: 'mended', input: { command } }),
  );
});

describe('Reading: the repeated end of the text', () => {
  it.each([
    '{"command": "rm -rf build"}build"}',
    '{"command": "ls -la"}la"}',
    '{"command": "ls"}ls"}',
    '{"command": "say \\"hi\\""}""}',
    '{"command": "cat a.txt"}a.txt"}\n',
    '{"command": "ls -la", "cwd": "/srv/app"}app"}',
    '{"command": "ls -la", "cwd": "/srv/app"}app"}}',
    '{\n  "command": "ls",\n  "cwd": "main"\n}ain"\n}',
  ])('%j', (text) => expect(shell(text).status).toBe('invalid'));
  it.each(['{"command": "say \\"hi\\"."}."}'])('guard: %j', (text) => expect(shell(text).status).toBe('invalid'));
});
