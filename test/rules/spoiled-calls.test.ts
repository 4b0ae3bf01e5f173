/** Native calls that a server spoiled: markup in names, keys and values, names twice, and objects that begin twice. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import type { Outcome } from '../../src/mend/outcome.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { growthOf } from '../cpu-of.ts';
import { boolean, closed, integer, open, string, strings } from './mend-with.ts';

const mode = { enum: ['text', 'binary'] };
const edits = { type: 'array', items: open({}) } as const;
const toolbox = new Toolbox([
  tool({ name: 'read', description: 'R', inputSchema: closed({ path: string, limit: integer }, ['path']) }),
  tool({ name: 'exec_command', description: 'E', inputSchema: closed({ command: string, timeout: integer }) }),
  tool({ name: 'edit', description: 'E', inputSchema: closed({ path: string, ops: edits }, ['path']) }),
  tool({
    name: 'write',
    description: 'W',
    inputSchema: closed({ path: string, content: string, tags: strings, mode, all: boolean, meta: open({}) }),
  }),
  tool({ name: 'drop', description: 'D', effect: 'destructive', inputSchema: closed({ table: string }, ['table']) }),
  tool({ name: 'store', description: 'S', inputSchema: open({ value: open({}) }) }),
]);
const call = (name: string, args: unknown): Outcome => mend({ name, arguments: args }, toolbox);
const shown = ({ name, status, input, repairs }: Outcome) => [
  name,
  status,
  status === 'invalid' ? undefined : input,
  repairs.every(({ certainty }) => certainty === 'inferred'),
];

const tags = '<arg_key>path</arg_key><arg_value>a.ts</arg_value>';

describe('C26 Names: markup and headers around a name', () => {
  it.each([
    'read</arg_value>',
    'read</arg_value></tool_call>',
    'read[ARGS]',
    '[TOOL_CALLS]read[ARGS]',
    'assistant<|channel|>commentary to=functions.read',
    '<|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json',
  ])('%j', (name) => {
    expect(call(name, '{"path": "a.ts"}')).toMatchObject({ name: 'read', status: 'mended', input: { path: 'a.ts' } });
  });
  it.each([
    'read</arg_value>drop',
    'read[ARGS]drop',
    'commentary to=functions.read and drop',
    'erase</arg_value>',
    '</arg_value>',
  ])('guard: refuses %j', (name) => expect(call(name, '{"path": "a.ts"}').status).toBe('invalid'));
  it('takes the opener of a key off', () => {
    expect(call('read', '{"<arg_key>path": "a.ts"}')).toMatchObject({ status: 'mended', input: { path: 'a.ts' } });
    expect(call('read', '{"<arg_key>path": "a.ts", "path": "b.ts"}').status).toBe('invalid');
    expect(call('drop', '{"<arg_key>table": "users"}').status).toBe('invalid');
  });
});

describe('Names: markup that carries the arguments', () => {
  it.each([
    [`read${tags}`, { path: 'a.ts' }],
    [`read\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n`, { path: 'a.ts' }],
    [`read${tags}<arg_key>limit</arg_key><arg_value>5</arg_value></tool_call>`, { path: 'a.ts', limit: 5 }],
    ['read<parameter=path>a.ts</parameter></function></tool_call>', { path: 'a.ts' }],
    ['read"><parameter name="path">a.ts</parameter>', { path: 'a.ts' }],
    ['read(path="a.ts")', { path: 'a.ts' }],
    ['read(path="a.ts", limit=5)', { path: 'a.ts', limit: 5 }],
    ['read {"path": "a.ts"}', { path: 'a.ts' }],
  ])('%j', (name, input) => {
    for (const args of [undefined, null, '', '{}'])
      expect([args, ...shown(call(name, args))]).toEqual([args, 'read', 'mended', input, true]);
  });

  it.each([
    // Half of it is missing.
    'read<arg_key>path</arg_key><arg_value>a.ts',
    'read<arg_key>path</arg_key>',
    'read<parameter=path>a.ts',
    // A key twice, an unknown key, a value that could end at two places, and text between.
    `read${tags}${tags}`,
    'read<arg_key>file</arg_key><arg_value>a.ts</arg_value>',
    `read<arg_key>path</arg_key><arg_value>a</arg_value>b</arg_value>`,
    `read${tags} or ${tags}`,
    // Variables, positions and other code.
    'read(path=file)',
    'read("a.ts")',
    'read(path="a.ts") + 1',
    // No tool of that name, or one for which it isn't certain enough.
    `erase${tags}`,
    'drop<arg_key>table</arg_key><arg_value>users</arg_value>',
  ])('guard: refuses %j', (name) => expect(call(name, '{}').status).toBe('invalid'));

  it('guard: refuses it next to arguments', () => {
    expect(call(`read${tags}`, '{"path": "b.ts"}').status).toBe('invalid');
    expect(call('read(path="a.ts")', '{"limit": 5}').status).toBe('invalid');
  });
});

describe('Names: one tool’s name twice', () => {
  it.each(['exec_commandexec_command', 'exec_command exec_command', 'exec_command,exec_command'])('%s', (name) =>
    expect(shown(call(name, '{"command": "ls"}'))).toEqual(['exec_command', 'mended', { command: 'ls' }, true]),
  );
  it.each(['exec_commandread', 'readexec_command', 'exec_commandexec_commandx', 'dropdrop'])(
    'guard: refuses %s',
    (name) => expect(call(name, name === 'dropdrop' ? '{"table": "t"}' : '{"command": "ls"}').status).toBe('invalid'),
  );
});

describe('C26 Coercing: a key in the markup of its parameter', () => {
  it.each([
    'parameter name="ops"',
    "parameter name='ops'",
    'parameter name="ops">',
    '<parameter name="ops">',
    'parameter=ops',
    '<parameter=ops>',
    'ops</arg_key>',
    '<arg_key>ops</arg_key>',
    'ops</parameter>',
  ])('%s', (key) => {
    const input = { path: 'a.ts', ops: [{ a: 1 }] };
    for (const args of [{ path: 'a.ts', [key]: [{ a: 1 }] }, JSON.stringify({ path: 'a.ts', [key]: [{ a: 1 }] })])
      expect(shown(call('edit', args))).toEqual(['edit', 'mended', input, true]);
  });

  const expectRefused = (args: object) => expect(call('edit', args).status).toBe('invalid');
  it.each([
    // Another key, the key twice with two values, and two keys at once.
    { path: 'a.ts', 'parameter name="op"': [] },
    { path: 'a.ts', ops: [{ a: 1 }], 'parameter name="ops"': [{ a: 2 }] },
  ])('refuses %j', expectRefused);
  it.each([{ path: 'a.ts', 'parameter name="path" name="ops"': [] }])('guard: refuses %j', expectRefused);

  it('guard: keeps such keys of maps', () => {
    const value = { 'parameter name="value"': 1 };
    expect(call('store', { value })).toMatchObject({ status: 'ok', input: { value } });
  });
});

describe('Coercing: closing tags behind a value that is not text', () => {
  const closers = ['</parameter>', '</parameter></invoke>', '</parameter>\n</invoke>\n', '</arg_value>', '</function>'];
  it.each(closers)('%j', (closer) => {
    for (const [key, text, value] of [
      ['tags', '["a", "b"]', ['a', 'b']],
      ['meta', '{"a": 1}', { a: 1 }],
      ['all', 'true', true],
      ['mode', 'binary', 'binary'],
    ])
      expect(shown(call('write', { [key as string]: text + closer }))).toEqual([
        'write',
        'mended',
        { [key as string]: value },
        true,
      ]);
    expect(shown(call('read', { path: 'a', limit: `5${closer}` }))).toEqual([
      'read',
      'mended',
      { path: 'a', limit: 5 },
      true,
    ]);
    expect(shown(call('edit', `{"path": "a", "ops": [{"a": 1}]${closer}}`))).toEqual([
      'edit',
      'mended',
      { path: 'a', ops: [{ a: 1 }] },
      true,
    ]);
  });

  const expectRefused = (args: string | object) => expect(call('write', args).status).toBe('invalid');
  it.each([
    // Text, words, more behind it, an opening tag and a cut value.
    { content: 'done</parameter></invoke>' },
    { tags: 'a</parameter>' },
  ])('refuses %j', expectRefused);
  it.each([
    { tags: 'a, b</parameter>' },
    { all: 'true</parameter> or false' },
    { all: '<parameter name="all">true</parameter>' },
    { meta: '{"a": 1</parameter>' },
    { mode: 'bin</parameter>' },
    '{"content": "done</parameter>}',
    '{"tags": ["a"]</parameter>, "all": true}',
    '{"tags": ["a"</parameter>}',
  ])('guard: refuses %j', expectRefused);
});

describe('Reading: a complete object after its own beginning', () => {
  const whole = '{"command": "ls -la /tmp", "timeout": 5}';
  it('wherever it was cut', () => {
    for (let end = 2; end < whole.length; end++) {
      // Behind a colon it may also be the value of that key.
      if (/[:"]\s*$/.test(whole.slice(0, end)) && !/^\{"$|[:\s]"$|, "$/.test(whole.slice(0, end))) continue;
      const text = whole.slice(0, end) + whole;
      expect([text, ...shown(call('exec_command', text))]).toEqual([
        text,
        'exec_command',
        'mended',
        { command: 'ls -la /tmp', timeout: 5 },
        true,
      ]);
    }
  });

  it.each([
    '{"command":"ls -la /tmp","timeout":5{"command": "ls -la /tmp", "timeout": 5}',
    '{"command":"ls -la{"command": "ls -la /tmp", "timeout": 5}',
    '{ "command": "ls -la /tmp" {"command":"ls -la /tmp","timeout":5}',
  ])('with other white space: %s', (args) =>
    expect(shown(call('exec_command', args))).toEqual([
      'exec_command',
      'mended',
      { command: 'ls -la /tmp', timeout: 5 },
      true,
    ]),
  );

  it('also if the beginning is an empty object, where a field is required', () => {
    for (const text of ['{}{"path": "a.ts"}', ' { }\n{"path": "a.ts"}'])
      expect([text, ...shown(call('read', text))]).toEqual([text, 'read', 'mended', { path: 'a.ts' }, true]);
    const optional = tool({ name: 'list', description: 'L', inputSchema: closed({ path: string }, []) });
    expect(mend({ name: 'list', arguments: '{}{"path": "a.ts"}' }, new Toolbox([optional])).status).toBe('invalid');
    for (const text of ['{}{"path": "a.ts"}{"path": "b.ts"}', '{} {"path": "a', '{}, {"path": "a.ts"}', '{}'])
      expect([text, call('read', text).status]).toEqual([text, 'invalid']);
    expect(call('drop', '{}{"table": "users"}').status).toBe('invalid');
  });

  it.each([
    // White space inside a string.
    '{"command": "ls  -la{"command": "ls -la", "timeout": 5}',
    // Other contents, a bracket too many, a quoted object, a cut one behind, and two calls.
    '{"command": "ls"{"command": "pwd"}',
    '{"command": "ls -l{"command": "ls -a"}',
    '{{"command": "ls"}',
    '{"{"command": "ls"}"}',
    '{"command": "ls{"command": "ls',
    '{"command": "a"}{"command": "b"}',
    '{"command": "ls{"command": "ls"} and more',
  ])('guard: refuses %s', (args) => expect(call('exec_command', args).status).toBe('invalid'));

  it('keeps how numbers were written', () => {
    for (const text of ['{"path": 1.{"path": 1.10}', '{"{"path": 1.10}', '{"path": 1.10</parameter>}'])
      expect([text, call('read', text).input]).toEqual([text, { path: '1.10' }]);
  });

  it('refuses it if it may be the value of a key', () => {
    for (const text of ['{"value": {"value": {"a": 1}}', '{"value"{"value": {"a": 1}}'])
      expect([text, call('store', text).status]).toEqual([text, 'invalid']);
    expect(call('store', '{"value": {"other": {"a": 1}}')).toMatchObject({ status: 'mended' });
  });

  it('guard: refuses it for destructive tools, and at the token limit', () => {
    const text = '{"table": "us{"table": "users"}';
    expect(call('drop', text).status).toBe('invalid');
    const cut = mend({ name: 'read', arguments: '{"path": "a{"path": "a.ts"}', finishReason: 'length' }, toolbox);
    expect(cut.status).toBe('invalid');
  });

  it('guard: takes time in proportion to the text', () => {
    const take = (times: number) => () => call('exec_command', `{"command": "${'{"command": "'.repeat(times)}`);
    expect(growthOf(take(3000), take(12_000), { bar: 8 }).ratio).toBeLessThan(8);
  });
});

describe('Values: the parameters that a server left in the one before them', () => {
  const fields = { content: string, reason: string, evidence: string, limit: integer };
  const notes = new Toolbox([
    tool({ name: 'remember', description: 'R', inputSchema: closed(fields, ['content', 'reason', 'evidence']) }),
    tool({
      name: 'find',
      description: 'F',
      inputSchema: closed({ pattern: string, path: string, limit: integer }, ['pattern', 'path']),
    }),
    tool({
      name: 'erase',
      description: 'E',
      effect: 'destructive',
      inputSchema: closed({ content: string, path: string }, ['content', 'path']),
    }),
  ]);
  const kept = (args: object, name = 'remember') => {
    const { status, input } = mend({ name, arguments: JSON.stringify(args) }, notes);
    return status === 'invalid' ? undefined : input;
  };
  const reason = '<parameter name="reason">asked';
  it.each<[name: string, args: object, input: object]>([
    [
      'remember',
      { content: `Prefer X.</content>\n${reason}</parameter>\n<parameter name="evidence">log 12` },
      { content: 'Prefer X.', reason: 'asked', evidence: 'log 12' },
    ],
    [
      'remember',
      { content: `Prefer X.</parameter>\n${reason}`, evidence: 'log' },
      { content: 'Prefer X.', reason: 'asked', evidence: 'log' },
    ],
    [
      'remember',
      { content: `<p>X</p></content>${reason}`, evidence: 'log' },
      { content: '<p>X</p>', reason: 'asked', evidence: 'log' },
    ],
    ['find', { pattern: 'x</arg_value>\n<arg_key>path</arg_key>\n<arg_value>src' }, { pattern: 'x', path: 'src' }],
    [
      'find',
      { pattern: 'x</arg_value><arg_key>path</arg_key><arg_value>src</arg_value><arg_key>limit</arg_key><arg_value>5' },
      { pattern: 'x', path: 'src', limit: 5 },
    ],
  ])('%s %j', (name, args, input) => expect(kept(args, name)).toEqual(input));

  it.each([
    // Nothing is missing, or more than what is there.
    { content: `a</content>\n${reason}`, reason: 'r', evidence: 'e' },
    { content: `a</content>\n${reason}` },
    // Another closer, an unknown field, one that is given, and one twice.
    { content: `a</div>\n${reason}`, evidence: 'e' },
    { content: 'a</content>\n<parameter name="other">b', evidence: 'e' },
    { content: 'a</content>\n<parameter name="evidence">b', evidence: 'e' },
    { content: `a</content>\n${reason}</parameter>\n${reason}`, evidence: 'e' },
    // The markup is closed, opened before, in a quotation, or the end of a sentence.
    { content: `a</content>\n${reason}</parameter>`, evidence: 'e' },
    { content: `a</content>\n${reason}</parameter></invoke>`, evidence: 'e' },
    { content: `<parameter name="content">a</parameter>\n${reason}`, evidence: 'e' },
    { content: `<content>a</content>\n${reason}`, evidence: 'e' },
    { content: `a</content> b</content>\n${reason}`, evidence: 'e' },
    { content: `\`a</content>\n${reason}\``, evidence: 'e' },
    { content: `say "a</content>\n${reason}"`, evidence: 'e' },
    { content: `see </content>${reason}`, evidence: 'e' },
    { content: `a</content> and ${reason}`, evidence: 'e' },
    // A value is empty, or has a line break on one side.
    { content: 'a</content>\n<parameter name="reason">', evidence: 'e' },
    { content: `</content>\n${reason}`, evidence: 'e' },
    { content: `\na</content>\n${reason}`, evidence: 'e' },
    { content: `a</content>\n${reason}\n`, evidence: 'e' },
    // Two values have markup.
    { content: `a</content>\n${reason}`, evidence: 'x</b>' },
    // Without a closer, white space may belong to the value.
    { content: `a\n${reason}`, evidence: 'e' },
  ])('guard: refuses %j', (args) => expect(kept(args)).toBeUndefined());

  it('guard: refuses it for destructive tools, and at the token limit', () => {
    const args = { content: 'a</content>\n<parameter name="path">/srv' };
    expect(kept(args, 'erase')).toBeUndefined();
    const cut = {
      name: 'find',
      arguments: JSON.stringify({ pattern: 'x</arg_value><arg_key>path</arg_key><arg_value>src' }),
    };
    expect(mend({ ...cut, finishReason: 'length' }, notes).status).toBe('invalid');
  });
});
