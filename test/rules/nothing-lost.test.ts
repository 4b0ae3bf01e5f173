/** Coercing: no argument, condition or sign of a call is lost on the way. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mend } from '../../src/mend/mend.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, mendWith, open, string, strings, told } from './mend-with.ts';

const fields = { path: string, content: string };
const zod = z.object({ path: z.string(), content: z.string().optional() });

describe('Coercing: every form of a word that changes the effect', () => {
  it.each([
    'is_dry_run',
    'enable_dry_run',
    'dryRunOnly',
    'dryrun_mode',
    'DRY_RUN',
    'preview_only',
    'previewOnly',
    'confirmed',
    'isConfirmed',
    'confirmation',
    'forced',
    'forced_by',
    'force_push',
    'simulation',
    'simulated',
    'validate',
    'validation_only',
    'pretend',
    'noop',
    'no_op',
    'what_if',
    'whatif',
    'WhatIf',
    'test_only',
    'testOnly',
    'readonly',
    'read_only',
    'isReadOnly',
    'only_if_changed',
    'onlyIfEmpty',
    'if_exists',
    'ifNotExists',
    'if_match',
    'ifNoneMatch',
    'if_unmodified_since',
    'unless',
    'except',
    'exclude',
    'excluded_paths',
    'excludePatterns',
    'where',
    'where_clause',
    'filter',
    'filters',
    'limit_to',
    'backup',
    'create_backup',
    'nobackup',
    'overwrite',
    'allowOverwrite',
    'recursive',
    'recurse',
    'cascade',
    'undo',
    'rollback',
    'roll_back_on_error',
    'cancel',
    'cancelled',
    'abort',
    'abort_on_error',
    'disabled',
    'enabled',
    'auto_append',
    'should_skip',
  ])('Coercing: %s is a problem, stripped by Zod or forbidden', (key) => {
    for (const schema of [closed(fields), zod])
      expect(told(mendWith(schema, { path: 'a', content: 'b', [key]: true }))).toMatchObject({
        status: 'invalid',
        problems: [`unknown ${key}`],
      });
  });
  it.each([
    'explanation',
    'notes',
    'nothing',
    'serial_no',
    'enforcer',
    'skipper',
    'exception',
    'whereabouts',
    'laundry_runner',
    'reasoning',
    'verification',
    'gift',
    'commentary',
    'reinforcement',
    'thought',
  ])('guard: Coercing: %s is another word, and is dropped', (key) => {
    for (const schema of [closed(fields), zod])
      expect(told(mendWith(schema, { path: 'a', content: 'b', [key]: true }))).toMatchObject({
        repairs: ['dropped inferred'],
      });
  });
  it('guard: Coercing: a tool that reads drops them, and a declared one is an argument', () => {
    for (const key of ['is_dry_run', 'recursive', 'if_exists', 'enabled'])
      expect(mendWith(zod, { path: 'a', [key]: true }, { effect: 'read' }).status).toBe('mended');
    expect(mendWith(closed({ ...fields, recursive: string }), { path: 'a', recursive: 'x' }).status).toBe('ok');
  });
});

describe('Coercing: spaces between paths, and words between items', () => {
  it.each([
    ['a.ts b.ts', ['a.ts', 'b.ts']],
    ['src/a.ts src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['src/lib  test/unit', ['src/lib', 'test/unit']],
    ['./run.sh a.txt', ['./run.sh', 'a.txt']],
    ['user.name user.email', ['user.name', 'user.email']],
    ['C:\\a.txt C:\\b.txt', ['C:\\a.txt', 'C:\\b.txt']],
    ['https://a.com https://b.com/x', ['https://a.com', 'https://b.com/x']],
    ['x or y', ['x', 'y']],
    ['x OR y', ['x', 'y']],
    ['x + y', ['x', 'y']],
    ['x / y', ['x', 'y']],
    ['npm install && npm test', ['npm install', 'npm test']],
    ['*.ts *.js', ['*.ts', '*.js']],
  ])('Coercing: %j is refused, both readings suggested', (files, several) => {
    const [problem] = mendWith(open({ files: strings }), { files }).problems;
    expect(problem).toMatchObject({ path: ['files'], code: 'type', received: files });
    expect(problem?.suggestion).toBe(
      `Send ${JSON.stringify([files])} for one item or ${JSON.stringify(several)} for several`,
    );
  });
  it.each([
    'Fix the login page.',
    'Please read README.md carefully.',
    'my file.ts',
    'cat a.txt',
    'Stop. Wait.',
    'and/or',
    'C++',
    'orange',
    'a+b',
    'New York',
    'TCP/IP',
  ])('guard: Coercing: %j is a list of one', (files) => {
    expect(mendWith(open({ files: strings }), { files })).toMatchObject({
      status: 'mended',
      input: { files: [files] },
    });
  });
});

describe('guard: Coercing: a typo near two properties is not mended', () => {
  const near = { content: string, context: string };
  it.each<[Record<string, JsonSchema>, Record<string, string>]>([
    [near, { contxnt: 'x' }],
    [near, { contest: 'x', content: 'y' }],
    [near, { contet: 'x', context: 'y' }],
    [
      { sender: string, render: string, gender: string },
      { sendr: 'x', gender: 'y' },
    ],
    [
      { start_line: string, start_time: string },
      { start_lime: 'x', start_time: 'y' },
    ],
  ])('Coercing: of %j, %j', (properties, sent) => {
    for (const schema of [
      closed(properties),
      closed(
        properties,
        ['content'].filter((key) => key in properties),
      ),
    ])
      expect(mendWith(schema, sent).status).toBe('invalid');
  });
  it('guard: Coercing: a typo near one property is mended', () => {
    expect(mendWith(closed({ content: string, path: string }), { path: 'a', contnt: 'x' })).toMatchObject({
      input: { path: 'a', content: 'x' },
    });
  });
});

describe('Coercing: a key that abbreviates or extends a property', () => {
  it.each<[string, string]>([
    ['source', 'src'],
    ['message', 'msg'],
    ['context', 'ctx'],
    ['password', 'pwd'],
    ['src', 'source'],
    ['cmd', 'command'],
    ['destination_path', 'dst_path'],
  ])('Coercing: %s, written %s', (property, key) => {
    const outcome = mendWith(closed({ [property]: string, target: string }), { [key]: 'a', target: 'b' });
    expect(outcome.problems[0]).toMatchObject({ path: [key], code: 'unknown' });
    expect(outcome.problems[0]?.message).toContain(`did you mean '${property}'?`);
  });
  it.each<[string, string]>([
    ['source', 'sr'],
    ['source', 'csr'],
    ['message', 'note'],
    ['limit', 'why'],
  ])('guard: Coercing: %s is not meant by %s', (property, key) => {
    expect(mendWith(closed({ [property]: string, target: string }), { [key]: 'a', target: 'b' })).toMatchObject({
      input: { target: 'b' },
    });
  });
});

describe('Names: a sign before a name is not a separator', () => {
  const toolbox = new Toolbox(
    ['delete_file', 'read_file', 'mcp__disk__drop'].map((name) =>
      tool({ name, description: 'D', effect: name === 'read_file' ? 'read' : 'write', inputSchema: open(fields) }),
    ),
  );
  const called = (name: string) => {
    const outcome = mend({ name, arguments: { path: 'a' } }, toolbox);
    return outcome.status === 'invalid' ? outcome.errorType : outcome.name;
  };
  it.each([
    '-delete_file',
    '--delete_file',
    '- delete_file',
    ' -delete_file',
    '-read_file',
    '"-delete_file"',
    'functions.-delete_file',
    'mcp__disk__-drop',
    '\u200b-delete_file',
  ])('Names: %j is unknown', (name) => expect(called(name)).toBe('unknown_tool'));
  it.each([
    ['delete-file', 'delete_file'],
    ['Delete - File', 'delete_file'],
    ['_delete_file', 'delete_file'],
    ['read.file', 'read_file'],
    ['mcp--disk--drop', 'mcp__disk__drop'],
    ['functions.delete-file', 'delete_file'],
  ])('guard: Names: %s is %s', (name, meant) => expect(called(name)).toBe(meant));
});

describe('Coercing: an argument inside an undeclared key', () => {
  it.each(['arguments', 'parameters', 'input', 'options', 'data', 'payload', 'metadata'])(
    "Coercing: %s next to a declared key is refused, and the problem names the field's path",
    (key) => {
      for (const schema of [closed(fields), zod])
        for (const held of [{ content: 'y' }, { Content: 'y' }, [{ content: 'y' }], '{"content": "y"}']) {
          const outcome = mendWith(schema, { path: 'x', [key]: held });
          expect(told(outcome)).toMatchObject({ status: 'invalid', problems: [`unknown ${key}`] });
          expect(outcome.problems[0]?.message).toContain("'content' is inside it");
          expect(outcome.problems[0]?.suggestion).toBe(`Send 'content' directly, not inside '${key}'`);
        }
    },
  );
  it('Coercing: a wrapper that contradicts a field is refused', () => {
    expect(mendWith(closed(fields), { path: 'x', arguments: { path: 'z' } }).status).toBe('invalid');
  });
  it.each<[string, unknown]>([
    ['nothing declared inside', { other: 1 }],
    ['the field given already, and equal', { path: 'x' }],
    ['no object', 'content'],
    ['a list of words', ['content']],
  ])('guard: Coercing: %s is dropped', (_, held) => {
    for (const schema of [closed(fields), zod])
      expect(mendWith(schema, { path: 'x', extra: held })).toMatchObject({ input: { path: 'x' } });
  });
  it('guard: Coercing: an object that allows other keys keeps them', () => {
    expect(mendWith(open(fields), { path: 'x', data: { content: 'y' } }).status).toBe('ok');
  });
});

describe("Coercing: a wrapper next to the call's own fields", () => {
  const schemas = [closed(fields, ['path']), zod, open(fields, ['path'])];
  it.each<Record<string, unknown>>([
    { arguments: { path: 'x' }, id: 'call_1' },
    { arguments: { path: 'x' }, type: 'function' },
    { arguments: '{"path": "x"}', id: 'call_1', type: 'function' },
    { input: { path: 'x' }, id: 'toolu_1', type: 'tool_use', name: 'act' },
    { index: 0, id: 'call_1', parameters: { path: 'x' } },
    { call_id: 'c', arguments: { path: 'x' } },
    { tool_call_id: 'c', args: { path: 'x' } },
    { id: 'call_1', type: 'function', function: { name: 'act', arguments: { path: 'x' } } },
  ])('Coercing: %j is unwrapped, inferred', (sent) => {
    for (const schema of schemas)
      expect(told(mendWith(schema, sent))).toEqual({
        status: 'mended',
        input: { path: 'x' },
        repairs: ['wrapper inferred'],
      });
  });
  it.each<[Record<string, unknown>, RegExp]>([
    [{ arguments: { path: 'x' }, id: 'call_1', note: 'n' }, /'path' is inside it/],
    [{ arguments: { path: 'x' }, name: 'other' }, /names another tool, 'other'/],
    [{ arguments: { path: 'x' }, type: 'dry' }, /'path' is inside it/],
    [{ data: { path: 'x' }, id: 'call_1' }, /'path' is inside it/],
    [{ data: { path: 'x' } }, /'path' is inside it/],
  ])('Coercing: %j is refused with the right reason', (sent, reason) => {
    for (const schema of schemas) {
      const outcome = mendWith(schema, sent);
      expect(outcome.status).toBe('invalid');
      expect(outcome.problems[0]?.message).toMatch(reason);
    }
  });
  it('guard: Coercing: a valid call, and a destructive tool', () => {
    expect(mendWith(open(fields), { arguments: { path: 'x' }, id: 'call_1' }).status).toBe('ok');
    expect(mendWith(zod, { arguments: { path: 'x' }, id: 'c' }, { effect: 'destructive' }).status).toBe('invalid');
  });
});
