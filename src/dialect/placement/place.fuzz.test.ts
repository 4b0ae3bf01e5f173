import { expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../test/damage/random.ts';
import { newPlace, passText } from './place.ts';

const pieces = [
  ...['<div>', '</div>', '<b>', '<h2>', '<a href="x">', '<br/>', '<', '>', '<!', '!--', '--', '<!-- x -->'],
  ...['<tool_response>', '</tool_response>', '<results>', '</results>', '<tools>', '</tools>', '<|im_start|>'],
  ...['word', 'longer words here ', 'a b c d ', 'x'.repeat(50), 'END', 'user: ', 'Answer: ', ' ', '  ', '\t', '\n'],
  ...['```', '~~~', '`', '"', "'", "it's ", '’', '“', '”', '?', ' (a) ', '[x]', ':[', '{', '}', '\\', 'é', '.', ','],
  ...['- ', '> ', '    '],
];

it('guard: words and tags tracked all at once leave the state that their characters leave', () => {
  const sections = new Map([
    ['tools', '/tools'],
    ['|im_start|', ''],
    ['b', '-'],
  ]);
  for (let at = 0; at < 3000; at++) {
    const random = randomFrom(seedOf('place', 1, at));
    const text = Array.from({ length: random.between(1, 14) }, () => random.pick(pieces)).join('');
    const [whole, single] = [newPlace(sections), newPlace(sections)];
    passText(whole, text);
    for (const char of text.split('')) passText(single, char);
    expect(whole, JSON.stringify(text)).toEqual(single);
  }
});
