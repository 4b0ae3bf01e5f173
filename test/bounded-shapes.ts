/** Schemas and calls that grow: each made for any size, so that the work can be compared as the size doubles. */

import { z } from 'zod';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const keyed = (n: number, make: (i: number) => readonly [string, unknown]) => Object.fromEntries(list(n, make));
const def = (i: number) => ({ $ref: `#/$defs/d${i}` });
const text = { type: 'string' };
const integer = { type: 'integer' };

/** A schema of `n` definitions, each made from the next, under the field `x`. */
const tower = (n: number, level: (next: object, i: number) => object, leaf: object) => ({
  ...object({ x: def(0) }, { required: ['x'] }),
  $defs: { ...keyed(n, (i) => [`d${i}`, level(def(i + 1), i)]), [`d${n}`]: leaf },
});

/** A union of `n` objects that each hold the union again. */
const recursive = (n: number, word: string, more: object = {}) => ({
  ...object({ x: { $ref: '#/$defs/N' } }, { required: ['x'] }),
  $defs: {
    N: {
      [word]: list(n, (i) =>
        object({ [`k${i}`]: text, a: { $ref: '#/$defs/N' } }, { required: [`k${i}`, 'a'], ...more }),
      ),
    },
  },
});

const nested = (n: number, key: string, leaf: unknown): unknown => {
  let value = leaf;
  for (let i = 0; i < n; i += 1) value = { [key]: value };
  return value;
};

const encoded = (n: number): string => {
  let value = '{"a":"x"}';
  for (let i = 0; i < n; i += 1) value = JSON.stringify({ a: value });
  return value;
};

const declared = (n: number) => keyed(n, (i) => [`property_name_${i}`, text]);
const forms = (n: number) =>
  list(n, (i) => object({ kind: { const: `k${i}` }, [`p${i}`]: integer, c: text }, { required: [`p${i}`] }));

export interface Grown {
  /** The tool's schema. */
  readonly schema: unknown;
  readonly args: unknown;
}

export interface Shape {
  /** The smallest size; it is doubled from there. */
  readonly from: number;
  readonly doublings: number;
  readonly grown: (n: number) => Grown;
}

const shape = (from: number, doublings: number, grown: (n: number) => Grown): Shape => ({ from, doublings, grown });

const towers = ['allOf', 'anyOf', 'oneOf'].flatMap((word): [string, Shape][] => {
  const twice = (next: object) => ({ [word]: [next, { ...next, description: 'again' }] });
  const bounded = (next: object, i: number) => ({
    [word]: [
      { ...next, minimum: -i },
      { ...next, maximum: i },
    ],
  });
  const inner = object({ q: text });
  const kept = word === 'allOf' ? '' : 'guard: ';
  return [
    [`a tower of ${word}, scalar`, shape(3, 4, (n) => ({ schema: tower(n, twice, integer), args: { x: '5' } }))],
    [`a tower of ${word}, bounded`, shape(3, 3, (n) => ({ schema: tower(n, bounded, integer), args: { x: 'z' } }))],
    [
      `${kept}a tower of ${word}, object`,
      shape(3, 4, (n) => ({ schema: tower(n, twice, inner), args: { x: { q: 5 } } })),
    ],
    [`guard: a tower of ${word}, missing`, shape(3, 4, (n) => ({ schema: tower(n, twice, inner), args: {} }))],
  ];
});

const keys = (n: number) => ({ path: 'a', ...keyed(n, (i) => [`zz${i}`, i]) });
const onlyPath = object({ path: text }, { additionalProperties: false });
const within = { o: (value: unknown) => ({ o: value }), l: (value: unknown) => ({ l: [value] }) };

/** Keys that no property declares, with every property given: nothing is left to compare them with. */
const undeclared = Object.entries<[schema: unknown, args: (value: object) => unknown]>({
  'a closed object': [onlyPath, (value) => value],
  'an open object': [object({ path: integer }), (value) => value],
  'an object in an object': [object({ o: onlyPath }), within.o],
  'an object in a list': [object({ l: { type: 'array', items: onlyPath } }), within.l],
  'an object in a union': [object({ o: { anyOf: [onlyPath, object({ b: text }, { required: ['b'] })] } }), within.o],
  'a strict Zod object': [z.strictObject({ path: z.string() }), (value) => value],
}).flatMap(([name, [schema, args]]): [string, Shape][] => [
  [`guard: undeclared keys of ${name}`, shape(250, 4, (n) => ({ schema, args: args(keys(n)) }))],
  [
    `guard: undeclared keys of ${name}, as text`,
    shape(250, 4, (n) => ({ schema, args: JSON.stringify(args(keys(n))).replaceAll('"', "'") })),
  ],
]);

/** By name: what must cost no more than its size. */
export const shapes: Readonly<Record<string, Shape>> = {
  'guard: a recursive anyOf, deeper values': shape(3, 4, (n) => ({
    schema: recursive(3, 'anyOf'),
    args: { x: nested(n, 'a', 1) },
  })),
  'guard: a recursive oneOf, deeper values': shape(3, 4, (n) => ({
    schema: recursive(3, 'oneOf', { additionalProperties: false }),
    args: { x: nested(n, 'a', 'z') },
  })),
  'guard: a recursive anyOf, more forms': shape(2, 4, (n) => ({
    schema: recursive(n, 'anyOf'),
    args: { x: nested(6, 'a', 1) },
  })),
  ...Object.fromEntries(towers),
  'towers of allOf and anyOf by turns': shape(3, 3, (n) => ({
    schema: tower(
      n,
      (next, i) => ({ [i % 2 ? 'allOf' : 'anyOf']: [next, { ...next, title: 't' }] }),
      object({ q: text }),
    ),
    args: { x: { q: 5 } },
  })),
  'an allOf of unions': shape(3, 4, (n) => ({
    schema: object({
      x: {
        allOf: list(n, (i) => ({
          anyOf: [
            object({ [`a${i}`]: integer }, { required: [`a${i}`] }),
            object({ [`b${i}`]: integer }, { required: [`b${i}`] }),
          ],
        })),
      },
    }),
    args: { x: keyed(n, (i) => [`b${i}`, 'z']) },
  })),
  'unknown keys and properties, alike': shape(50, 4, (n) => ({
    schema: object(declared(n), { additionalProperties: false }),
    args: keyed(n, (i) => [`propertyy_nam_${i * 7}`, 'x']),
  })),
  'unknown keys and properties, unlike': shape(50, 4, (n) => ({
    schema: object(declared(n), { additionalProperties: false }),
    args: keyed(n, (i) => [`z${i}`, 'x']),
  })),
  'unknown keys that Zod strips': shape(50, 4, (n) => ({
    schema: z.object(keyed(n, (i) => [`property_name_${i}`, z.string().optional()]) as Record<string, z.ZodType>),
    args: keyed(n, (i) => [`propertyy_nam_${i * 7}`, 'x']),
  })),
  ...Object.fromEntries(undeclared),
  'keys in another spelling': shape(50, 4, (n) => ({
    schema: object(declared(n)),
    args: keyed(n, (i) => [`propertyName${i}`, 5]),
  })),
  'a long enum and many items': shape(50, 5, (n) => ({
    schema: object({ l: { type: 'array', items: { enum: list(n, (i) => `member_${i}`) } } }),
    args: { l: list(n, (i) => `Member ${i}`) },
  })),
  'guard: oneOf of many forms': shape(32, 4, (n) => ({
    schema: object({ x: { oneOf: forms(n) } }),
    args: { x: { kind: 'nope', p1: 'x' } },
  })),
  'oneOf of many forms and many items that pass': shape(64, 3, (n) => ({
    schema: object({ l: { type: 'array', items: { oneOf: forms(n) } } }),
    args: { l: list(n, (i) => ({ kind: `k${i}`, [`p${i}`]: 5, c: 'x' })) },
  })),
  'oneOf of many forms and many items to coerce': shape(64, 3, (n) => ({
    schema: object({ l: { type: 'array', items: { oneOf: forms(n) } } }),
    args: { l: list(n, (i) => ({ kind: `K${i}`, [`p${i}`]: '5', c: 'x' })) },
  })),
  'anyOf of many forms and many items that fail': shape(64, 3, (n) => ({
    schema: object({ l: { type: 'array', items: { anyOf: forms(n) } } }),
    args: { l: list(n, (i) => ({ kind: `k${i}`, [`p${i}`]: 'z', c: 'x' })) },
  })),
  'a deep foreign key in a union': shape(3, 4, (n) => ({
    schema: {
      ...object({ x: { $ref: '#/$defs/N' } }),
      $defs: { N: { anyOf: list(3, (i) => object({ [`k${i}`]: text, inner: { $ref: '#/$defs/N' } })) } },
    },
    args: { x: nested(n, 'inner', { K0: 'a', K1: 'b', K2: 'c' }) },
  })),
  'text in text in a union': shape(2, 2, (n) => ({
    schema: recursive(4, 'anyOf'),
    args: { x: encoded(n) },
  })),
  'objects written as text': shape(50, 4, (n) => ({
    schema: object({ l: { type: 'array', items: object({ a: text }) } }),
    args: { l: list(n, (i) => `{"a": ${i}.0}`) },
  })),
  'guard: lists in lists in a union': shape(3, 4, (n) => {
    let value: unknown = 'z';
    for (let i = 0; i < n; i += 1) value = [value];
    const items = { $ref: '#/$defs/N' };
    const array = { type: 'array', items };
    const N = { anyOf: [array, { ...array, minItems: 2 }, integer] };
    return { schema: { ...object({ x: items }), $defs: { N } }, args: { x: value } };
  }),
  'guard: items that Zod refuses': shape(50, 5, (n) => ({
    schema: z.object({ l: z.array(z.object({ a: z.number() })) }),
    args: { l: list(n, () => ({ a: 'x' })) },
  })),
  'guard: items that Zod takes coerced': shape(50, 5, (n) => ({
    schema: z.object({ l: z.array(z.object({ a: z.number() })) }),
    args: { l: list(n, () => ({ a: '5' })) },
  })),
  'guard: a chain of references': shape(50, 5, (n) => ({
    schema: tower(n, (next) => next, integer),
    args: { x: 'z' },
  })),
  'a chain of references, each from a field': shape(50, 3, (n) => ({
    schema: { ...tower(n, (next) => next, integer), properties: keyed(n, (i) => [`x${i}`, def(i)]), required: [] },
    args: keyed(n, (i) => [`x${i}`, 'z']),
  })),
  'guard: one field in every part of an allOf': shape(16, 4, (n) => ({
    schema: { type: 'object', allOf: list(n, (i) => object({ q: { minimum: i }, r: integer })) },
    args: { q: 'z', r: 'y' },
  })),
  'guard: unevaluated keys beside an allOf': shape(8, 4, (n) => ({
    schema: { type: 'object', unevaluatedProperties: false, allOf: list(n, (i) => object({ [`p${i}`]: integer })) },
    args: keyed(n, (i) => [`p${i}`, 'z']),
  })),
};
