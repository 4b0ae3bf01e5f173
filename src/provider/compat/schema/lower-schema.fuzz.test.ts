import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/sample.ts';
import { hasOwn, isObject } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { Interpreter } from '../../../schema/validate/interpreter.ts';
import type { LoweringTarget } from '../lowering-target.ts';
import { lowerSchema } from './lower-schema.ts';

const targets: LoweringTarget[] = [
  'openai',
  'openai-strict',
  'anthropic',
  'anthropic-strict',
  'gemini',
  'gemini-openapi',
  'plain',
];
const tries = Number(process.env.FUZZ_RUNS ?? runs(200));

const keys = fc.constantFrom('a', 'b', '$c', 'x y', 'toString');
const scalar = fc.constantFrom<unknown[]>(null, true, 0, 1, 2, 5, -1, 1.5, '', 'a', 'ab', 'b1');
const small = fc.integer({ min: 0, max: 3 });

/** Some of a table's words beside fixed ones. */
const some = (fixed: object, rows: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<SchemaObject> =>
  fc.record(rows, { requiredKeys: [] }).map((words) => ({ ...fixed, ...words }) as SchemaObject);
const about = { description: fc.constant('About it'), title: fc.constant('It') };
const orNull = (type: string): fc.Arbitrary<unknown> => fc.constantFrom<unknown>(type, type, [type, 'null']);

const leaf: fc.Arbitrary<SchemaObject> = fc.oneof(
  some(
    { type: 'string' },
    { minLength: small, maxLength: small, pattern: fc.constantFrom('^a', '\\d$'), type: orNull('string'), ...about },
  ),
  some(
    { type: 'number' },
    {
      type: fc.constantFrom('number', 'integer'),
      minimum: small,
      exclusiveMinimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(2, 0.5),
      ...about,
    },
  ),
  some({ type: 'boolean' }, { nullable: fc.boolean(), ...about }),
  fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((members) => ({ enum: members })),
  scalar.map((one) => ({ const: one })),
  fc.constant({ type: ['string', 'integer'] } as SchemaObject),
  fc.constantFrom<SchemaObject>({ $ref: '#/$defs/one' }, { $ref: '#/$defs/two', description: 'Two' }),
);

const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => {
  const one = tie('schema');
  const forms = fc.array(one, { minLength: 1, maxLength: 3 });
  const object = some(
    { type: 'object', additionalProperties: false },
    {
      properties: fc.dictionary(keys, one, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(keys, { maxLength: 2 }),
      minProperties: small,
      ...about,
    },
  );
  const array = some(
    { type: 'array', items: { type: 'string' } },
    { items: one, minItems: small, maxItems: small, uniqueItems: fc.boolean(), prefixItems: forms },
  );
  const union = fc.oneof(
    forms.map((anyOf) => ({ anyOf })),
    forms.map((oneOf) => ({ oneOf, description: 'One' })),
    fc.tuple(one, one).map((allOf) => ({ allOf })),
    one.map((part) => ({ ...part, allOf: [{ title: 'Also' }] })),
  );
  return { schema: fc.oneof({ maxDepth: 3 }, leaf, object, array, union as fc.Arbitrary<SchemaObject>) };
});

/** A tool's arguments: closed objects, so that strict mode loses nothing, and definitions that hold each other. */
const parameters = fc
  .tuple(fc.dictionary(keys, schema, { maxKeys: 4, noNullPrototype: true }), fc.uniqueArray(keys), schema, schema)
  .map(([properties, required, one, two]): SchemaObject => {
    const $defs = { one: withoutRefs(one), two };
    return soundly({ type: 'object', properties, required, additionalProperties: false, $defs });
  });
/** Most required names are declared: a closed object that asks for others takes nothing. */
const soundly = (one: SchemaObject): SchemaObject =>
  JSON.parse(JSON.stringify(one), (_, held) => {
    if (!isObject(held) || !Array.isArray(held.required) || !isObject(held.properties)) return held;
    const declared = held.required.filter((key) => hasOwn(held.properties as object, String(key)));
    return { ...held, required: held.required.length > 1 ? declared : held.required };
  }) as SchemaObject;
const withoutRefs = (one: SchemaObject): SchemaObject =>
  JSON.parse(JSON.stringify(one), (key, held) => (key === '$ref' ? undefined : held)) as SchemaObject;

/** A value that may fit a schema: shaped by it, and filled from the pool of scalars. */
function sample(node: unknown, whole: SchemaObject, pick: (most: number) => number, depth = 0): unknown {
  const pool = [null, true, 0, 1, 2, 5, -1, 1.5, '', 'a', 'ab', 'b1', {}, []];
  if (!isObject(node) || depth > 6) return pool[pick(pool.length)];
  const here = node as SchemaObject;
  const inside = (one: unknown): unknown => sample(one, whole, pick, depth + 1);
  if (typeof here.$ref === 'string') return inside(whole.$defs?.[here.$ref.slice(8)]);
  const forms = here.anyOf ?? here.oneOf ?? here.allOf;
  if (forms && pick(4) > 0) return inside(forms[pick(forms.length)]);
  if (here.enum) return here.enum[pick(here.enum.length)];
  if (hasOwn(here, 'const')) return here.const;
  const type = [here.type].flat()[pick([here.type].flat().length)];
  if (type === 'object') {
    const entries = Object.entries(here.properties ?? {}).filter(([key]) => here.required?.includes(key) || pick(2));
    return Object.fromEntries(entries.map(([key, one]) => [key, inside(one)]));
  }
  if (type === 'array') return Array.from({ length: pick(4) }, (_, i) => inside(here.prefixItems?.[i] ?? here.items));
  const fitting = pool.filter((one) => typeof one === (type === 'integer' ? 'number' : type));
  return fitting.length > 0 ? fitting[pick(fitting.length)] : null;
}

/** Numbers by a seed, so that a failure can be played again. */
const picker = (seed: number) => {
  let state = seed;
  return (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
};

/** The value as a model would write it under the lowered schema: every declared key there, and under its name there. */
function written(held: unknown, node: unknown, judge: Interpreter, rename: ReadonlyMap<string, string>): unknown {
  const here = judge.resolve(node as JsonSchema) as SchemaObject;
  const { allOf, ...rest } = here;
  if (allOf) return allOf.reduce((one, part) => written(one, part, judge, rename), written(held, rest, judge, rename));
  for (const form of here.anyOf ?? here.oneOf ?? []) {
    const one = written(held, form, judge, rename);
    judge.forget();
    if (judge.passes(one, form)) return one;
  }
  if (Array.isArray(held))
    return held.map((item, i) => written(item, here.prefixItems?.[i] ?? here.items ?? {}, judge, rename));
  if (!isObject(held) || !isObject(here.properties)) return held;
  const given = Object.entries(held).map(([key, part]) => {
    const name = rename.get(key) ?? key;
    return [
      name,
      written(part, here.properties && hasOwn(here.properties, name) ? here.properties[name] : {}, judge, rename),
    ];
  });
  const missing = (here.required ?? []).filter((key) => !given.some(([name]) => name === key));
  return Object.fromEntries([...given, ...missing.map((key) => [key, null])]);
}

/** Without the nulls that strict mode put where the original lets null stand: they may be meant. */
function withoutNew(after: unknown, before: unknown): unknown {
  if (Array.isArray(after) && Array.isArray(before)) return after.map((item, i) => withoutNew(item, before[i]));
  if (!isObject(after) || !isObject(before)) return after;
  const kept = Object.entries(after).filter(([key, held]) => held !== null || hasOwn(before, key));
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutNew(held, before[key])]));
}

/** Gemini's `nullable` lets null through beside a list of values too. */
const asTaken = (lowered: SchemaObject): SchemaObject =>
  JSON.parse(JSON.stringify(lowered), (_, held) =>
    isObject(held) && held.nullable === true && Array.isArray(held.enum)
      ? { ...held, enum: [...held.enum, null] }
      : held,
  ) as SchemaObject;

/** What the names of this test become where a target refuses them. */
const renamed: Partial<Record<LoweringTarget, ReadonlyMap<string, string>>> = Object.fromEntries(
  ['anthropic', 'anthropic-strict', 'gemini', 'gemini-openapi'].map((target) => [
    target,
    new Map([
      ['$c', '_c'],
      ['x y', 'x_y'],
    ]),
  ]),
);

describe('lowering random schemas', () => {
  it.each(targets)('%s takes every value that the original takes, and gives it back', (target) => {
    let taken = 0;
    fc.assert(
      fc.property(parameters, fc.nat(), (original, seed) => {
        const pick = picker(seed);
        const values = Array.from({ length: 20 }, () => sample(original, original, pick));
        const { schema: lowered, covers, lift } = lowerSchema(original, target);
        const before = new Interpreter(original);
        const after = new Interpreter(asTaken(lowered));
        for (const one of values) {
          if (!before.passes(one) || !covers) continue;
          taken++;
          const sent = written(one, after.root, after, renamed[target] ?? new Map());
          after.forget();
          expect([after.passes(sent), JSON.stringify(sent)]).toEqual([true, JSON.stringify(sent)]);
          const lifted = lift(sent);
          before.forget();
          expect(before.passes(lifted)).toBe(true);
          expect(withoutNew(lifted, one)).toEqual(one);
        }
      }),
      { numRuns: tries },
    );
    expect(taken).toBeGreaterThan(tries);
  });

  it.each(targets)('%s: what is lowered stays as it is', (target) => {
    fc.assert(
      fc.property(parameters, (original) => {
        const once = lowerSchema(original, target);
        const twice = lowerSchema(once.schema, target);
        expect(twice.schema).toEqual(once.schema);
        expect(twice.changes).toEqual([]);
      }),
      { numRuns: tries },
    );
  });

  it.each(targets)('F14 %s: no schema, however wrong, makes it throw or run on', (target) => {
    const words = fc.constantFrom(
      ...'type enum const properties required items prefixItems anyOf oneOf allOf not if additionalProperties $ref $defs'.split(
        ' ',
      ),
      ...'nullable minimum exclusiveMinimum format pattern description patternProperties dependencies __proto__ a'.split(
        ' ',
      ),
    );
    const { wild } = fc.letrec((tie) => ({
      wild: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.constantFrom('#', '#/$defs/a', '#/properties/a', 'string', 'object', 'array', 'http://x/y', '#/%'),
        fc.array(tie('wild'), { maxLength: 3 }),
        fc.dictionary(words, tie('wild'), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(wild, (json) => {
        const { schema: lowered, lift } = lowerSchema(json as JsonSchema, target);
        expect(lowered.type).toBe('object');
        expect(Object.getPrototypeOf(lowered)).toBe(Object.prototype);
        lift({ a: null, b: [{ a: null }] });
        expect(lowerSchema(lowered, target).schema).toEqual(lowered);
      }),
      { numRuns: tries },
    );
  });
});
