/** Coercing: what looks like one reading and has two, and what has one and was refused. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, named, open, string, strings, told } from './mend-with.ts';

const list = open({ files: strings });

describe('Coercing: text that may be several items is not a list of one', () => {
  it.each([
    'a.ts;b.ts',
    'a.ts; b.ts',
    'a.ts | b.ts',
    'a.ts|b.ts',
    'a.ts and b.ts',
    'Tom AND Jerry',
    'salt & pepper',
    '苹果、香蕉',
    '苹果，香蕉',
    'a；b',
    'a.ts\tb.ts',
    '- a.ts',
    '• milk',
    'red • blue',
    'red‣blue',
    '1. milk',
    'AAPL MSFT',
  ])('Coercing: %j is refused, and both readings are suggested', (files) => {
    const [problem] = mendWith(list, { files }).problems;
    expect(problem).toMatchObject({ path: ['files'], code: 'type', received: files });
    expect(problem?.suggestion).toContain(JSON.stringify([files]));
    expect(problem?.suggestion).toMatch(/ or \[".*"\] for several/);
  });
  it('guard: Coercing: a fixed word is one item', () => {
    const words: JsonSchema = { type: 'array', items: { enum: ['TO DO', 'IN PROGRESS'] } as JsonSchema };
    expect(mendWith(open({ states: words }), { states: 'TO DO' })).toMatchObject({ input: { states: ['TO DO'] } });
  });
  it('Coercing: lines and bullets suggest their items', () => {
    expect(mendWith(list, { files: '- a\n- b' }).problems[0]?.suggestion).toContain('["a","b"]');
  });
  it.each(['N/A', 'n/a', '-', '--', '—', false, 0, 'false', '0', true, 'true'])(
    'Coercing: %j means no items',
    (files) => {
      expect(mendWith(list, { files }).status).toBe('invalid');
      expect(
        mendWith(open({ l: { type: 'array', items: { type: ['integer', 'boolean'] } } }), { l: files }).status,
      ).toBe('invalid');
    },
  );
  it.each([
    ['{"files": 007}', '007'],
    ['{"files": 1.0}', '1.0'],
    ['{"files": 1.50,}', '1.50'],
  ])('Coercing: %s is a list of the number as written', (text, item) => {
    expect(mendWith(list, text)).toMatchObject({ status: 'mended', input: { files: [item] } });
  });
  it('guard: Coercing: one plain value is a list of one', () => {
    for (const files of [
      'a.ts',
      'my file.ts',
      'Anderson',
      'brand-new',
      'AT&T',
      'https://example.com/a?b=c',
      'android and',
    ])
      expect(mendWith(list, { files })).toMatchObject({ status: 'mended', input: { files: [files] } });
    expect(mendWith(open({ l: { type: 'array', items: integer } }), { l: 5 })).toMatchObject({ input: { l: [5] } });
    for (const files of ['', ' ', 'none', 'null', {}, 'a,b', 'a\nb'])
      expect(mendWith(list, { files }).status).toBe('invalid');
  });
});

describe('Coercing: a typo in a key', () => {
  const fields = { pattern: string, limit: integer, recursive: boolean };
  const zod = z.object({
    pattern: z.string().optional(),
    limit: z.number().optional(),
    recursive: z.boolean().optional(),
  });
  it.each<[unknown, unknown]>([
    [
      { patern: 'x', limit: 1 },
      { pattern: 'x', limit: 1 },
    ],
    [
      { pattren: 'x', limit: 1 },
      { pattern: 'x', limit: 1 },
    ],
    [
      { pattern: 'x', limti: 5 },
      { pattern: 'x', limit: 5 },
    ],
    [
      { pattern: 'x', recursve: true },
      { pattern: 'x', recursive: true },
    ],
    [
      { pattern: 'x', limits: 5 },
      { pattern: 'x', limit: 5 },
    ],
  ])('Coercing: %j is read, inferred', (sent, input) => {
    for (const schema of [closed(fields), zod])
      expect(told(mendWith(schema, sent))).toEqual({ status: 'mended', input, repairs: ['key inferred'] });
  });
  it('Coercing: a required key of an open object too', () => {
    expect(mendWith(open({ pattern: string }, ['pattern']), { patern: 'x' })).toMatchObject({
      input: { pattern: 'x' },
    });
  });
  it.each<[string, Record<string, JsonSchema>, unknown]>([
    ['a value of another type', fields, { pattern: 'x', limti: true }],
    ['another first letter', fields, { battern: 'x', limit: 1 }],
    ['a short key', { name: string, mode: string }, { name: 'x', nmae: 'y', mdoe: 'z' }],
    ['a digit', { line1: string, line2: string }, { line1: 'x', line3: 'y' }],
    [
      'two that fit',
      { start_row: integer, start_col: integer, stars: integer, start: integer },
      { starx: 1, start_row: 2 },
    ],
    ['two slips of one key', fields, { patern: 'x', pattrn: 'y' }],
  ])('guard: Coercing: not with %s', (_, properties, sent) => {
    const outcome = mendWith(closed(properties), sent);
    expect(outcome.status === 'invalid' || !outcome.repairs.some(({ kind }) => kind === 'key')).toBe(true);
    expect(outcome.status).toBe('invalid');
  });
});

describe('Coercing: keys that change what happens, on a tool that writes', () => {
  const fields = { path: string, content: string };
  const zod = z.object({ path: z.string(), content: z.string().optional() });
  it.each([
    'dry_run',
    'dryRun',
    'dry-run',
    'append',
    'force',
    'confirm',
    'preview',
    'simulate',
    'validate_only',
    'no_backup',
    'noBackup',
    'skip_tests',
    'skipHooks',
  ])('Coercing: %s is a problem, stripped by Zod or forbidden', (key) => {
    for (const schema of [closed(fields), zod])
      for (const effect of ['write', 'destructive'] as const)
        expect(told(mendWith(schema, { path: 'a', content: 'b', [key]: true }, { effect }))).toMatchObject({
          status: 'invalid',
          problems: [`unknown ${key}`],
        });
  });
  it('guard: Coercing: a tool that reads drops them, and other keys are dropped anyway', () => {
    for (const schema of [closed(fields), zod]) {
      expect(mendWith(schema, { path: 'a', content: 'b', dry_run: true }, { effect: 'read' }).status).toBe('mended');
      for (const key of ['explanation', 'notes', 'skipper', 'nothing', 'enforcer', 'reasoning'])
        expect(mendWith(schema, { path: 'a', content: 'b', [key]: true }).status).toBe('mended');
    }
    expect(told(mendWith(open(fields), { path: 'a', dry_run: true }))).toMatchObject({ status: 'ok' });
  });
});

describe('Coercing: what the validator accepts is not refused because of a similar key', () => {
  it.each<[string, z.ZodType, Record<string, unknown>]>([
    ['text beside x', z.object({ body: z.string(), x: z.number().optional() }), { body: 'b', text: 't' }],
    ['index beside in', z.object({ q: z.string(), in: z.string().optional() }), { q: 'b', index: 3 }],
    ['file_path beside path', z.object({ q: z.string(), path: z.string().optional() }), { q: 'b', file_path: 'y' }],
  ])('Coercing: %s is dropped with a note', (_, schema, sent) => {
    const outcome = mendWith(schema, sent);
    expect(told(outcome)).toMatchObject({ status: 'mended', repairs: ['dropped inferred'] });
    expect('note' in outcome && outcome.note).toMatch(/ignored/);
  });
  it('guard: Coercing: a member of an enum under another key is dropped', () => {
    const schema = z.object({ q: z.string(), unit: z.enum(['cm', 'in']).optional() });
    expect(told(mendWith(schema, { q: 'b', measure: 'cm' }))).toMatchObject({ repairs: ['dropped inferred'] });
  });
  it('Coercing: a short property inside a key of a closed object is not similar', () => {
    expect(mendWith(closed({ body: string, x: integer }), { body: 'b', text: 't' }).status).toBe('mended');
    expect(mendWith(closed({ body: string, id: integer }), { body: 'b', confidence: 0.5 }).status).toBe('mended');
  });
  it.each<[string, unknown, Record<string, unknown>]>([
    ['a whole word', closed({ q: string, path: string }), { q: 'b', file_path: 'y' }],
    ['a whole word of the property', closed({ q: string, file_path: string }), { q: 'b', path: 'y' }],
    ['a third of its length', closed({ q: string, query: string }), { q: 'b', quer_: 'y', quwry: 'z' }],
    ['a member of an unused enum', closed({ q: string, unit: { enum: ['cm', 'in'] } }), { q: 'b', measure: 'cm' }],
    ['the only key of the call', closed({ q: string, unit: string }), { explanation: 'cm' }],
    ['the only key of the call, stripped', z.object({ q: z.string().optional() }), { explanation: 'cm' }],
    ['a required key that is missing', z.object({ path: z.string() }), { file_path: 'x', more: 1 }],
  ])('guard: Coercing: %s stays a problem if the key is forbidden or alone', (_, schema, sent) => {
    expect(mendWith(schema, sent).status).toBe('invalid');
  });
  it.each([[{ tz: 'UTC' }], [{ random_string: 'x' }], [{ tz: null }], [{ id: 5 }]])(
    'Coercing: a tool without parameters: %j, the only key of the call, is a problem',
    (args) => {
      for (const schema of [closed({}), z.object({}), z.strictObject({})])
        for (const effect of ['read', 'write'] as const)
          expect(mendWith(schema, args, { effect })).toMatchObject({ status: 'invalid', errorType: 'validation' });
    },
  );
  it('guard: Coercing: a tool without parameters accepts no arguments, and an empty wrapper', () => {
    for (const schema of [undefined, closed({}), z.object({})])
      for (const args of ['', 'null', '{}', '{"arguments": {}}', '{"parameters": {}}'])
        expect(mendWith(schema, args)).toMatchObject({ input: {}, problems: [] });
    expect(mendWith({ type: 'object' }, { tz: 'UTC' })).toMatchObject({ status: 'ok', input: { tz: 'UTC' } });
  });
});

describe('Coercing: wrappers', () => {
  const schema = closed({ a: string, b: string }, ['a']);
  it.each<[string, unknown]>([
    ['function with name and arguments', { function: { name: named, arguments: { a: 'x' } } }],
    ['function with arguments as text', { function: { name: named, arguments: '{"a": "x"}' } }],
    ["the tool's name", { [named]: { a: 'x' } }],
    ["the tool's name in other letters", { ACT: { a: 'x' } }],
  ])('Coercing: %s is unwrapped, inferred', (_, value) => {
    for (const one of [schema, open({ a: string }), z.object({ a: z.string() })])
      expect(told(mendWith(one, value))).toEqual({
        status: 'mended',
        input: { a: 'x' },
        repairs: ['wrapper inferred'],
      });
  });
  it.each<[string, unknown]>([
    ["another tool's name", { other: { a: 'x' } }],
    ['function with another name', { function: { name: 'other', arguments: { a: 'x' } } }],
    ['a key beside', { [named]: { a: 'x' }, b: 'y' }],
  ])('guard: Coercing: %s is not', (_, value) => expect(mendWith(schema, value).status).toBe('invalid'));
  it('Coercing: a bare list is the only parameter, if that is a list', () => {
    expect(mendWith(closed({ files: strings }, ['files']), '["a", "b"]')).toMatchObject({
      status: 'mended',
      input: { files: ['a', 'b'] },
    });
    expect(mendWith(closed({ edits: { type: 'array', items: closed({ o: string }) } }), [{ o: 'x' }])).toMatchObject({
      input: { edits: [{ o: 'x' }] },
    });
  });
  it('guard: Coercing: a bare list is not any other parameter', () => {
    expect(mendWith(closed({ files: strings, more: strings }), '["a", "b"]').status).toBe('invalid');
    expect(mendWith(closed({ file: string }), '["a", "b"]').status).toBe('invalid');
    expect(mendWith(closed({ files: strings }), [{ files: ['a'] }])).toMatchObject({ input: { files: ['a'] } });
  });
});

describe('Coercing: members of an enum', () => {
  it.each<[unknown[], unknown]>([
    [['O-', 'A-'], 'O'],
    [['A-', 'B'], 'A'],
    [['x-', 'y'], 'X'],
  ])('Coercing: of %j, %j matches none: a sign at the end is not a separator', (members, given) => {
    expect(mendWith(open({ e: { enum: members } }), { e: given }).status).toBe('invalid');
  });
  it('guard: Coercing: case, spaces and separators fold, signs and digits do not', () => {
    expect(mendWith(open({ e: { enum: ['whole_word'] } }), { e: 'Whole Word' })).toMatchObject({
      input: { e: 'whole_word' },
    });
    expect(mendWith(open({ e: { enum: ['utf-8'] } }), { e: 'UTF8' })).toMatchObject({ input: { e: 'utf-8' } });
    for (const [members, given] of [
      [[-1, 1], '+-1'],
      [['1.0', '10'], '1 0'],
      [['-1'], '1'],
      [['1-0'], '10'],
    ] as const)
      expect(mendWith(open({ e: { enum: [...members] } }), { e: given }).status).toBe('invalid');
  });
});

describe('Order: received is what the model wrote', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['in a wrapper of the name', closed({ n: { type: 'integer', minimum: 9 } }), { [named]: { n: '5' } }, '5'],
  ])('Order: %s', (_, schema, sent, received) => {
    expect(mendWith(schema, sent).problems[0]).toMatchObject({ received });
  });
  it('guard: Order: under a typo', () => {
    const schema = closed({ pattern: { type: 'string', minLength: 3 } });
    expect(mendWith(schema, { patern: 'x' }).problems[0]).toMatchObject({ received: 'x' });
  });
});
