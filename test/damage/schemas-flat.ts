/** Tools with flat inputs: strings that look like something else, numbers, enums, flags, lists of scalars. */
import { anyInteger, anyNumber, anyText, textOf } from './content.ts';
import { destructive, readOnly, type Subject } from './definition.ts';
import { bool, closed, enumOf, int, listOf, num, optional, str } from './words.ts';

export const flatSubjects: readonly Subject[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    annotations: readOnly,
    inputSchema: closed(
      { file_path: str, offset: { ...int, minimum: 0 }, limit: { ...int, minimum: 1, maximum: 5000 } },
      ['file_path'],
    ),
    make: (r) => ({
      file_path: textOf(r, 'path'),
      ...optional(r, 'offset', () => anyInteger(r, 0, 9000)),
      ...optional(r, 'limit', () => anyInteger(r, 1, 5000)),
    }),
  },
  {
    name: 'write_file',
    description: 'Writes text to a file.',
    inputSchema: closed({ path: str, content: str, append: bool }, ['path', 'content']),
    make: (r) => ({ path: textOf(r, 'path'), content: anyText(r), ...optional(r, 'append', () => r.chance(0.5)) }),
  },
  {
    name: 'delete_records',
    description: 'Deletes records for good.',
    annotations: destructive,
    inputSchema: closed({ table: str, ids: listOf(int), dry_run: bool, reason: str }, ['table', 'ids']),
    make: (r) => ({
      table: textOf(r, 'word'),
      ids: r.some(0, 4, () => anyInteger(r, 1)),
      ...optional(r, 'dry_run', () => r.chance(0.5)),
      ...optional(r, 'reason', () => anyText(r)),
    }),
  },
  {
    name: 'run_shell',
    description: 'Runs a command.',
    annotations: destructive,
    inputSchema: closed({ command: str, timeout_ms: { ...int, minimum: 0 }, background: bool }, ['command']),
    make: (r) => ({
      command: textOf(r, 'code', 'quoted', 'path', 'prose'),
      ...optional(r, 'timeout_ms', () => anyInteger(r, 0, 600_000)),
      ...optional(r, 'background', () => r.chance(0.5)),
    }),
  },
  {
    name: 'get_weather',
    description: 'The weather at a place.',
    annotations: readOnly,
    inputSchema: closed(
      { city: str, unit: enumOf('celsius', 'fahrenheit'), days: { ...int, minimum: 1, maximum: 14 } },
      ['city', 'unit'],
    ),
    make: (r) => ({
      city: textOf(r, 'word', 'phrase'),
      unit: r.pick(['celsius', 'fahrenheit']),
      ...optional(r, 'days', () => r.between(1, 14)),
    }),
  },
  {
    name: 'calculate_loan',
    description: 'The monthly payment of a loan.',
    inputSchema: closed(
      {
        principal: num,
        annual_rate: { ...num, minimum: 0, maximum: 100 },
        years: { ...int, minimum: 1, maximum: 50 },
        fixed: bool,
      },
      ['principal', 'annual_rate', 'years', 'fixed'],
    ),
    make: (r) => ({
      principal: anyNumber(r),
      annual_rate: r.between(0, 10_000) / 100,
      years: r.between(1, 50),
      fixed: r.chance(0.5),
    }),
  },
  {
    name: 'create_ticket',
    description: 'Opens a ticket.',
    inputSchema: closed(
      {
        title: { ...str, minLength: 1 },
        body: str,
        priority: enumOf('low', 'in_progress', 'Very High'),
        labels: listOf(str),
        story_points: { enum: [1, 2, 3, 5, 8] },
        assignee: { type: ['string', 'null'] },
      },
      ['title', 'body', 'priority', 'assignee'],
    ),
    make: (r) => ({
      title: textOf(r, 'prose', 'quoted', 'phrase'),
      body: anyText(r),
      priority: r.pick(['low', 'in_progress', 'Very High']),
      assignee: r.chance(0.3) ? null : textOf(r, 'word', 'phrase'),
      ...optional(r, 'labels', () => r.some(0, 3, () => anyText(r))),
      ...optional(r, 'story_points', () => r.pick([1, 2, 3, 5, 8])),
    }),
  },
  {
    name: 'search_code',
    description: 'Searches code by pattern.',
    annotations: readOnly,
    inputSchema: closed({ regex: str, globs: listOf(str), caseSensitive: bool, maxResults: { ...int, minimum: 1 } }, [
      'regex',
    ]),
    make: (r) => ({
      regex: textOf(r, 'regex', 'code', 'word'),
      ...optional(r, 'globs', () => r.some(0, 3, () => r.pick(['**/*.ts', 'src/{a,b}/*.js', '*.md', '!dist']))),
      ...optional(r, 'caseSensitive', () => r.chance(0.5)),
      ...optional(r, 'maxResults', () => r.between(1, 500)),
    }),
  },
  {
    name: 'sendEmail',
    description: 'Sends an email.',
    inputSchema: closed(
      { to: { ...listOf(str), minItems: 1 }, subject: str, bodyText: str, sendAt: { type: ['integer', 'null'] } },
      ['to', 'subject', 'bodyText'],
    ),
    make: (r) => ({
      to: r.some(1, 3, () => r.pick(['ada@example.com', "o'neil@example.org", 'x+y@example.net'])),
      subject: textOf(r, 'prose', 'quoted', 'emoji'),
      bodyText: anyText(r),
      ...optional(r, 'sendAt', () => (r.chance(0.4) ? null : anyInteger(r, 0, 2_000_000_000))),
    }),
  },
  {
    name: 'lookup_order',
    description: 'Finds an order by codes that are digits but text.',
    annotations: readOnly,
    inputSchema: closed({ order_id: str, zip: { ...str, pattern: '^\\d{5}$' }, version: str, phone: str }, [
      'order_id',
      'zip',
    ]),
    make: (r) => ({
      order_id: String(r.between(1, 1e9)),
      zip: String(r.between(10_000, 99_999)),
      ...optional(r, 'version', () => r.pick(['1.10', '2.0', '3', '1e3'])),
      ...optional(r, 'phone', () => String(r.between(1e9, 9e9))),
    }),
  },
  {
    name: 'list_events',
    description: 'Lists events; every parameter is optional.',
    annotations: readOnly,
    inputSchema: { type: 'object', properties: { after: str, tag: str, archived: bool, page: int } },
    make: (r) => ({
      ...optional(r, 'after', () => '2024-02-29'),
      ...optional(r, 'tag', () => textOf(r, 'word', 'looksTyped')),
      ...optional(r, 'archived', () => r.chance(0.5)),
      ...optional(r, 'page', () => anyInteger(r, 0, 50)),
    }),
  },
  {
    name: 'log_metric',
    description: 'An open object: extra keys are kept.',
    inputSchema: { type: 'object', properties: { metric_name: str, value: num }, required: ['metric_name', 'value'] },
    make: (r) => ({
      metric_name: textOf(r, 'word'),
      value: anyNumber(r),
      ...optional(r, 'zone', () => anyText(r), 0.3),
      ...optional(r, 'shard', () => ({ id: 7, tags: ['x'] }), 0.3),
    }),
  },
];
