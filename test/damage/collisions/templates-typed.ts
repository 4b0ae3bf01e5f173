/** Tools and structured outputs with numbers, flags, enums, ids and nested objects. */
import { bool, closed, enumOf, int, listOf, num, open, str } from '../words.ts';
import { contentOf, familyOf } from './contents.ts';
import { listsOf, maybe, output, type Template, tool, vary } from './template.ts';

export const typedTemplates: readonly Template[] = [
  tool(
    'lookup_order',
    'read',
    closed({ order_id: str, version: str, phone: str, codes: listOf(str) }, ['order_id']),
    (r) =>
      r.chance(0.3)
        ? vary({ order_id: 'A1' }, 'codes', [familyOf(r, 'id'), ['007'], ['1.0'], ['1.10', '1.1'], []])
        : vary(
            { order_id: '', ...maybe(r, 'version', contentOf(r, 'id')) },
            'order_id',
            familyOf(r, 'id', 'id', 'word'),
          ),
  ),
  tool(
    'update_price',
    'write',
    closed({ id: int, price: num, active: bool, comment: { type: ['string', 'null'] } }, ['id', 'price']),
    (r) => {
      const base = { id: r.between(1, 9999), price: r.between(1, 99_999) / 100, ...maybe(r, 'active', r.chance(0.5)) };
      return r.pick([
        () => vary(base, 'price', [1234, 1.234, 0.5, 5, -5, 12.5, 1_000_000]),
        () => vary(base, 'id', [7, 1234, 12, -1, 1000]),
        () => vary(base, 'active', [true, false, undefined]),
        () => vary(base, 'comment', [...familyOf(r, 'prose', 'word'), null, undefined]),
      ])();
    },
  ),
  tool(
    'set_access',
    'write',
    closed({ user_id: str, is_active: bool, is_legal: bool, can_edit: bool, from_id: str }, ['user_id']),
    (r) => {
      const base = { user_id: contentOf(r, 'id'), ...maybe(r, 'can_edit', r.chance(0.5)), is_legal: r.chance(0.5) };
      return vary({ ...base, ...maybe(r, 'from_id', contentOf(r, 'id')) }, 'is_active', [true, false, undefined]);
    },
  ),
  tool(
    'set_levels',
    'write',
    closed({ name: str, levels: listOf(int), weights: listOf(num) }, ['name', 'levels']),
    (r) =>
      r.chance(0.5)
        ? vary({ name: contentOf(r, 'word'), levels: [] }, 'levels', [
            [1, 2, 3],
            [1, 3],
            [123],
            [1, 234],
            [1234],
            [12, 3],
            [1],
            [],
            [1, 234],
          ])
        : vary({ name: contentOf(r, 'word'), levels: [1] }, 'weights', [
            [0.5, 1.5],
            [1, 234],
            [1.234],
            [5],
            [],
            undefined,
          ]),
  ),
  tool(
    'set_status',
    'write',
    closed(
      {
        status: enumOf('open', 'in_progress', 'closed', 're-opened'),
        level: { enum: [-1, 0, 1] },
        mode: enumOf('a-b', 'ab', 'c'),
        note: str,
      },
      ['status'],
    ),
    (r) =>
      r.pick([
        () =>
          vary({ status: '', ...maybe(r, 'note', contentOf(r, 'prose')) }, 'status', [
            'open',
            'in_progress',
            'closed',
            're-opened',
          ]),
        () => vary({ status: 'open' }, 'level', [-1, 0, 1, undefined]),
        () => vary({ status: 'open' }, 'mode', ['a-b', 'ab', 'c']),
      ])(),
  ),
  tool(
    'configure',
    'write',
    closed({ service: str, options: open({ name: str, region: str }, ['name']), region: str, replicas: int }, [
      'service',
      'options',
    ]),
    (r) => {
      const region = contentOf(r, 'word');
      const base = { service: contentOf(r, 'word'), options: { name: 'x' } };
      return [
        { ...base, options: { name: 'x', region } },
        { ...base, region },
        { ...base, options: { name: 'x', replicas: 2 } },
        { ...base, replicas: 2 },
        base,
      ];
    },
  ),
  tool(
    'list_events',
    'read',
    { type: 'object', properties: { after: str, tag: str, archived: bool, page: int } },
    (r) => [
      ...vary({ after: '2024-02-29' }, 'tag', [...familyOf(r, 'word', 'id'), undefined]),
      ...vary({ tag: 'x' }, 'archived', [true, false, undefined]),
      {},
    ],
  ),
  tool('set_value', 'write', closed({ key: str, value: {} }, ['key', 'value']), (r) =>
    vary({ key: contentOf(r, 'word'), value: 0 }, 'value', [
      ...familyOf(r, 'id', 'json', 'word'),
      7,
      1,
      true,
      null,
      [1, 2],
      { a: 1 },
    ]),
  ),
  tool(
    'resize',
    'write',
    closed({ start_line: int, end_line: int, width: num, height: num, weight: num, title: str, titles: listOf(str) }, [
      'start_line',
    ]),
    (r) => [
      { start_line: 3, end_line: 9 },
      { start_line: 3, width: 2 },
      { start_line: 3, weight: 2 },
      { start_line: 3, height: 2 },
      { start_line: 3, title: contentOf(r, 'word') },
      { start_line: 3, titles: ['a', 'b'] },
      { start_line: 3 },
    ],
  ),
  tool(
    'move_node',
    'write',
    closed({ node: str, parent: { type: ['string', 'null'] }, limit: { type: ['integer', 'null'] }, before: str }, [
      'node',
    ]),
    (r) => [
      ...vary({ node: contentOf(r, 'word', 'id') }, 'parent', [contentOf(r, 'word'), null, undefined]),
      ...vary({ node: 'x' }, 'limit', [5, 0, null, undefined]),
      ...vary({ node: 'x' }, 'before', [contentOf(r, 'word', 'prose'), undefined]),
    ],
  ),
  output('choice', enumOf('positive', 'negative', 'neutral', 'very_negative'), () => [
    'positive',
    'negative',
    'neutral',
    'very_negative',
  ]),
  output('score', num, () => [5, 0.5, 1234, 1.234, -5]),
  output('names', listOf(str), (r) => listsOf(r, 'word', 'prose', 'id')),
  output('numbers', listOf(int), () => [[1, 2, 3], [1, 3], [1], [12, 3], [1, 234], [1234], []]),
  output('person', closed({ name: str, age: int, notes: str }, ['name']), (r) =>
    vary({ name: contentOf(r, 'word'), ...maybe(r, 'age', 36) }, 'notes', [
      ...familyOf(r, 'prose', 'code', 'id'),
      undefined,
    ]),
  ),
  output('people', listOf(closed({ name: str, age: int }, ['name'])), (r) => [
    [{ name: contentOf(r, 'word'), age: 3 }, { name: 'Ada' }],
    [{ name: contentOf(r, 'prose') }],
    [],
  ]),
];
