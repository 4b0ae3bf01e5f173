/** Rows of the five notes this project was drawn from, through the whole pipeline. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleToolbox } from '../examples/toolbox.ts';
import { feedback, mend, retryGuidance, Toolbox, tool } from '../src/index.ts';
import { invalidPayload } from '../src/mend/feedback/feedback.ts';
import type { BadOutcome } from '../src/mend/outcome.ts';
import type { SchemaObject } from '../src/schema/types.ts';

const examples = exampleToolbox({ root: '.' });
const box = (input: unknown): Toolbox => new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: input })]);
const act = (input: unknown, args: unknown) => mend({ name: 'act', arguments: args }, box(input));
const refused = (name: string, args: unknown, toolbox = examples): BadOutcome => {
  const outcome = mend({ name, arguments: args }, toolbox);
  if (outcome.status !== 'invalid') throw new Error(`expected a refusal, got ${JSON.stringify(outcome.input)}`);
  return outcome;
};

describe('000: one validation step, with fix suggestions', () => {
  it('S0.1 arguments are checked after reading and before anything runs, in one place', () => {
    let runs = 0;
    const count = tool({
      name: 'act',
      description: 'A',
      inputSchema: z.object({ n: z.number() }),
      execute: () => ++runs,
    });
    const toolbox = new Toolbox([count]);
    for (const args of ['{"n": "x"}', { n: 'x' }, '{n: x}', '```json\n{"n": "x"}\n```'])
      expect(mend({ name: 'act', arguments: args }, toolbox)).toMatchObject({
        status: 'invalid',
        problems: [{ path: ['n'], code: 'type', message: "Field 'n' expected number, got string" }],
      });
    expect(runs).toBe(0);
  });

  it('S0.2 a schema is recognised by what it can do; a tool without one is not checked', () => {
    const own = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value: unknown) =>
          (value as { n?: unknown }).n === 1 ? { value } : { issues: [{ message: 'must be 1', path: ['n'] }] },
      },
    };
    expect(act(own, { n: 1 }).status).toBe('ok');
    expect(act(own, { n: 2 }).problems).toMatchObject([{ path: ['n'], message: "Field 'n': must be 1" }]);
    expect(act(undefined, { anything: ['goes'] }).status).toBe('ok');
  });

  it('S0.4 missing, wrong type, nested path and Root object, several at once, in the text', () => {
    const schema = {
      type: 'object',
      properties: {
        file_path: { type: 'string' },
        limit: { type: 'number' },
        config: { type: 'object', properties: { timeout: { type: 'number' } }, required: ['timeout'] },
      },
      required: ['file_path'],
    };
    expect(feedback(refused('act', { limit: 'ten', config: { timeout: null } }, box(schema))).text).toBe(
      [
        'Parameter validation failed:',
        '',
        "1. Field 'file_path' is required but missing",
        "2. Field 'limit' expected number, got string",
        "3. Field 'config.timeout' expected number, got null",
        '',
        'Please fix the parameters and try again.',
      ].join('\n'),
    );
    expect(feedback(refused('act', [1, 2], box(schema))).text).toContain('1. Root object expected object, got array');
  });

  it('S0.5 the result of a refused call is marked as an error', () => {
    expect(feedback(refused('read_file', {}))).toMatchObject({ isError: true, result: { ok: false } });
  });
});

describe('001: validation, error types, recommendations', () => {
  it('S1.2 all errors are found, and the schema is not written out on each call', () => {
    let written = 0;
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'boolean' } },
      required: ['a', 'b', 'c', 'd'],
      toJSON() {
        written += 1;
        return { ...this };
      },
    };
    const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: schema })], { validate: false });
    const call = () => mend({ name: 'act', arguments: { a: 'x', b: [], c: 'x' } }, toolbox);
    expect(
      call()
        .problems.map(({ path }) => path.join('.'))
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd']);
    const before = written;
    for (let again = 0; again < 50; again += 1) call();
    expect(written).toBe(before);
  });

  it('S1.3 S1.4 a failed check is a validation error that the same call can not get past', () => {
    expect(feedback(refused('read_file', {})).result).toMatchObject({
      ok: false,
      errorType: 'validation',
      retryable: false,
      error: expect.stringContaining("Field 'file_path' is required but missing"),
      recommendations: [expect.stringContaining('file_path')],
    });
  });

  it('S1.5 recommendations are made from the problem: path is required for each edit', () => {
    const edits = [
      { find: 'a', replace: 'b' },
      { find: 'c', replace: 'd' },
    ];
    expect(feedback(refused('fs_multi_edit', { edits })).result.recommendations).toEqual([
      expect.stringContaining('path is required for each edit'),
    ]);
  });
});

describe('002: parser and schema each do their own part', () => {
  const edit = { filePath: 'a.txt', oldString: 'one', newString: '1' };
  const xml = '<edit><filePath>a.txt</filePath><oldString>one</oldString><newString>1</newString></edit>';
  it.each<[string, object, string, unknown, string[]]>([
    [
      'pattern_search',
      { searchPattern: 'x' },
      'files',
      ['a.txt', 'b.txt'],
      ['["a.txt", "b.txt"]', "['a.txt', 'b.txt']", '<file>a.txt</file><file>b.txt</file>'],
    ],
    ['multi_replace_string_in_file', {}, 'edits', [edit], [JSON.stringify([edit]), `<edits>${xml}</edits>`, xml]],
    [
      'fetch_webpage',
      {},
      'urls',
      ['https://example.com/'],
      ['["https://example.com/"]', '<url>https://example.com/</url>'],
    ],
  ])('S2.4 %s takes lists as JSON text, XML text and real lists', (name, rest, field, list, texts) => {
    for (const sent of [list, ...texts])
      for (const args of [{ ...rest, [field]: sent }, JSON.stringify({ ...rest, [field]: sent })])
        expect(mend({ name, arguments: args }, examples)).toMatchObject({ value: { [field]: list }, problems: [] });
  });

  it.each([
    ['pattern_search', { searchPattern: 'x', files: '["a.txt"' }, 'files'],
    ['pattern_search', { searchPattern: 'x', files: '' }, 'files'],
    ['multi_replace_string_in_file', { edits: '<edit><filePath>a' }, 'edits'],
    ['fetch_webpage', { urls: 'https://a.b/, https://c.d/' }, 'urls'],
  ])('S2.3 %s never hides a failure as an empty list: %j', (name, args, field) => {
    const outcome = refused(name, args);
    expect(outcome.problems[0]?.path[0]).toBe(field);
    expect(outcome.problems[0]?.received).toBe((args as Record<string, unknown>)[field]);
    expect(outcome.input).toEqual(args);
  });
});

describe('S3.5 parameters: everything a schema can ask of them', () => {
  const rows: readonly (readonly [code: string, schema: SchemaObject, bad: unknown, good: unknown])[] = [
    ['type', { type: 'string' }, { a: 1 }, 'x'],
    ['enum', { enum: ['a', 'b'] }, 'c', 'b'],
    ['const', { const: 'a' }, 'c', 'a'],
    ['minLength', { type: 'string', minLength: 2 }, 'a', 'ab'],
    ['maxLength', { type: 'string', maxLength: 2 }, 'abc', 'ab'],
    ['pattern', { type: 'string', pattern: '^a+$' }, 'b', 'aa'],
    ['format', { type: 'string', format: 'uri' }, 'no uri', 'https://a.b'],
    ['minimum', { type: 'number', minimum: 1 }, 0, 1],
    ['maximum', { type: 'number', maximum: 1 }, 2, 1],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 1 }, 1, 2],
    ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 1 }, 1, 0],
    ['multipleOf', { type: 'number', multipleOf: 0.1 }, 0.25, 0.3],
    ['minItems', { type: 'array', minItems: 1 }, [], [1]],
    ['maxItems', { type: 'array', maxItems: 1 }, [1, 2], [1]],
    ['uniqueItems', { type: 'array', uniqueItems: true }, [1, 1], [1, 2]],
  ];
  it.each(rows)('S3.5 %s, at the top, nested and in a list', (code, schema, bad, good) => {
    const nested: SchemaObject = {
      type: 'object',
      properties: {
        x: schema,
        deep: { type: 'object', properties: { x: schema } },
        list: { type: 'array', items: schema },
      },
      required: ['x'],
    };
    expect(act(nested, { x: good, deep: { x: good }, list: [good] }).status).toBe('ok');
    const found = act(nested, { x: bad, deep: { x: bad }, list: [good, bad] }).problems;
    expect(found.map((problem) => [problem.code, problem.path.join('.')])).toEqual([
      [code, 'x'],
      [code, 'deep.x'],
      [code, 'list.1'],
    ]);
  });

  it('S3.5 required, nested too', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] } },
      required: ['a'],
    };
    expect(act(schema, {}).problems).toMatchObject([{ code: 'required', path: ['a'] }]);
    expect(act(schema, { a: {} }).problems).toMatchObject([{ code: 'required', path: ['a', 'b'] }]);
  });
});

describe('004: every path behaves the same', () => {
  it('S4.1 missing required fields are found before running, whatever the schema', () => {
    const schemas = [
      z.object({ filePath: z.string() }),
      { type: 'object', properties: { filePath: { type: 'string' } }, required: ['filePath'] },
    ];
    for (const schema of schemas)
      for (const args of [{}, '{}', '', undefined, null, 'null', '{"filePath": null}'])
        expect(act(schema, args)).toMatchObject({ status: 'invalid', problems: [{ path: ['filePath'] }] });
  });

  it('S4.2 the structured payload, for failed checks and unknown tools', () => {
    expect(invalidPayload(refused('read_file', '{"limit": 5}'))).toEqual({
      tool: 'read_file',
      error: expect.stringContaining("Field 'file_path' is required but missing"),
      receivedArgs: { limit: 5 },
    });
    expect(invalidPayload(refused('launch_rocket', { a: 1 }))).toEqual({
      tool: 'launch_rocket',
      error: expect.stringContaining("Tool 'launch_rocket' does not exist"),
      receivedArgs: { a: 1 },
    });
  });

  it('S4.3 names are repaired by more than lower case, never silently to another tool', () => {
    for (const name of ['Read_File', 'readFile', 'functions.read_file', 'read-file'])
      expect(mend({ name, arguments: { file_path: 'a' } }, examples)).toMatchObject({
        name: 'read_file',
        status: 'mended',
      });
    for (const name of ['write_file', 'read_files_all', 'file_read'])
      expect(refused(name, { file_path: 'a' }).errorType).toBe('unknown_tool');
  });

  it('S4.5 retry guidance says read, fix, retry, and its example is told as the feedback tells it', () => {
    const guidance = retryGuidance();
    for (const word of [/read/i, /fix/i, /retry/i, /not give up/i, /example/i]) expect(guidance).toMatch(word);
    expect(guidance).toContain('is required but missing');
  });
});
