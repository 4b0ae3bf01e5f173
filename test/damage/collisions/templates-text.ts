/** Tools whose arguments are text and lists of text. */
import { z } from 'zod';
import type { JsonValue } from '../../../src/json/value.ts';
import type { Random } from '../random.ts';
import { bool, closed, int, listOf, str } from '../words.ts';
import { contentOf, familyOf } from './contents.ts';
import { listsOf, maybe, type Template, tool, vary } from './template.ts';

const fileFamily = (random: Random): JsonValue[] => {
  const base = {
    path: contentOf(random, 'path'),
    content: contentOf(random),
    ...maybe(random, 'append', random.chance(0.5)),
  };
  return random.chance(0.75)
    ? vary(base, 'content', familyOf(random))
    : random.chance(0.5)
      ? vary(base, 'path', familyOf(random, 'path'))
      : vary(base, 'append', [true, false, undefined]);
};

export const textTemplates: readonly Template[] = [
  tool('write_file', 'write', closed({ path: str, content: str, append: bool }, ['path', 'content']), fileFamily),
  tool('save_note', 'write', closed({ content: str, path: str, encoding: str }, ['path', 'content']), (r) =>
    vary({ content: 'x', path: contentOf(r, 'path'), ...maybe(r, 'encoding', 'utf-8') }, 'content', familyOf(r)),
  ),
  tool('run_shell', 'destructive', closed({ command: str, timeout_ms: int, background: bool }, ['command']), (r) =>
    vary(
      { command: '', ...maybe(r, 'timeout_ms', r.between(1, 60_000)) },
      'command',
      familyOf(r, 'shell', 'code', 'path'),
    ),
  ),
  tool('search_code', 'read', closed({ pattern: str, globs: listOf(str), max_results: int }, ['pattern']), (r) =>
    vary(
      { pattern: '', ...maybe(r, 'globs', ['src/**/*.ts', '*.md']), ...maybe(r, 'max_results', r.between(1, 500)) },
      'pattern',
      familyOf(r, 'regex', 'regex', 'code', 'latex', 'sql'),
    ),
  ),
  tool('move_file', 'destructive', closed({ from: str, to: str, overwrite: bool }, ['from', 'to']), (r) =>
    vary({ from: contentOf(r, 'path'), to: '', ...maybe(r, 'overwrite', true) }, 'to', familyOf(r, 'path')),
  ),
  tool('replace_text', 'write', closed({ pattern: str, replacement: str, files: listOf(str) }, ['pattern']), (r) =>
    vary(
      {
        pattern: contentOf(r, 'regex', 'latex'),
        replacement: '',
        ...maybe(r, 'files', [contentOf(r, 'path'), 'a.ts']),
      },
      'replacement',
      familyOf(r, 'regex', 'latex', 'code', 'prose', 'path'),
    ),
  ),
  tool('tag_items', 'write', closed({ tags: listOf(str), note: str }, ['tags']), (r) =>
    vary({ tags: [], ...maybe(r, 'note', contentOf(r, 'prose')) }, 'tags', listsOf(r, 'word', 'prose', 'id', 'path')),
  ),
  tool('remove_files', 'destructive', closed({ paths: listOf(str), force: bool }, ['paths']), (r) =>
    vary({ paths: [], ...maybe(r, 'force', true) }, 'paths', listsOf(r, 'path', 'word')),
  ),
  tool(
    'send_email',
    'write',
    closed({ to: { ...listOf(str), minItems: 1 }, subject: str, body: str }, ['to', 'subject', 'body']),
    (r) =>
      r.chance(0.4)
        ? vary({ to: [], subject: 'Hi', body: contentOf(r, 'email') }, 'to', [
            ['ada@example.com', 'bob@example.com'],
            ['ada@example.com, bob@example.com'],
            ['ada@example.com'],
          ])
        : vary({ to: ['ada@example.com'], subject: contentOf(r, 'prose'), body: '' }, 'body', familyOf(r)),
  ),
  tool(
    'book_flight',
    'write',
    closed(
      {
        passenger: closed({ first_name: str, last_name: str, age: int }, ['first_name', 'last_name']),
        route: closed({ origin: str, stops: listOf(str) }, ['origin']),
        notes: str,
      },
      ['passenger', 'route'],
    ),
    (r) => {
      const passenger = { first_name: contentOf(r, 'word'), last_name: "O'Neil", ...maybe(r, 'age', 36) };
      const base = { passenger, route: { origin: 'SFO' }, ...maybe(r, 'notes', contentOf(r, 'prose')) };
      return [
        ...vary(base, 'notes', [...familyOf(r, 'prose'), undefined]),
        { ...base, route: { origin: 'SFO', stops: ['ORD', 'JFK'] } },
        { ...base, route: { origin: 'SFO', stops: ['ORD, JFK'] } },
      ];
    },
  ),
  tool(
    'multi_edit',
    'write',
    closed(
      {
        path: str,
        edits: {
          ...listOf(closed({ old_text: str, new_text: str, replace_all: bool }, ['old_text', 'new_text'])),
          minItems: 1,
        },
      },
      ['path', 'edits'],
    ),
    (r) => {
      const old = contentOf(r, 'code', 'html', 'prose', 'yaml');
      return familyOf(r, 'code', 'html', 'prose', 'shell', 'json').map((text) => ({
        path: 'src/a.ts',
        edits: [
          { old_text: old, new_text: text },
          ...(r.chance(0.3) ? [{ old_text: 'a', new_text: 'b', replace_all: true }] : []),
        ],
      }));
    },
  ),
  tool(
    'put_record',
    'write',
    { ...closed({ path: str, content: str, encoding: str }, ['path', 'content']) },
    (r) =>
      vary(
        { path: 'a.txt', content: contentOf(r, 'prose', 'code'), encoding: 'utf-8' },
        r.pick(['content', 'encoding']),
        [...familyOf(r, 'word', 'prose')],
      ),
    z.object({ path: z.string(), content: z.string(), encoding: z.string().optional() }),
  ),
  tool(
    'set_environment',
    'write',
    closed({ service: str, env: { type: 'object', additionalProperties: str } }, ['service', 'env']),
    (r) =>
      familyOf(r, 'id', 'path', 'shell', 'url').map((text) => ({ service: 'api', env: { HOME_DIR: text, MODE: 'x' } })),
  ),
  tool('web_search', 'read', closed({ query: str }, ['query']), (r) =>
    vary({ query: '' }, 'query', familyOf(r, 'prose', 'word', 'code', 'json', 'shell', 'yaml')),
  ),
  tool('read_many', 'read', closed({ paths: listOf(str) }, ['paths']), (r) =>
    vary({ paths: [] }, 'paths', listsOf(r, 'path', 'word')),
  ),
  tool(
    'open_target',
    'read',
    closed({ target: { type: ['string', 'array'], items: str }, depth: int }, ['target']),
    (r) =>
      vary({ target: '', ...maybe(r, 'depth', 2) }, 'target', [
        ...familyOf(r, 'path', 'json', 'csv'),
        ['a', 'b'],
        ['a'],
      ]),
  ),
];
