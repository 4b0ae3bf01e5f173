/** Arguments that are all expressions of types describe a tool. They are no values that it could run with. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type Effect, Toolbox } from '../../src/index.ts';
import { toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const boxOf = (effect: Effect) =>
  new Toolbox([
    toolWith('backup', { path: string, schedule: string }, effect),
    toolWith('notify', { message: string }, effect),
    toolWith('plan', { name: string, day: string, file: string }, effect),
    toolWith('add_column', { table: string, column_type: string }, effect),
  ]);
const ways = [{}, { prompted: true }, { dialect: 'generic-json' }, { dialect: 'hermes' }];

/** What runs in any way to read a text. */
const ran = (text: string, effect: Effect) =>
  ways.flatMap((options) =>
    [undefined, 3].flatMap((chunk) =>
      readCalls(text, boxOf(effect), { ...options, ...(chunk && { chunk }) }).calls.filter(
        ({ status }) => status !== 'invalid',
      ),
    ),
  );
const write = (name: string, given: object): string => JSON.stringify({ name, arguments: given });

const expressions = [
  'Optional[str]',
  'string | undefined',
  'str | Path',
  'str | None = None',
  'string or null',
  'Option<String>',
  'string (optional)',
  'string (required)',
  'optional string',
  'string, required',
  'nullable string',
  'string?',
  'java.lang.String',
  'System.String',
  'std::string',
  'VARCHAR(255)',
  'NVARCHAR(MAX)',
  'CHAR(36) NOT NULL',
  'Union[str, Path]',
  'datetime.date | str',
  'String!',
  '&str',
  'readonly string',
];

describe('arguments that are types', () => {
  it.each(expressions)('never run: %s', (type) => {
    for (const effect of ['read', 'write', 'destructive'] as const) {
      for (const other of ['str', 'string', 'TEXT', type])
        expect(ran(write('backup', { path: other, schedule: type }), effect)).toEqual([]);
    }
  });

  it.each(['"str | Path"', '"Optional[str]"', '"VARCHAR(255)"'])('never run as a single argument: %s', (type) => {
    expect(ran(`{"name": "notify", "arguments": {"message": ${type}}}`, 'write')).toEqual([]);
    expect(ran(`{"name": "notify", "arguments": {"message": ${type}}}`, 'destructive')).toEqual([]);
  });

  it('are text if no dialect is named', () => {
    const text = write('backup', { path: 'str', schedule: 'Optional[str]' });
    for (const options of [{}, { prompted: true }])
      expect(readCalls(text, boxOf('write'), options)).toMatchObject({ text, calls: [] });
  });

  it('never run with types of several kinds', () =>
    expect(ran(write('plan', { name: 'str', day: 'datetime.date | None', file: 'Optional[Path]' }), 'write')).toEqual(
      [],
    ));
});

describe('guard: values', () => {
  it.each([
    { path: 'text', schedule: 'list' },
    { path: 'date', schedule: 'time' },
    { path: 'str', schedule: 'daily' },
    { path: 'string.txt', schedule: 'daily (optional)' },
    { path: 'a|b', schedule: 'optional' },
    { path: 'note.text', schedule: 'date | time of day' },
    { path: 'list of strings', schedule: 'map' },
    { path: 'Optional', schedule: 'required' },
    { path: '/srv', schedule: 'Optional[str]' },
  ])('run beside others: %j', (given) => {
    const calls = ran(write('backup', given), 'write');
    expect(calls.map(({ input }) => input)).toEqual(Array.from({ length: 8 }, () => given));
  });

  it.each(['Optional[str]', 'java.lang.String', 'string | undefined'])(
    'run as the only one of a tool that reads: %s',
    (message) =>
      expect(ran(write('notify', { message }), 'read').map(({ input }) => input)).toContainEqual({ message }),
  );

  it.each(['A list (optional)', 'the string | the text', 'list of numbers', 'date, time', 'text'])(
    'run as the only one: %s',
    (message) =>
      expect(ran(write('notify', { message }), 'write').map(({ input }) => input)).toContainEqual({ message }),
  );

  it('run as the name of a type', () => {
    const given = { table: 'string', column_type: 'VARCHAR(255)' };
    expect(ran(write('add_column', given), 'write').map(({ input }) => input)).toContainEqual(given);
  });
});
