/** Tools with depth: objects in objects, lists of objects, maps, tuples, references. */
import type { JsonObject } from '../../src/json/value.ts';
import { anyInteger, anyNumber, anyText, textOf } from './content.ts';
import { destructive, readOnly, type Subject } from './definition.ts';
import type { Random } from './random.ts';
import { bool, closed, enumOf, int, listOf, num, open, optional, ref, str } from './words.ts';

const tree = (random: Random, depth: number): JsonObject => ({
  label: anyText(random),
  ...optional(random, 'weight', () => anyNumber(random)),
  ...(depth > 0 ? optional(random, 'children', () => random.some(0, 2, () => tree(random, depth - 1))) : {}),
});

const filter = (random: Random, depth: number): JsonObject =>
  depth === 0 || random.chance(0.5)
    ? { field: textOf(random, 'word'), equals: anyText(random) }
    : { all: random.some(1, 2, () => filter(random, depth - 1)) };

export const nestedSubjects: readonly Subject[] = [
  {
    name: 'book_flight',
    description: 'Books a flight.',
    inputSchema: closed(
      {
        passenger: closed({ first_name: str, last_name: str, age: { ...int, minimum: 0, maximum: 130 } }, [
          'first_name',
          'last_name',
        ]),
        route: closed({ origin: str, destination: str, stops: listOf(str) }, ['origin', 'destination']),
        seat_class: enumOf('economy', 'premium_economy', 'business'),
        refundable: bool,
      },
      ['passenger', 'route'],
    ),
    make: (r) => ({
      passenger: { first_name: textOf(r, 'word'), last_name: "O'Neil", ...optional(r, 'age', () => r.between(0, 130)) },
      route: {
        origin: 'SFO',
        destination: textOf(r, 'word', 'phrase'),
        ...optional(r, 'stops', () => r.some(0, 2, () => textOf(r, 'word'))),
      },
      ...optional(r, 'seat_class', () => r.pick(['economy', 'premium_economy', 'business'])),
      ...optional(r, 'refundable', () => r.chance(0.5)),
    }),
  },
  {
    name: 'fs_multi_edit',
    description: 'Edits several places of a file.',
    inputSchema: closed(
      {
        path: str,
        edits: {
          ...listOf(closed({ old_text: str, new_text: str, replace_all: bool }, ['old_text', 'new_text'])),
          minItems: 1,
        },
      },
      ['path', 'edits'],
    ),
    make: (r) => ({
      path: textOf(r, 'path'),
      edits: r.some(1, 3, () => ({
        old_text: anyText(r),
        new_text: anyText(r),
        ...optional(r, 'replace_all', () => r.chance(0.5), 0.4),
      })),
    }),
  },
  {
    name: 'drop_tables',
    description: 'Removes tables, nested and destructive.',
    annotations: destructive,
    inputSchema: closed(
      { targets: listOf(closed({ schema_name: str, table_name: str, cascade: bool }, ['schema_name', 'table_name'])) },
      ['targets'],
    ),
    make: (r) => ({
      targets: r.some(0, 3, () => ({
        schema_name: textOf(r, 'word'),
        table_name: textOf(r, 'word', 'phrase'),
        ...optional(r, 'cascade', () => r.chance(0.5)),
      })),
    }),
  },
  {
    name: 'set_environment',
    description: 'A map of text and a map of numbers.',
    inputSchema: closed(
      {
        service: str,
        env: { type: 'object', additionalProperties: str },
        limits: { type: 'object', additionalProperties: num },
      },
      ['service', 'env'],
    ),
    make: (r) => ({
      service: textOf(r, 'word'),
      env: Object.fromEntries(r.some(0, 3, () => [r.pick(['PATH', 'HOME_DIR', 'api-key', 'X.Y']), anyText(r)])),
      ...optional(r, 'limits', () => Object.fromEntries(r.some(0, 2, () => [r.pick(['cpu', 'memory']), anyNumber(r)]))),
    }),
  },
  {
    name: 'draw_polygon',
    description: 'Points as tuples (2020-12).',
    annotations: readOnly,
    inputSchema: closed(
      {
        points: listOf({ type: 'array', prefixItems: [num, num], minItems: 2, maxItems: 2 }),
        style: { type: 'array', prefixItems: [str, int, bool], minItems: 3, maxItems: 3 },
      },
      ['points'],
    ),
    make: (r) => ({
      points: r.some(0, 4, () => [anyNumber(r), anyNumber(r)]),
      ...optional(r, 'style', () => [textOf(r, 'word'), anyInteger(r, 0, 20), r.chance(0.5)]),
    }),
  },
  {
    name: 'set_range',
    description: 'A tuple as draft-07 writes it.',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        sheet: str,
        range: { type: 'array', items: [str, int, int], additionalItems: false, minItems: 3 },
        matrix: listOf(listOf(num)),
      },
      required: ['sheet', 'range'],
      additionalProperties: false,
    },
    make: (r) => ({
      sheet: textOf(r, 'word', 'phrase'),
      range: [textOf(r, 'word'), anyInteger(r, 0, 99), anyInteger(r, 0, 99)],
      ...optional(r, 'matrix', () => r.some(0, 3, () => r.some(0, 3, () => anyNumber(r)))),
    }),
  },
  {
    name: 'create_invoice',
    description: 'Shared parts by $ref.',
    inputSchema: {
      ...closed({ billing: ref('address'), shipping: ref('address'), lines: listOf(ref('line')), note: str }, [
        'billing',
        'lines',
      ]),
      $defs: {
        address: closed({ street: str, city: str, postal_code: str }, ['street', 'city']),
        line: closed({ sku: str, quantity: { ...int, minimum: 1 }, unit_price: num, taxable: bool }, [
          'sku',
          'quantity',
        ]),
      },
    },
    make: (r) => ({
      billing: {
        street: 'Main St. 5, "rear"',
        city: textOf(r, 'word', 'phrase'),
        ...optional(r, 'postal_code', () => '01234'),
      },
      ...optional(r, 'shipping', () => ({ street: textOf(r, 'prose'), city: textOf(r, 'phrase') })),
      lines: r.some(0, 3, () => ({
        sku: r.pick(['A-1', '007', 'x y']),
        quantity: r.between(1, 2000),
        ...optional(r, 'unit_price', () => anyNumber(r)),
        ...optional(r, 'taxable', () => r.chance(0.5)),
      })),
      ...optional(r, 'note', () => anyText(r)),
    }),
  },
  {
    name: 'save_tree',
    description: 'A recursive tree.',
    inputSchema: {
      ...closed({ root: ref('node') }, ['root']),
      $defs: { node: closed({ label: str, weight: num, children: listOf(ref('node')) }, ['label']) },
    },
    make: (r) => ({ root: tree(r, 3) }),
  },
  {
    name: 'query_rows',
    description: 'A recursive filter, a union by its keys.',
    annotations: readOnly,
    inputSchema: {
      ...closed({ table: str, where: ref('filter'), limit: { ...int, minimum: 1 } }, ['table', 'where']),
      $defs: {
        filter: {
          anyOf: [
            closed({ field: str, equals: str }, ['field', 'equals']),
            closed({ all: listOf(ref('filter')) }, ['all']),
          ],
        },
      },
    },
    make: (r) => ({ table: textOf(r, 'word'), where: filter(r, 2), ...optional(r, 'limit', () => r.between(1, 900)) }),
  },
  {
    name: 'update_profile',
    description: 'Open objects with nullable and optional fields.',
    inputSchema: open(
      {
        user_id: int,
        profile: open(
          {
            display_name: str,
            bio: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            birth_year: { type: ['integer', 'null'] },
          },
          ['display_name'],
        ),
        settings: open({ dark_mode: bool, font_size: num }),
      },
      ['user_id', 'profile'],
    ),
    make: (r) => ({
      user_id: anyInteger(r, 1),
      profile: {
        display_name: anyText(r),
        ...optional(r, 'bio', () => (r.chance(0.4) ? null : anyText(r))),
        ...optional(r, 'birth_year', () => (r.chance(0.4) ? null : r.between(1900, 2020))),
      },
      ...optional(r, 'settings', () => ({
        ...optional(r, 'dark_mode', () => r.chance(0.5)),
        ...optional(r, 'font_size', () => r.between(1, 400) / 10),
      })),
    }),
  },
  {
    name: 'fetch_webpage',
    description: 'Lists of text that may come as XML.',
    annotations: readOnly,
    inputSchema: closed(
      { urls: { ...listOf(str), minItems: 1 }, headers: { type: 'object', additionalProperties: str }, depth: int },
      ['urls'],
    ),
    make: (r) => ({
      urls: r.some(1, 3, () => textOf(r, 'url')),
      ...optional(r, 'headers', () => ({ Accept: 'text/html, */*' })),
      ...optional(r, 'depth', () => r.between(0, 5)),
    }),
  },
  {
    name: 'plan_steps',
    description: 'allOf joins two parts.',
    inputSchema: {
      type: 'object',
      allOf: [
        { type: 'object', properties: { goal: str, steps: listOf(str) }, required: ['goal', 'steps'] },
        { type: 'object', properties: { deadline_days: int, strict: bool } },
      ],
    },
    make: (r) => ({
      goal: textOf(r, 'prose', 'quoted'),
      steps: r.some(0, 4, () => anyText(r)),
      ...optional(r, 'deadline_days', () => anyInteger(r, 0, 365)),
      ...optional(r, 'strict', () => r.chance(0.5)),
    }),
  },
];
