import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const list = { type: 'array', items: text };
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const toolbox = new Toolbox([
  tool({
    name: 'delete_file',
    description: 'Deletes files',
    effect: 'destructive',
    inputSchema: object({ path: text, force: { type: 'boolean' }, paths: list, count: { type: 'integer' } }),
  }),
  tool({
    name: 'set_room',
    description: 'Sets a room up',
    inputSchema: object({
      room: text,
      degrees: { type: 'number' },
      on: { type: 'boolean' },
      tags: list,
      either: { type: ['string', 'number'] },
      mode: { type: 'string', enum: ['low', 'high'] },
    }),
  }),
  tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema: object({ query: text }, ['query']) }),
]);

type Options = NonNullable<Parameters<typeof readCalls>[2]>;
const read = (written: string, options: Options) =>
  readCalls(written, toolbox, options).calls.map(({ name, status, input }) => [name, status, input]);
const status = (written: string, options: Options) =>
  readCalls(written, toolbox, options).calls.map((call) => call.status);

const pythonic = { dialect: 'pythonic' };
const glm = { dialect: 'glm45' };
const hermes = { dialect: 'hermes' };
const prompted = { prompted: true };
const pair = (key: string, value: string) =>
  `<tool_call>delete_file\n<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`;
const marked = (json: string) => `<tool_call>\n${json}\n</tool_call>`;

describe('Python arguments that are not literals are refused', () => {
  it.each([
    'room=living',
    'room=f"x{1}"',
    'room=get()',
    'room=d["a"]',
    'tags=[x for x in y]',
    'room=lambda: 1',
    'room="a" if True else "b"',
    'room=2024-01-05',
    'tags=["a", b]',
    'room=str(5)',
    'room="%s" % name',
    'room="a" * 2',
    'room=os.environ',
    'room=10km',
    'room=',
    'tags=list(("a",))',
    'room=a.b.c()',
    'room=x or "a"',
    '**{"room": "a"}',
    '*["a"]',
    'room="a", **{"on": True}',
    'room="total: " f"{x}"',
    "room='a' f'{x}' 'b'",
    'room="a " x "b"',
    'room="a" rf"{x}"',
    'either=123456789012345678',
    'room="a".upper()',
    'room=b"a"',
    'room=rb"a"',
    'room=f"a"',
    'tags=[b"a"]',
  ])('%s', (given) => {
    expect(status(`[set_room(${given})]`, pythonic)).toEqual(['invalid']);
  });
  it.each(['set_room(room=get_room())', '[set_room(room=x)]', 'set_room(tags=[a, b])'])('prompted: %s', (given) => {
    expect(status(given, prompted)).toEqual(['invalid']);
  });
});

describe('inferences are recorded, and a destructive tool refuses them', () => {
  it.each([
    '"a.txt"',
    'count=2+3',
    'force="yes"',
    'force=1',
    'paths="a"',
    'path="a" + "b"',
    'path="a" "b"',
    '{"path": "a"}',
    'path="say "hi" now"',
    'count="1,234"',
    'path="a\\_b"',
    'count=+5',
  ])('Python: %s', (given) => {
    expect(status(`[delete_file(${given})]`, pythonic)).toEqual(['invalid']);
  });
  it.each([
    ['force', 'yes'],
    ['force', '1'],
    ['paths', 'a'],
    ['count', '1,234'],
  ])('tagged: %s %s', (key, value) => {
    expect(status(pair(key, value), glm)).toEqual(['invalid']);
  });
  it.each([
    marked('{"name": "delete_file", "arguments": {"path": "a"}'),
    '<tool_call>{"name": "delete_file", "arguments": {"path": "a"}',
    marked('{"name": "delete_file", "arguments": {"path": "a"},'),
    marked('{"arguments": {"path": "a"}, "name": "delete_file"'),
  ])('a missing closing brace: %s', (written) => {
    expect(status(written, hermes)).toEqual(['invalid']);
    expect(JSON.stringify(readCalls(written, toolbox, hermes).calls)).toContain("lacks a closing '}'");
  });
  it.each([
    '<function=delete_file>\n<parameter=path>\na\n</function>\n</tool_call>',
    '<tool_call>\n<function=delete_file>\n<parameter=path>\na\n<parameter=force>\ntrue\n</parameter>\n</function>\n</tool_call>',
    '<tool_call>\n<function=delete_file>\n<parameter=path>\na\n</parameter>\n</tool_call>',
  ])('a missing closing tag: %j', (written) => {
    expect(status(written, { dialect: 'qwen3-coder' })).toEqual(['invalid']);
    expect(JSON.stringify(readCalls(written, toolbox, { dialect: 'qwen3-coder' }).calls)).toContain(
      "lacks a closing '</",
    );
  });
  it('a closing brace after quotes of the dialect', () => {
    const written = '<|tool_call>call:delete_file{path:<|"|>a<|"|><tool_call|>';
    expect(status(written, { dialect: 'gemma4' })).toEqual(['invalid']);
  });
  it('a missing closing bracket', () => {
    const written = '<|tool_call_start|>[delete_file(path="a"]<|tool_call_end|>';
    expect(status(written, { dialect: 'lfm2' })).toEqual(['invalid']);
  });
  it('flat arguments next to the name', () => {
    expect(status(marked('{"name": "delete_file", "path": "a"}'), hermes)).toEqual(['invalid']);
  });
});

describe('prompted, in formats that are not calls: inferred', () => {
  it.each([
    `{'func': 'delete_file', 'arguments': {'path': 'a'}}`,
    `{'name': 'delete_file', 'inputs': {'path': 'a'}}`,
    `{'delete_file': [{'path': 'a'}]}`,
    '{"name": "delete_file", "arguments": [{"name": "path", "value": "a"}]}',
  ])('%s', (given) => {
    expect(status(given, prompted)).toEqual(['invalid']);
  });
  it('reports that arguments must be named', () => {
    const [call] = readCalls('[delete_file("a")]', toolbox, pythonic).calls;
    expect(JSON.stringify(call)).toContain('arguments must be named');
  });
});

describe("guard: literals of the schema's type are read", () => {
  it.each([
    ['room="a"', { room: 'a' }],
    ['room=r"C:\\new\\d"', { room: 'C:\\new\\d' }],
    ['room=u"a"', { room: 'a' }],
    ["room='a', degrees=-5.5", { room: 'a', degrees: -5.5 }],
    ['on=True', { on: true }],
    ['degrees=1_000', { degrees: 1000 }],
    ['tags=["a", "b"]', { tags: ['a', 'b'] }],
    ['room=5', { room: '5' }],
    ['degrees="5"', { degrees: 5 }],
    ['room="""a "b" c"""', { room: 'a "b" c' }],
  ])('%s', (given, input) => {
    expect(read(`[set_room(${given})]`, pythonic)).toEqual([['set_room', 'ok', input]]);
  });
  it.each([
    ['path', 'a.txt', { path: 'a.txt' }],
    ['force', 'true', { force: true }],
    ['count', '5', { count: 5 }],
    ['paths', '["a", "b"]', { paths: ['a', 'b'] }],
  ])('tagged, destructive: %s %s', (key, value, input) => {
    expect(read(pair(key, value), glm)).toEqual([['delete_file', 'ok', input]]);
  });
  it('destructive: print around a call, exact', () => {
    expect(read('print(set_room(room="a"))', prompted)).toEqual([['set_room', 'ok', { room: 'a' }]]);
    expect(read('delete_file(path="a")', prompted)).toEqual([['delete_file', 'ok', { path: 'a' }]]);
  });
});

describe('comments and unreachable code are not calls', () => {
  it.each([
    '# set_room(room="a")',
    'if False:\n    set_room(room="a")',
    'if 0: set_room(room="a")',
    'while False:\n    set_room(room="a")',
    'def go():\n    set_room(room="a")',
    'class A:\n    def go(self):\n        if x:\n            set_room(room="a")',
    'def go(): set_room(room="a")',
    'def go():\n    """Call set_room(room="a") first."""\n    pass',
    'x = 1\n"""\nset_room(room="a")\n"""',
    "text = '''\nset_room(room='a')\n'''\n",
    `msg = 'set_room(room="a")'`,
    `print("set_room(room='a')")`,
    `return "set_room(room='a')"`,
    'sys.exit()\nset_room(room="a")',
    'exit(1)\nset_room(room="a")',
    'raise ValueError("x")\nset_room(room="a")',
    'assert False, "no"\nset_room(room="a")',
    'if True:\n    pass\nelse:\n    set_room(room="a")',
  ])('%s', (given) => {
    expect(read(given, prompted)).toEqual([]);
  });
  it('next to a call', () => {
    const given = '# search(query="b")\nset_room(room="a")';
    expect(read(given, prompted).map(([name]) => name)).toEqual(['set_room']);
    // A comment after a call may take it back.
    expect(read('set_room(room="a")  # search(query="b")', prompted)).toEqual([]);
  });
});

describe('guard: reachable code, prompted', () => {
  it.each([
    '```python\nx = set_room(room="a")\nprint(x)\n```',
    `["set_room(room='a')"]`,
    'I will set the room and return.\nset_room(room="a")',
    `I'll set the user's room:\nset_room(room='a')`,
    '```python\nif x:\n    return\nset_room(room="a")\n```',
    'Sure! I set the room (as "asked"):\n[set_room(room="a")]',
    'The room is "a". I set it:\nset_room(room="a")',
  ])('%s', (given) => {
    expect(read(given, prompted)).toMatchObject([['set_room', expect.any(String), { room: 'a' }]]);
  });
});

it('a call under a condition runs no tool that writes', () => {
  expect(read('```python\nif True:\n    set_room(room="a")\n```', prompted)).toEqual([]);
});

describe('definitions and examples are not calls', () => {
  const schema = '{"type": "object", "properties": {"query": {"type": "string"}}}';
  it.each([
    `{"name": "search", "parameters": ${schema}}`,
    `[{"type": "function", "function": {"name": "search", "parameters": ${schema}}}]`,
    `<tools>\n{"type": "function", "function": {"name": "search", "parameters": ${schema}}}\n</tools>`,
    `<function_call>{"name": "search", "parameters": ${schema}}</function_call>`,
    `<tool_call>\n{"name": "search", "arguments": ${schema}}\n</tool_call>`,
    `\`\`\`json\n{"name": "search", "parameters": ${schema}}\n\`\`\``,
    '{"name": "set_room", "parameters": {"room": "string", "degrees": "number"}}',
    '{"name": "set_room", "parameters": {"room": {"type": "string"}, "on": {"type": "boolean"}}}',
    '{"name": "set_room", "arguments": {"room": "<room>", "mode": "<mode>"}}',
    '<set_room>\n<room>Room here</room>\n<mode>Your mode here</mode>\n</set_room>',
  ])('%s', (written) => {
    expect(readCalls(written, toolbox)).toMatchObject({ text: written, calls: [] });
  });
  it('guard: dots for values', () => {
    const written = 'set_room(room="...", mode="…")';
    expect(readCalls(written, toolbox)).toMatchObject({ text: written, calls: [] });
  });
  it.each([
    ['hermes', `<tool_call>\n{"name": "search", "arguments": ${schema}}\n</tool_call>`],
    ['mistral', `[TOOL_CALLS]search[ARGS]${schema}`],
  ])('are refused as a call of %s', (dialect, written) => {
    const open = new Toolbox([
      tool({ name: 'search', description: 'S', inputSchema: { type: 'object', properties: { query: text } } }),
    ]);
    expect(readCalls(written, open, { dialect }).calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
  });
  it('guard: are text if prompted', () => {
    const written = `{"name": "search", "parameters": ${schema}}`;
    expect(readCalls(written, toolbox, prompted)).toMatchObject({ text: written, calls: [] });
  });
  it('guard: a tool that accepts a schema gets it', () => {
    const made = tool({
      name: 'make_type',
      description: 'Makes a type',
      inputSchema: object({ type: text, properties: { type: 'object' } }),
    });
    const written = `{"name": "make_type", "arguments": ${schema}}`;
    expect(readCalls(written, new Toolbox([made])).calls).toMatchObject([{ status: 'ok', input: JSON.parse(schema) }]);
  });
  it.each([
    ['{"name": "search", "parameters": {"query": "string"}}', { query: 'string' }],
    ['{"name": "search", "arguments": {"query": "what to eat near here"}}', { query: 'what to eat near here' }],
    ['{"name": "set_room", "arguments": {"room": "<b>", "mode": "low"}}', { room: '<b>', mode: 'low' }],
    ['set_room(room="...", mode="low")', { room: '...', mode: 'low' }],
  ])('guard: %s', (written, input) => {
    expect(readCalls(written, toolbox).calls).toMatchObject([{ status: 'ok', input }]);
  });
});

describe('comments after calls mark the response as an example', () => {
  it.each([
    'search(query="a")  # returns a list',
    'search(query="a")  # b\nset_room(room="a")',
    'search(query="a");',
    'search(query="a")\n# done',
    '```\nsearch(query="a") # example only\n```',
  ])('guard: %s', (written) => {
    expect(readCalls(written, toolbox)).toMatchObject({ text: written, calls: [] });
  });
  it.each(['search(query="a # b")', 'search(query="a"); set_room(room="b")', "search(query='a;')"])(
    'guard: %s',
    (written) => {
      expect(readCalls(written, toolbox).calls[0]?.status).toBe('ok');
    },
  );
});

describe('keys next to the arguments', () => {
  it.each([
    '{"name": "search", "arguments": {"query": "a"}, "approved": false}',
    '{"name": "search", "arguments": {"query": "a"}, "dry_run": true}',
    '{"result": "x", "name": "search", "arguments": {"query": "a"}}',
    '{"function": {"name": "search", "arguments": {"query": "a"}, "approved": false}}',
    '{"function": {"name": "search", "arguments": {"query": "a"}}, "approved": false}',
    '{"tool_calls": [{"name": "search", "arguments": {"query": "a"}}], "skip": true}',
  ])('%s', (json) => {
    expect(status(marked(json), hermes)).toEqual(['invalid']);
  });
  it.each([
    '{"name": "search", "arguments": {"query": "a"}, "id": "1", "type": "function", "index": 0}',
    '{"type": "function", "function": {"name": "search", "arguments": {"query": "a"}}}',
    '{"tool_name": "search", "parameters": {"query": "a"}, "tool_call_id": "0"}',
  ])('guard: %s', (json) => {
    expect(read(marked(json), hermes)).toEqual([['search', 'ok', { query: 'a' }]]);
  });
});

describe('free text is not arguments', () => {
  it.each(['"just words"', '"cats and dogs"'])('%s', (given) => {
    expect(status(marked(`{"name": "search", "arguments": ${given}}`), hermes)).toEqual(['invalid']);
  });
  it('has two readings if the format accepts text and it names the field', () => {
    const written = '<tool>search</tool><tool_input>query: cats</tool_input>';
    expect(status(written, { dialect: 'langchain-xml' })).toEqual(['invalid']);
  });
  it('is inferred if the format also accepts an object', () => {
    const react = 'Thought: x\nAction: search\nAction Input: cats\n';
    expect(read(react, { dialect: 'react' })).toEqual([['search', 'mended', { query: 'cats' }]]);
  });
  it('guard: is accepted if the format accepts text', () => {
    const xml = '<tool>search</tool><tool_input>cats</tool_input>';
    expect(read(xml, { dialect: 'langchain-xml' })).toEqual([['search', 'ok', { query: 'cats' }]]);
  });
});

describe('closers of other dialects after JSON are inferred', () => {
  const rows = ['</parameter>', '\n</parameter>\n</function>', '</arguments>', '</invoke>'].flatMap((stray) => [
    ['hermes', (json: string, name: string) => marked(`{"name": "${name}", "arguments": ${json}}${stray}`)] as const,
    ['mistral', (json: string, name: string) => `[TOOL_CALLS]${name}[ARGS]${json}${stray}`] as const,
  ]);
  it.each(rows)('%s', (dialect, write) => {
    for (const chunk of [1, 7, 1000]) {
      const found = readCalls(write('{"query": "a"}', 'search'), toolbox, { dialect, chunk });
      expect(found).toMatchObject({ text: '', calls: [{ status: 'mended', input: { query: 'a' } }] });
      expect(status(write('{"path": "a"}', 'delete_file'), { dialect, chunk })).toEqual(['invalid']);
    }
  });
  it('guard: its own closer ends a call, and prose may follow', () => {
    const written = '<function=search>{"query": "a"}</function>\nDone.';
    expect(read(written, { dialect: 'functionary-v31' })).toEqual([['search', 'ok', { query: 'a' }]]);
  });
});

describe('guard: a brace inside quotes never ends JSON arguments', () => {
  it.each([
    '{"name": "search", "arguments": {"query": "say "hi"} </tool_call>"}}',
    '{"name": "search", "arguments": {"query": "use "x}} </tool_call> here""}}',
    '{"name": "search", "arguments": {"query": "he said "{}}" ok"}}',
  ])('%s', (json) => {
    for (const one of status(marked(json), hermes)) expect(one).toBe('invalid');
  });
  it('closers in a string are text', () => {
    const value = '</parameter></tool_call>}}';
    const json = JSON.stringify({ name: 'search', arguments: { query: value } });
    expect(read(marked(json), hermes)).toEqual([['search', 'ok', { query: value }]]);
  });
});
