/** Members of enums: words that may be several members, signs that tell members apart, and words between items. */
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, strings } from './mend-with.ts';

const words = (...members: string[]): JsonSchema => ({ type: 'string', enum: members });
const lists = (members: readonly string[]): Readonly<Record<string, JsonSchema>> => ({
  'a list of an enum': { type: 'array', items: words(...members) },
  'a list of constants': { type: 'array', items: { anyOf: members.map((member) => ({ const: member })) } },
  'a list of an enum, or null': { type: ['array', 'null'], items: words(...members) },
  'a member or a list of them': { anyOf: [words(...members), { type: 'array', items: words(...members) }] },
});

const scopes = ['read', 'write', 'read_write'];

describe('words that may be one member or several are refused in a list', () => {
  it.each<[members: string[], text: string]>([
    [scopes, 'read write'],
    [scopes, 'Read Write'],
    [scopes, 'read  write'],
    [['soft', 'delete', 'soft_delete'], 'soft delete'],
    [['mon', 'tue', 'mon-tue'], 'mon tue'],
    [['a', 'b', 'ab'], 'a b'],
    [['a', 'b', 'ab'], 'a-b'],
    [['new', 'york', 'new york'], 'new york'],
    [['a', 'b', 'c', 'a_b_c'], 'a b c'],
  ])('of %j: %j', (members, text) => {
    for (const [name, v] of Object.entries(lists(members))) {
      const texts = [`{"v": "${text}"}`, `{'v': '${text}'}`, `v: ${text}`, `{"v": "${text}",}`];
      // A text that is a member is valid where a member alone is allowed.
      const isMember = members.includes(text) && name.startsWith('a member');
      for (const args of isMember ? [] : texts)
        expect(mendWith(closed({ v }), args).status, `${name}: ${args}`).toBe('invalid');
    }
  });
  it.each([
    [scopes, '["read write"]'],
    [scopes, '[read write]'],
    [scopes, '["read_write", "Read Write"]'],
    [['mon', 'tue', 'mon-tue'], '["mon tue"]'],
    [['a', 'b', 'ab'], '[a b]'],
  ])('of %j: %s', (members, list) => {
    for (const v of Object.values(lists(members)))
      expect(mendWith(closed({ v }), `{"v": ${list}}`).status).toBe('invalid');
  });
  it('suggests both readings', () => {
    const [problem] = mendWith(closed({ v: { type: 'array', items: words(...scopes) } }), { v: 'read write' }).problems;
    expect(problem).toMatchObject({
      path: ['v'],
      code: 'ambiguous',
      suggestion: 'Send ["read_write"] or ["read","write"]',
    });
  });
});

describe('guard: words that are one member', () => {
  it.each<[members: string[], given: unknown, member: string]>([
    [scopes, 'readwrite', 'read_write'],
    [scopes, 'READ_WRITE', 'read_write'],
    [scopes, ['read-write'], 'read_write'],
    [['mon', 'tue', 'mon-tue'], 'Mon-Tue', 'mon-tue'],
    [['read_only', 'read_write'], 'read only', 'read_only'],
    [['read', 'read_only'], 'read only', 'read_only'],
    [['new', 'york', 'new york'], ['New York'], 'new york'],
  ])('of %j: %j', (members, given, member) => {
    const schema = closed({ v: { type: 'array', items: words(...members) } });
    expect(mendWith(schema, { v: given })).toMatchObject({ status: 'mended', input: { v: [member] } });
  });
  it('where no list is allowed, and where any text is', () => {
    expect(mendWith(closed({ v: words(...scopes) }), { v: 'read write' }).input).toEqual({ v: 'read_write' });
    expect(mendWith(closed({ v: strings }), { v: 'read write' }).input).toEqual({ v: ['read write'] });
  });
});

describe('a sign before a digit tells members apart', () => {
  const signed: readonly (readonly [members: string[], texts: string[]])[] = [
    [
      ['UTC-5', 'UTC+5'],
      ['UTC 5', 'utc5', 'UTC_5'],
    ],
    [
      ['UTC-5', 'UTC+3'],
      ['UTC 5', 'utc5'],
    ],
    [
      ['GMT-3', 'GMT+3', 'GMT'],
      ['GMT3', 'gmt 3', 'GMT_3'],
    ],
    [['x-10', 'x+10'], ['X10']],
    [
      ['T-1', 'T+1', 'T'],
      ['T1', 't 1'],
    ],
    [['dB-3', 'dB+3'], ['db 3']],
    [['c-1', 'c/1'], ['C1']],
    [['p-0.05', 'p<0.05'], ['p 0.05']],
  ];
  for (const [members, texts] of signed)
    it.each(texts)(`of ${JSON.stringify(members)}, %j is none`, (text) => {
      expect(mendWith(closed({ v: words(...members) }), { v: text }).status).toBe('invalid');
    });
  it('guard: of ["-1h","+1h"], "1h" is none', () => {
    expect(mendWith(closed({ v: words('-1h', '+1h') }), { v: '1h' }).status).toBe('invalid');
  });
  it.each<[members: string[], text: string, member: string]>([
    [['UTC-5', 'UTC+5'], 'utc-5', 'UTC-5'],
    [['UTC-5', 'UTC+5'], 'UTC +5', 'UTC+5'],
    [['UTC-5', 'UTC+5'], 'UTC -5', 'UTC-5'],
    [['utf-8', 'utf-16'], 'UTF8', 'utf-8'],
    [['gpt-4', 'gpt-4o'], 'GPT 4', 'gpt-4'],
    [['gpt-4', 'gpt-4o'], 'gpt_4o', 'gpt-4o'],
    [['read-only', 'x+1'], 'read_only', 'read-only'],
  ])('guard: of %j, %j is %j', (members, text, member) => {
    expect(mendWith(closed({ v: words(...members) }), { v: text })).toMatchObject({ input: { v: member } });
  });
});

describe('text with a word for "and" is no list of one', () => {
  it.each([
    'Berlin und Hamburg',
    'Berlin oder Hamburg',
    'Ana y Luis',
    'Paris et Lyon',
    'Roma e Milano',
    'Москва и Казань',
    'Gent en Brugge',
    'Kraków i Gdańsk',
    '北京和上海',
    '東京と大阪',
    'りんご・みかん',
    'a AND b',
  ])('%s', (text) => {
    const { status, problems } = mendWith(closed({ v: strings }), { v: text });
    expect(status).toBe('invalid');
    expect(problems[0]?.suggestion).toMatch(/^Send \[".*"\] for one item or \[".*",".*"\] for several$/);
  });
  it.each(['Sandy', 'Rio de Janeiro', 'What I want', 'Andorra', 'étude', 'Emil'])('guard: %s', (text) => {
    expect(mendWith(closed({ v: strings }), { v: text })).toMatchObject({ status: 'mended', input: { v: [text] } });
  });
});
