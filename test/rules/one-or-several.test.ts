/** Text for a list of texts: one item, or several that a careful reader separates. */
import { describe, expect, it } from 'vitest';
import { cpuOf } from '../cpu-of.ts';
import { mendWith } from './mend-with.ts';

const given = (text: string, type = 'string') =>
  mendWith({ type: 'object', properties: { items: { type: 'array', items: { type } } } }, { items: text });

/** The text, and its items. */
const several: readonly (readonly [string, readonly string[]])[] = [
  ...['→', '⇒', '➜', '⟷', '↔', '⬅', '->', '=>', '-->', '~>'].map(
    (sign) => [`Hamburg ${sign} Berlin`, ['Hamburg', 'Berlin']] as const,
  ),
  ...['∙', '●', '⋅', '▪', '¦', '‖', '┃', '∧', '⁄', '※', '＆', '＋', '／'].map(
    (sign) => [`Prelude ${sign} фуга`, ['Prelude', 'фуга']] as const,
  ),
  ['Hamburg→Berlin→Rom', ['Hamburg', 'Berlin', 'Rom']],
  ['12→14', ['12', '14']],
  ['東京＆大阪', ['東京', '大阪']],
  ['前奏曲\u3000フーガ', ['前奏曲', 'フーガ']],
  ['Prelude\u3000Fugue', ['Prelude', 'Fugue']],
  ['§§ 12 14', ['12', '14']],
  ['§§ 12a 14b', ['12a', '14b']],
];
describe('text that may be several items is refused with both readings', () => {
  it.each(several)('%j', (text, items) => {
    const { status, problems } = given(text);
    expect(status).toBe('invalid');
    expect(problems[0]?.suggestion).toBe(
      `Send ${JSON.stringify([text])} for one item or ${JSON.stringify(items)} for several`,
    );
  });
  it('suggests numbers for a list of numbers', () => {
    expect(given('§§ 12 14', 'integer')).toMatchObject({
      status: 'invalid',
      problems: [{ suggestion: 'Send [12,14]' }],
    });
    for (const text of ['12-14', '12/14', '12 sowie 14', '12 bis 14'])
      expect(given(text, 'integer').status).toBe('invalid');
  });
});

describe('guard: one item', () => {
  it.each([
    'New York',
    'Санкт-Петербург',
    'Нижний Новгород',
    '서울 특별시',
    '東京タワー',
    '村上 春樹',
    'José García',
    'Nguyễn Văn An',
    'BRCA1/BRCA2',
    'src/app.ts',
    'I/O',
    'AT&T',
    'R&D',
    'Q&A',
    'C++',
    'C#',
    'A+',
    'x^2',
    '#bug',
    'a=b',
    'x > 5',
    'x <= 5',
    '→',
    '↑',
    '→ Berlin',
    '50 %',
    '§ 12',
    '5 €',
    '20 °C',
    '3 × 4 cm',
    'Дом № 5',
    'Toys™ Shop',
    'New York 🗽',
    'Cats 🐱 Dogs',
    'Hamlet — Prince of Denmark',
    'Foo - Bar',
    'wait … what',
    '10:30',
    'fix: typo',
    'dit « bonjour » fort',
    '~/notes',
  ])('%j', (text) => {
    expect(given(text)).toMatchObject({ status: 'mended', input: { items: [text] } });
  });
});

it('F7 takes linear time', () => {
  for (const piece of [' ', 'a ', '- ', 'a ∙', '= ', '東', '→'])
    expect(cpuOf(() => given(`a${piece.repeat(200_000)}b`))).toBeLessThan(2000);
});
