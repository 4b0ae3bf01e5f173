import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as v3 from 'zod/v3';
import { schemaOf } from '../schema.ts';
import { strips } from '../strips.ts';
import { checkerFor } from '../validate/compile.ts';

const messages = (source: unknown, value: unknown): string[] => {
  const checked = schemaOf(source).check(value);
  return checked.ok ? [] : checked.problems.map((problem) => problem.message);
};

const z3 = v3.z;
type Row = [what: string, source: unknown, value: unknown, ...messages: string[]];

/** The same schema in both versions of Zod, where both have it, must give the same words as its JSON Schema. */
const rows: Row[] = [
  ['S0.4 missing', (z_: typeof z) => z_.object({ a: z_.string() }), {}, "Field 'a' is required but missing"],
  ['S0.4 type', (z_: typeof z) => z_.object({ a: z_.number() }), { a: '5' }, "Field 'a' expected number, got string"],
  [
    'S0.4 nested',
    (z_: typeof z) => z_.object({ config: z_.object({ timeout: z_.number() }) }),
    { config: { timeout: null } },
    "Field 'config.timeout' expected number, got null",
  ],
  ['S0.4 root', (z_: typeof z) => z_.object({}), [], 'Root object expected object, got array'],
  [
    'S0.4 several',
    (z_: typeof z) => z_.object({ file_path: z_.string(), limit: z_.number() }),
    { limit: 'x' },
    "Field 'file_path' is required but missing",
    "Field 'limit' expected number, got string",
  ],
  [
    'integer',
    (z_: typeof z) => z_.object({ a: z_.number().int() }),
    { a: 1.5 },
    "Field 'a' expected integer, got number",
  ],
  [
    'text for an integer',
    (z_: typeof z) => z_.object({ a: z_.number().int(), c: z_.number() }),
    { a: 'x', c: 'x' },
    "Field 'a' expected integer, got string",
    "Field 'c' expected number, got string",
  ],
  [
    'a string where a list is limited, said once',
    (z_: typeof z) => z_.object({ a: z_.array(z_.string()).max(3) }),
    { a: 'words' },
    "Field 'a' expected array, got string",
  ],
  [
    'enum',
    (z_: typeof z) => z_.object({ a: z_.enum(['x', 'y']) }),
    { a: 'c' },
    `Field 'a' must be one of: x, y; got "c"`,
  ],
  ['a missing enum', (z_: typeof z) => z_.object({ a: z_.enum(['x', 'y']) }), {}, "Field 'a' is required but missing"],
  ['literal', (z_: typeof z) => z_.object({ a: z_.literal('x') }), { a: 1 }, "Field 'a' must be one of: x; got 1"],
  ['minimum', (z_: typeof z) => z_.object({ a: z_.number().min(1) }), { a: 0 }, "Field 'a' must be at least 1, got 0"],
  [
    'exclusive maximum',
    (z_: typeof z) => z_.object({ a: z_.number().lt(1) }),
    { a: 1 },
    "Field 'a' must be less than 1, got 1",
  ],
  [
    'minLength',
    (z_: typeof z) => z_.object({ a: z_.string().min(3) }),
    { a: 'x' },
    "Field 'a' must be at least 3 characters, got 1",
  ],
  [
    'length',
    (z_: typeof z) => z_.object({ a: z_.string().length(3) }),
    { a: 'xxxx' },
    "Field 'a' must be at most 3 characters, got 4",
  ],
  [
    'minItems',
    (z_: typeof z) => z_.object({ a: z_.array(z_.string()).min(1) }),
    { a: [] },
    "Field 'a' must have at least 1 items, got 0",
  ],
  [
    'multipleOf',
    (z_: typeof z) => z_.object({ a: z_.number().multipleOf(5) }),
    { a: 7 },
    "Field 'a' must be a multiple of 5, got 7",
  ],
  ['format', (z_: typeof z) => z_.object({ a: z_.string().email() }), { a: 'x' }, "Field 'a' must be a valid email"],
  [
    'an unknown key',
    (z_: typeof z) => z_.object({ file_path: z_.string().optional() }).strict(),
    { filePath: 'x' },
    "Field 'filePath' is not known; did you mean 'file_path'?",
  ],
  [
    'items',
    (z_: typeof z) => z_.object({ edits: z_.array(z_.object({ path: z_.string() })) }),
    { edits: [{}] },
    "Field 'edits.0.path' is required but missing",
  ],
  [
    'a union of types',
    (z_: typeof z) => z_.object({ a: z_.union([z_.number(), z_.null()]) }),
    { a: 'x' },
    "Field 'a' expected number or null, got string",
  ],
  [
    'a missing union',
    (z_: typeof z) => z_.object({ a: z_.union([z_.number(), z_.null()]) }),
    {},
    "Field 'a' is required but missing",
  ],
  [
    'a tagged union',
    (z_: typeof z) =>
      z_.object({
        a: z_.union([z_.object({ k: z_.literal('x'), n: z_.number() }), z_.object({ k: z_.literal('y') })]),
      }),
    { a: { k: 'x', n: 'one' } },
    "Field 'a.n' expected number, got string",
  ],
  [
    'a discriminated union with a wrong tag',
    (z_: typeof z) =>
      z_.object({
        a: z_.discriminatedUnion('k', [z_.object({ k: z_.literal('x') }), z_.object({ k: z_.literal('y') })]),
      }),
    { a: { k: 'z' } },
    `Field 'a.k' must be one of: x, y; got "z"`,
  ],
];

describe.each([
  ['4', z],
  ['3', z3 as unknown as typeof z],
])('Zod %s', (_version, lib) => {
  it.each(rows)('%s', (_what, make, value, ...expected) => {
    const source = (make as (lib: unknown) => unknown)(lib);
    expect(messages(source, value)).toEqual(expected);
    const json = schemaOf(source).json;
    expect(
      checkerFor(json ?? true)
        .problems(value)
        .map((problem) => problem.message),
    ).toEqual(expected);
  });

  it('S1.1 hands on what Zod made: defaults, transforms, dates', () => {
    const source = lib.object({
      limit: lib.number().default(10),
      on: lib.string().transform((text) => new Date(text)),
      age: lib.coerce.number(),
    });
    const checked = schemaOf(source).check({ on: '2024-01-01', age: '5', extra: 1 });
    expect(checked).toEqual({ ok: true, value: { limit: 10, on: new Date('2024-01-01'), age: 5 } });
  });

  it('keeps the words of a refinement', () => {
    const source = lib.object({ a: lib.string().refine((text) => text === '1', 'must be the one') });
    expect(messages(source, { a: '2' })).toEqual(["Field 'a': must be the one"]);
  });

  it('tells only what Zod minds, in words of the table where there are some', () => {
    const refined = lib.object({ n: lib.coerce.number(), s: lib.string() }).refine(() => false, 'no pair');
    expect(messages(refined, { n: '5', s: 'x', more: 1 })).toEqual(['Root object: no pair']);
    const either = lib.union([lib.object({ a: lib.string() }), lib.object({ a: lib.string(), b: lib.number() })]);
    expect(messages(lib.object({ u: either }), { u: { a: 1, more: 2 } })).toEqual([
      "Field 'u.a' expected string, got number",
    ]);
    expect(messages(lib.object({ e: lib.string().email() }), { e: 'a' })).toEqual(["Field 'e' must be a valid email"]);
    expect(messages(lib.object({ d: lib.date() }), { d: 'x' })).toEqual(["Field 'd' expected date, got string"]);
  });

  it('S2.3 tells of what a preprocess made in the words of Zod, with what the model wrote', () => {
    const read = (text: unknown) => (typeof text === 'string' ? JSON.parse(text) : text);
    const source = lib.object({ files: lib.preprocess(read, lib.array(lib.object({ path: lib.string() }))) });
    expect(schemaOf(source).check({ files: '[{"path":"a"}]' })).toMatchObject({ ok: true });
    const wrong = schemaOf(source).check({ files: '[{"path":5},{}]' });
    expect(wrong).toMatchObject({
      problems: [
        { path: ['files', 0, 'path'], code: 'other', received: '[{"path":5},{}]' },
        { path: ['files', 1, 'path'], code: 'required' },
      ],
    });
  });

  it('turns what a schema throws into a problem', () => {
    const source = lib.string().transform(() => {
      throw new Error('out of order');
    });
    expect(messages(source, 'a')).toEqual(['Root object: out of order']);
  });

  it('refuses to check asynchronously', () => {
    const source = lib.object({ a: lib.string().refine(async () => true) });
    expect(() => schemaOf(source).check({ a: 'x' })).toThrow(expect.objectContaining({ code: 'async_schema' }));
  });

  it('gives a JSON Schema that marks stripped keys', () => {
    const strip = schemaOf(lib.object({ a: lib.string() })).json;
    expect(strip).toMatchObject({ type: 'object', additionalProperties: false, [strips]: true, required: ['a'] });
    expect(JSON.stringify(strip)).not.toMatch(/strip/);
    const strict = schemaOf(lib.object({ a: lib.string() }).strict()).json;
    expect(strict).toMatchObject({ additionalProperties: false });
    expect(strips in (strict as object)).toBe(false);
    const loose = schemaOf(lib.object({ a: lib.string() }).passthrough()).json;
    expect(checkerFor(loose ?? false).passes({ a: 'x', b: 1 })).toBe(true);
  });

  it('gives an intersection whose parts do not forbid each other', () => {
    const part = (key: string) => lib.object({ [key]: lib.string() });
    const json = schemaOf(lib.intersection(lib.intersection(part('a'), part('b')), part('c'))).json ?? false;
    const checker = checkerFor(json);
    expect(checker.passes({ a: 'x', b: 'x', c: 'x' })).toBe(true);
    expect(checker.problems({ a: 'x', b: 'x', c: 'x', d: 1 }).map((problem) => problem.message)).toEqual([
      "Field 'd' is not known",
    ]);
  });

  it('gives a JSON Schema for a schema that holds itself', () => {
    type Node = { name: string; kids: Node[] };
    const node: z.ZodType<Node> = lib.lazy(() => lib.object({ name: lib.string(), kids: lib.array(node) }));
    const checker = checkerFor(schemaOf(lib.object({ tree: node })).json ?? false);
    expect(checker.passes({ tree: { name: 'a', kids: [{ name: 'b', kids: [] }] } })).toBe(true);
    expect(checker.passes({ tree: { name: 'a', kids: [{ name: 5, kids: [] }] } })).toBe(false);
  });

  it('gives the JSON Schema of what goes in, through everything wrapped around it', () => {
    const source = lib.object({
      a: lib.string().optional(),
      b: lib.number().nullable(),
      c: lib.boolean().default(true),
      d: lib.string().transform(Number),
      e: lib.preprocess((one) => one, lib.array(lib.string())),
      f: lib.string().pipe(lib.string().min(2)),
      g: lib.record(lib.string(), lib.number()),
      h: lib.tuple([lib.string(), lib.number()]),
      i: lib.string().brand('id'),
      j: lib.array(lib.number()).max(2).readonly(),
      k: lib.number().catch(1),
    });
    const good = { b: null, d: '1', e: ['x'], f: 'x', g: { x: 1 }, h: ['x', 1], i: 'x', j: [1], k: 1 };
    const checker = checkerFor(schemaOf(source).json ?? false);
    expect(checker.problems(good)).toEqual([]);
    const bad = { a: 1, b: 'x', c: 1, d: 1, e: [1], f: 1, g: { x: 'x' }, h: [1, 1], i: 1, j: [1, 2, 3], k: 'x' };
    expect(checker.problems(bad).map((problem) => problem.path[0])).toEqual([...'abcdefghijk']);
  });
});

describe('Zod 4 alone', () => {
  it('tells patterns, keys and several allowed values', () => {
    const source = z.object({
      p: z.string().regex(/^a+$/),
      r: z.record(z.string().min(2), z.number()),
      l: z.literal(['x', 'y']),
      s: z.string().startsWith('q'),
    });
    expect(messages(source, { p: 'b', r: { a: 1 }, l: 'z', s: 'x' })).toEqual([
      "Field 'p' must match pattern: ^a+$",
      "Field 'r.a': its name must be at least 2 characters, got 1",
      `Field 'l' must be one of: x, y; got "z"`,
      `Field 's': Invalid string: must start with "q"`,
    ]);
  });
});

describe('Zod 3 alone', () => {
  it('converts native enums and dates', () => {
    const source = z3.object({ n: z3.nativeEnum({ A: 1, B: 'x', 1: 'A' } as const), d: z3.date() });
    expect(schemaOf(source).json).toMatchObject({ properties: { n: { enum: [1, 'x'] }, d: {} } });
    expect(messages(source, { n: 4, d: new Date() })).toEqual(['Field \'n\' must be one of: 1, "x"; got 4']);
  });
});
