/** Unions and enums: one form that fits is taken, two are a guess, and a guess is refused. */
import type { JsonValue } from '../../src/json/value.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import type { Subject } from './definition.ts';
import type { Kind } from './kind.ts';
import type { Place } from './places.ts';
import { asSent, putting, spoiling } from './with-value.ts';
import { bool, closed, enumOf, int, listOf, nothing, num, open, str } from './words.ts';

interface Row {
  readonly schema: JsonSchema;
  readonly put: JsonValue;
  readonly want: JsonValue;
}

const named = closed({ name: str, age: int }, ['name']);
const titled = closed({ title: str, pages: int }, ['title']);

const oneFits: readonly Row[] = [
  { schema: { anyOf: [int, listOf(int)] }, put: '[1, 2]', want: [1, 2] },
  { schema: { anyOf: [int, bool, nothing] }, put: 'yes', want: true },
  { schema: { anyOf: [int, bool, nothing] }, put: 'None', want: null },
  { schema: { anyOf: [int, num] }, put: '5', want: 5 },
  { schema: { anyOf: [num, closed({ hour: int }, ['hour'])] }, put: '{"hour": 5}', want: { hour: 5 } },
  { schema: { anyOf: [num, closed({ hour: int }, ['hour'])] }, put: '7.5', want: 7.5 },
  { schema: { oneOf: [named, titled] }, put: { name: 'Ada', age: '36' }, want: { name: 'Ada', age: 36 } },
  { schema: { oneOf: [named, titled] }, put: { Title: 'On it', pages: '5' }, want: { title: 'On it', pages: 5 } },
  { schema: { anyOf: [named, nothing] }, put: '{"name": "Ada"}', want: { name: 'Ada' } },
  { schema: { anyOf: [closed({ a: int }, ['a']), closed({ a: bool }, ['a'])] }, put: { a: 'no' }, want: { a: false } },
  { schema: { type: ['integer', 'null'] }, put: '12', want: 12 },
  { schema: { type: ['array', 'null'], items: int }, put: '["1", 2]', want: [1, 2] },
  {
    schema: { allOf: [open({ a: int }, ['a']), open({ b: bool })] },
    put: { a: '1', b: 'yes' },
    want: { a: 1, b: true },
  },
  { schema: { enum: [1, 2, 'auto'] }, put: 'AUTO', want: 'auto' },
  { schema: enumOf('read_only', 'write'), put: 'Read Only', want: 'read_only' },
  { schema: { const: 'on_demand' }, put: 'On-Demand', want: 'on_demand' },
  { schema: listOf({ anyOf: [int, named] }), put: ['5', '{"name": "Ada"}'], want: [5, { name: 'Ada' }] },
];

const twoFit: readonly Row[] = [
  { schema: { anyOf: [num, listOf(num)] }, put: '5', want: 5 },
  { schema: { anyOf: [int, listOf(str)] }, put: '5', want: 5 },
  {
    schema: { anyOf: [closed({ x: int }, ['x']), closed({ x: listOf(int) }, ['x'])] },
    put: { x: '5' },
    want: { x: 5 },
  },
  {
    schema: { oneOf: [closed({ x: bool }, ['x']), closed({ x: listOf(bool) }, ['x'])] },
    put: { x: 'yes' },
    want: { x: true },
  },
  { schema: enumOf('read-only', 'read_only'), put: 'READ ONLY', want: 'read-only' },
  { schema: { enum: ['asc', 'ASC'] }, put: 'Asc', want: 'asc' },
  {
    schema: { anyOf: [closed({ a: str }, ['a']), closed({ b: str }, ['b'])] },
    put: { a: 'x', b: 'y' },
    want: { a: 'x' },
  },
  {
    schema: { anyOf: [closed({ a: str }, ['a']), closed({ b: str }, ['b'])] },
    put: { a: 'x', zzzzzz: 'y' },
    want: { a: 'x' },
  },
  { schema: { anyOf: [named, titled] }, put: { name: 'Ada', title: 'Dr' }, want: { name: 'Ada' } },
  { schema: enumOf('12', '-1'), put: '1_2', want: '12' },
  { schema: enumOf('-1', '2'), put: '1', want: '-1' },
  { schema: { enum: [-1, 2] }, put: '1', want: -1 },
  { schema: enumOf('1.5', '2'), put: '15', want: '1.5' },
  { schema: { anyOf: [int, bool] }, put: 'perhaps', want: true },
  { schema: { anyOf: [int, bool] }, put: 1.5, want: 1 },
];

const subjectsOf = (rows: readonly Row[], stem: string): readonly Subject[] =>
  rows.map((row, at) => ({
    name: `${stem}_${'abcdefghijklmnopqrstuvwxyz'[at]}`,
    description: 'Takes a value in one of several forms.',
    inputSchema: closed({ subject: str, value: row.schema }, ['value']),
    make: (random) => ({ ...(random.chance(0.5) && { subject: 'x' }), value: row.want }),
  }));

const fromRows = (name: string, expect: Kind['expect'], rows: readonly Row[]): Kind => {
  // Names of their own for each table: toolboxes are kept by names.
  const subjects = subjectsOf(rows, expect === 'refused' ? 'choose_none' : 'choose_form');
  return {
    name,
    expect,
    subjects,
    apply: ({ tool, input }, random) => {
      const row = rows[subjects.findIndex((subject) => subject.name === tool.name)];
      return row && { arguments: asSent({ ...input, value: row.put }, random) };
    },
  };
};

const tag = (place: Place): boolean =>
  place.parent === 'object' &&
  typeof place.value === 'string' &&
  (typeof place.form.const === 'string' || place.form.enum?.length === 1);

export const unionKinds: readonly Kind[] = [
  fromRows('a form that alone fits', 'inferred', oneFits),
  fromRows('two forms fit, or none', 'refused', twoFit),
  {
    name: 'a discriminator in other letters',
    expect: 'inferred',
    apply: putting(tag, (place) => ({ put: String(place.value).toUpperCase() })),
  },
  {
    name: 'a discriminator that names no form',
    expect: 'refused',
    apply: spoiling(tag, (_, random) => random.pick(['hexagon', '', 'scroll', 7])),
  },
  {
    name: 'a discriminator of another form',
    expect: 'refused',
    apply: spoiling(
      tag,
      (place) => ({ circle: 'rect', rect: 'circle', click: 'wait', type: 'click', wait: 'type' })[String(place.value)],
    ),
  },
];
