/** Lists in lists, lists of fixed words, and members with signs: what a lost bracket, comma or sign makes look alike. */
import type { JsonValue } from '../../../src/json/value.ts';
import type { SchemaObject } from '../../../src/schema/types.ts';
import type { Random } from '../random.ts';
import { closed, enumOf, int, listOf, num, ref, str } from '../words.ts';
import { contentOf } from './contents.ts';
import { maybe, output, type Template, tool, vary } from './template.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'];
/** One list of lists in several nestings. */
const rows: readonly JsonValue[] = [
  [[a, b], [c]],
  [[a], [b], [c]],
  [[a, b, c]],
  [[a], [b, c], [d]],
  [
    [a, b],
    [c, d],
  ],
];
const filters: readonly JsonValue[] = [
  ['all', ['==', 'type', 'road'], ['>', 'lanes', 2]],
  ['all', ['==', 'type', 'road', ['>', 'lanes', 2]]],
  ['any', ['in', 'id', 1, 2], ['!', ['has', 'name']], 3],
  ['+', 1, ['*', 2, 3]],
  ['+', 1, ['*', 2], 3],
  [[[1, 2], [3]], [4]],
];

const expression: SchemaObject = { anyOf: [str, num, listOf(ref('expression'))] };
const node = closed({ id: str, kids: listOf(ref('node')) }, ['id']);

const tree = (random: Random): JsonValue[] => {
  const leaf = (id: string): JsonValue => ({ id });
  const nested: readonly JsonValue[] = [
    [{ id: 'b', kids: [leaf('c'), leaf('d')] }],
    [{ id: 'b', kids: [leaf('c')] }, leaf('d')],
    [leaf('b'), leaf('c'), leaf('d')],
  ];
  return nested.map((kids) => ({ root: { id: contentOf(random, 'word'), kids } }));
};

const scopes: readonly JsonValue[] = [
  ['read', 'write'],
  ['read_write'],
  ['read'],
  ['admin', 'read'],
  ['write', 'soft', 'delete'],
  ['write', 'soft_delete'],
  [],
];

export const listTemplates: readonly Template[] = [
  tool('append_rows', 'write', closed({ rows: listOf(listOf(str)), sheet: str }, ['rows']), (r) =>
    vary({ rows: [], ...maybe(r, 'sheet', 'x') }, 'rows', rows),
  ),
  tool('set_matrix', 'write', closed({ matrix: listOf(listOf(int)), name: str }, ['matrix']), (r) =>
    vary({ matrix: [], ...maybe(r, 'name', 'x') }, 'matrix', [
      [
        [1, 2],
        [3, 4],
      ],
      [[1], [2, 3]],
      [[1, 2, 3]],
      [[1], [2], [3]],
    ]),
  ),
  tool(
    'set_filter',
    'write',
    closed({ filter: listOf({ type: ['string', 'number', 'boolean', 'array'] }), layer: str }, ['filter']),
    (r) => vary({ filter: [], ...maybe(r, 'layer', 'roads') }, 'filter', filters),
  ),
  tool(
    'compute',
    'read',
    { ...closed({ e: ref('expression'), digits: int }, ['e']), $defs: { expression } } as SchemaObject,
    (r) => vary({ e: 0, ...maybe(r, 'digits', 2) }, 'e', filters),
  ),
  tool('label_items', 'write', closed({ tags: listOf({ anyOf: [str, listOf(str)] }) }, ['tags']), () =>
    [...rows, [a, [b, c], d], [a, [b, c, d]], [a, [b], c, d]].map((tags) => ({ tags })),
  ),
  tool('save_tree', 'write', { ...closed({ root: ref('node') }, ['root']), $defs: { node } } as SchemaObject, tree),
  tool(
    'grant',
    'write',
    closed(
      { user: str, scopes: listOf(enumOf('read', 'write', 'read_write', 'admin', 'soft', 'delete', 'soft_delete')) },
      ['scopes'],
    ),
    (r) => vary({ ...maybe(r, 'user', contentOf(r, 'word')), scopes: [] }, 'scopes', scopes),
  ),
  tool(
    'open_shop',
    'write',
    closed({
      days: listOf({ anyOf: [{ const: 'mon' }, { const: 'tue' }, { const: 'mon-tue' }] }),
      modes: listOf(enumOf('a', 'b', 'ab')),
    }),
    (r) =>
      r.chance(0.5)
        ? vary({}, 'days', [['mon', 'tue'], ['mon-tue'], ['mon']])
        : vary({}, 'modes', [['a', 'b'], ['ab'], ['b']]),
  ),
  tool(
    'set_zone',
    'write',
    closed({ zone: enumOf('UTC-5', 'UTC+5', 'UTC'), step: enumOf('T-1', 'T+1', 'T'), part: enumOf('c-1', 'c/1') }),
    (r) =>
      r.pick([
        () => vary({}, 'zone', ['UTC-5', 'UTC+5', 'UTC']),
        () => vary({}, 'step', ['T-1', 'T+1', 'T']),
        () => vary({}, 'part', ['c-1', 'c/1']),
      ])(),
  ),
  output('table', closed({ rows: listOf(listOf(str)), filter: { type: 'array' } }), (r) =>
    r.chance(0.5) ? vary({}, 'rows', rows) : vary({}, 'filter', filters),
  ),
];
