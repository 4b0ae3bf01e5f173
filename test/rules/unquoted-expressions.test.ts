/** Expressions without quotes have a value that only a program knows. Words that read like operators are text. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, open, string, strings } from './mend-with.ts';

const any: JsonSchema = { type: ['string', 'number', 'boolean', 'null', 'array', 'object'] };
const setting = open({ key: string, value: any });
const file = closed({ path: string, tags: strings });

const expressions: Readonly<Record<string, readonly string[]>> = {
  'powers and products': ['2 ** 10', '2**10', 'x ** y', 'base**2'],
  'signs before brackets': ['-(-3)', '-(x)', '-(5)', '!(a)', '~(x)'],
  'operators before a name': ['*args', '**kw', '&x', '~x', '~5', '~5.5', '!!x', '++i', '+x', '+user.id'],
  'operators between numbers': ['2 & 1', '6|1', '2^3', '5&3'],
  'differences and quotients': ['x - 1', 'width / 2', 'len - 10'],
  'sums with a number': ['x+1', 'count+10'],
  conditions: ['a?b:c', 'ok?1:0', 'x?.y', 'user?.name', 'a?.[0]'],
  assignments: ['x := 5', 'x **= 2', 'x ^= 1'],
  'words with literals': [
    'not True',
    'not None',
    'True or False',
    'None or 5',
    'True and x',
    'x and True',
    'a or None',
    'x is None',
    'x is not None',
    'None is x',
    'name or None',
    'True is not x',
  ],
  'words that only programs write so': [
    'void 0',
    'typeof x',
    'await f',
    'await result',
    'new Date',
    'new Map',
    'x instanceof Y',
    'x in [1]',
    'x not in (a)',
  ],
  comprehensions: ['x for x in y', 'x.name for x in users', 'i for i in items if i'],
};

describe.each(Object.entries(expressions))('expressions without quotes are refused: %s', (_, rows) => {
  it.each(rows)('%s', (word) => {
    expect(mendWith(setting, `{"key": "k", "value": ${word}}`)).toMatchObject({ status: 'invalid' });
    expect(mendWith(setting, `{"value": ${word}, "key": "k"}`).status).toBe('invalid');
    expect(mendWith(file, `{"path": "a", "tags": ["b", ${word}]}`).status).toBe('invalid');
    expect(mendWith(file, `{path: ${word}}`).status).toBe('invalid');
  });
});

it.each(['[x for x in y]', '[x.id for x in rows]', '[*a]', '[**a]', '[1, *rest]', '[2 ** 3, 4]'])(
  'a list of them is no list of text: %s',
  (list) => expect(mendWith(setting, `{"key": "k", "value": ${list}}`).status).toBe('invalid'),
);

it('lines of keys follow the same rule', () => {
  for (const word of ['2 ** 10', 'not True', 'new Date', '*args'])
    expect(mendWith(closed({ key: string, value: string }), `key: k\nvalue: ${word}`).status).toBe('invalid');
});

describe('guard: what was refused before still is', () => {
  it.each([
    '2 * 10',
    'a ? b : c',
    'lambda x: x',
    'x if y else z',
    '1 << 3',
    '...rest',
    '5 // 2',
    'x += 1',
    '!done',
    '[...a]',
    '{...a}',
    '{**a}',
    '{x for x in y}',
    '{k: v for k, v in d}',
    'a ?? b',
    'a || b',
    'a && b',
    'x == y',
    '(a)**2',
    'x // 2',
    'x //= 2',
    'x != y',
    'x => y',
    'f(x)',
    'x[0]',
    'x = 5',
    '5 * stars',
    '10 - 3',
    '10 / 2',
    '7 % 2',
    'C++',
  ])('%s', (word) => expect(mendWith(setting, `{"key": "k", "value": ${word}}`).status).toBe('invalid'));
});

describe('guard: words that only look like expressions are text', () => {
  it.each([
    'x in y',
    'salt and pepper',
    'not found',
    'not x',
    'new york',
    'New York',
    'new',
    'await',
    'typeof',
    'void',
    'void where prohibited',
    'await further instructions',
    'delete old files',
    'yield curve',
    'not a number',
    'true or false',
    'yes or no',
    'not null',
    'is null',
    'null and void',
    'false alarm',
    'None of them',
    'True story',
    'Do or die',
    '5 or 6',
    '2 in 1',
    '3 or more',
    '10 and 20',
    'search for x in y',
    'look for files in src',
    'new files in src',
    'one for all',
    'if x then y',
    'rock & roll',
    'R&D',
    'AT&T',
    'Q&A',
    '&amp;',
    'x|y',
    'C#',
    'a->b',
    'x^2',
    'HEAD^',
    'HEAD~1',
    '*.ts',
    '**/*.ts',
    'src/**/*.ts',
    '*bold*',
    '**bold**',
    'very **bold** text',
    '* item',
    '- item',
    '*',
    '~/dir',
    '~user/docs',
    '~5 km',
    '~',
    '50%',
    '50% off',
    '50%-60%',
    'who?',
    'Is it? Yes',
    'n!',
    '!',
    'UTC+2',
    'GMT+10',
    'N+1 queries',
    '+49 30 1234',
    'Call +49 30 1234',
    '+(49) 30',
    'me+1@example.com',
    'hello // greeting',
    'Part 1 - Intro',
    'a - b',
    'read / write',
  ])('%s', (value) => {
    expect(mendWith(setting, `{"key": "k", "value": ${value}}`)).toMatchObject({ status: 'mended', input: { value } });
  });

  it.each(['a..b', 'main..dev', 'v1...v2', '../x', '10-3', '10/2', '1/2', '--i', '2020-01-01', 'and/or', '7//2'])(
    'letters, digits and . / - are sure: %s',
    (value) => {
      const outcome = mendWith(setting, `{"key": "k", "value": ${value}}`);
      expect(outcome).toMatchObject({ status: 'mended', input: { value }, repairs: [{ certainty: 'lossless' }] });
    },
  );

  it('in quotes they are text', () => {
    for (const value of Object.values(expressions).flat())
      expect(mendWith(setting, JSON.stringify({ key: 'k', value })).status).toBe('ok');
  });
});
