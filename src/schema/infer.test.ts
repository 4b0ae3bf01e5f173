import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { DeepPartial, InferInput, InferOutput } from './infer.ts';

/** The type of a schema written in place. */
const typeOf = <const S>(_: S): InferOutput<S> => ({}) as InferOutput<S>;

describe('guard: the type of a JSON Schema', () => {
  it('follows references within the schema', () => {
    const filter = typeOf({
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/Range' },
        second: { $ref: '#/definitions/Word' },
        third: { $ref: '#/properties/first' },
        item: { $ref: '#/$defs/Either/anyOf/1' },
      },
      required: ['first', 'item'],
      $defs: {
        Range: { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] },
        Either: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      },
      definitions: { Word: { enum: ['on', 'off'] } },
    });
    expectTypeOf(filter).toEqualTypeOf<{
      first: { from: number };
      item: boolean;
      second?: 'on' | 'off';
      third?: { from: number };
    }>();
  });

  it('follows references back to a schema that contains them', () => {
    const tree = typeOf({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    });
    expectTypeOf(tree.name).toEqualTypeOf<string>();
    expectTypeOf(tree.children?.[0]?.children?.[0]?.name).toEqualTypeOf<string | undefined>();

    const json = typeOf({
      $ref: '#/$defs/Json',
      $defs: {
        Json: {
          anyOf: [
            { type: ['string', 'null'] },
            { type: 'array', items: { $ref: '#/$defs/Json' } },
            { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
          ],
        },
      },
    });
    type Json = typeof json;
    expectTypeOf<Extract<Json, string | null>>().toEqualTypeOf<string | null>();
    expectTypeOf<Extract<Json, unknown[]>[number]>().toEqualTypeOf<Json>();
    expectTypeOf<Exclude<Json, string | null | unknown[]>['any']>().toEqualTypeOf<Json>();
  });

  it('promises nothing of references that end nowhere, never or elsewhere', () => {
    expectTypeOf(typeOf({ $ref: '#' })).toEqualTypeOf<unknown>();
    expectTypeOf(typeOf({ $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } })).toEqualTypeOf<unknown>();
    expectTypeOf(typeOf({ $ref: '#/$defs/B', $defs: { A: { type: 'string' } } })).toEqualTypeOf<unknown>();
    expectTypeOf(typeOf({ $ref: 'https://example.com/a.json' })).toEqualTypeOf<unknown>();
    expectTypeOf(typeOf({ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } })).toEqualTypeOf<unknown>();
  });

  it('resolves references from the nearest $id', () => {
    const schema = typeOf({
      $id: 'https://example.com/root.json',
      type: 'object',
      properties: {
        own: { $ref: '#/$defs/A' },
        other: {
          $id: 'https://example.com/other.json',
          type: 'array',
          items: { $ref: '#/$defs/A' },
          $defs: { A: { type: 'boolean' } },
        },
      },
      required: ['own', 'other'],
      $defs: { A: { type: 'string' } },
    });
    expectTypeOf(schema).toEqualTypeOf<{ own: string; other: boolean[] }>();
  });

  it('gives tuples, whose places only minItems requires', () => {
    const places = [{ type: 'string' }, { type: 'integer' }] as const;
    expectTypeOf(typeOf({ type: 'array', prefixItems: places })).toEqualTypeOf<[string?, number?, ...unknown[]]>();
    expectTypeOf(typeOf({ type: 'array', prefixItems: places, minItems: 2, items: false })).toEqualTypeOf<
      [string, number]
    >();
    expectTypeOf(typeOf({ type: 'array', prefixItems: places, minItems: 1, maxItems: 2 })).toEqualTypeOf<
      [string, number?]
    >();
    expectTypeOf(typeOf({ type: 'array', prefixItems: places, minItems: 5, items: { type: 'null' } })).toEqualTypeOf<
      [string, number, ...null[]]
    >();
    // Draft 7.
    expectTypeOf(typeOf({ type: 'array', items: places, minItems: 2, additionalItems: false })).toEqualTypeOf<
      [string, number]
    >();
    expectTypeOf(typeOf({ type: 'array', items: places, minItems: 2 })).toEqualTypeOf<[string, number, ...unknown[]]>();
  });

  it('gives undeclared keys their type', () => {
    expectTypeOf(typeOf({ type: 'object', additionalProperties: { type: 'integer' } })).toEqualTypeOf<{
      [key: string]: number;
    }>();
    expectTypeOf(typeOf({ type: 'object' })).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(typeOf({ type: 'object', additionalProperties: false })).toEqualTypeOf<Record<string, never>>();
    const mixed = typeOf({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: { type: 'integer' },
    });
    expectTypeOf(mixed.name).toEqualTypeOf<string>();
    expectTypeOf(mixed.other).toEqualTypeOf<string | number | undefined>();
    expectTypeOf(
      typeOf({
        type: 'object',
        patternProperties: { '^x-': { type: 'boolean' } },
        additionalProperties: { type: 'integer' },
      }),
    ).toEqualTypeOf<{ [key: string]: number | boolean }>();
    expectTypeOf(typeOf({ type: 'object', patternProperties: { '^x-': { type: 'boolean' } } })).toEqualTypeOf<
      Record<string, unknown>
    >();
    expectTypeOf(
      typeOf({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
    ).toEqualTypeOf<{ a?: string }>();
  });

  it('allows null where OpenAPI does, and nothing where false does', () => {
    expectTypeOf(typeOf({ type: 'string', nullable: true })).toEqualTypeOf<string | null>();
    expectTypeOf(typeOf({ type: 'object', properties: { a: true, b: false } })).toEqualTypeOf<{
      a?: unknown;
      b?: never;
    }>();
    expectTypeOf(typeOf({ const: { a: [1] } })).toEqualTypeOf<{ a: [1] }>();
    expectTypeOf(typeOf({ allOf: [{ type: 'string' }] })).toEqualTypeOf<unknown>();
  });

  it('promises nothing of a schema that is not constant', () => {
    const schema: { type: string; properties: Record<string, { type: string }> } = { type: 'object', properties: {} };
    expectTypeOf(typeOf(schema)).toEqualTypeOf<unknown>();
    expectTypeOf(typeOf({} as object)).toEqualTypeOf<unknown>();
    expectTypeOf<InferInput<undefined>>().toEqualTypeOf<unknown>();
  });
});

describe('guard: DeepPartial', () => {
  it('makes fields optional at any depth, and leaves lists as lists', () => {
    const schema = z.object({
      title: z.string(),
      people: z.array(z.object({ name: z.string(), born: z.date() })),
      at: z.tuple([z.number(), z.number()]),
      note: z.string().nullable(),
    });
    expectTypeOf<DeepPartial<InferInput<typeof schema>>>().toEqualTypeOf<{
      title?: string;
      people?: { name?: string; born?: Date }[];
      at?: [number?, number?];
      note?: string | null;
    }>();
  });

  it('leaves scalars and unknown values as they are', () => {
    expectTypeOf<DeepPartial<string>>().toEqualTypeOf<string>();
    expectTypeOf<DeepPartial<'a' | 2 | null>>().toEqualTypeOf<'a' | 2 | null>();
    expectTypeOf<DeepPartial<unknown>>().toEqualTypeOf<unknown>();
    expectTypeOf<DeepPartial<Map<string, number>>>().toEqualTypeOf<Map<string, number>>();
    expectTypeOf<DeepPartial<{ kind: 'a'; x: number } | { kind: 'b' }>>().toEqualTypeOf<
      { kind?: 'a'; x?: number } | { kind?: 'b' }
    >();
  });
});
