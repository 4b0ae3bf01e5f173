/** Coercing: no argument, condition or sign of a call is lost on the way. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mend } from '../../src/call/mend.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { tool } from '../../src/tool/tool.ts';
import { Toolbox } from '../../src/tool/toolbox.ts';
import { closed, mendWith, open, string, strings, told } from './mend-with.ts';

const fields = { path: string, content: string };
const zod = z.object({ path: z.string(), content: z.string().optional() });

describe('Coercing: every form of a word that changes what happens', () => {
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

describe('Coercing: blanks between paths, and words between items', () => {
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

describe('Coercing: a slip near two properties is none', () => {
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
  it('guard: Coercing: a slip near one is read', () => {
    expect(mendWith(closed({ content: string, path: string }), { path: 'a', contnt: 'x' })).toMatchObject({
      input: { path: 'a', content: 'x' },
    });
  });
});

describe('Coercing: a key that is short for a property, or long for it', () => {
  it.each<[string, string]>([
    ['source', 'src'],
    ['message', 'msg'],
    ['directory', 'dir'],
    ['description', 'desc'],
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

describe('Names: a sign before a name is no separator', () => {
  const toolbox = new Toolbox(
    ['delete_file', 'read_file', 'mcp__disk__drop'].map((name) =>
      tool({ name, description: 'D', effect: name === 'read_file' ? 'read' : 'write', input: open(fields) }),
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
