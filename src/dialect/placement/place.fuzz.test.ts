import { expect, it } from 'vitest';
import { randomFrom, seedOf } from '../../../test/damage/random.ts';
import { newPlace } from './place.ts';
import { passText } from './track-text.ts';

const pieces = [
  ...['<div>', '</div>', '<b>', '<h2>', '<a href="x">', '<br/>', '<', '>', '<!', '!--', '--', '<!-- x -->'],
  ...['<tool_response>', '</tool_response>', '<results>', '</results>', '<tools>', '</tools>', '<|im_start|>'],
  ...['word', 'longer words here ', 'a b c d ', 'x'.repeat(50), 'END', 'user: ', 'Answer: ', ' ', '  ', '\t', '\n'],
  ...['```', '~~~', '`', '"', "'", "it's ", '’', '“', '”', '?', ' (a) ', '[x]', ':[', '{', '}', '\\', 'é', '.', ','],
  ...[
    '- ',
    '> ',
    '1. > ',
    '    ',
    ':-(',
    ';(',
    '=[',
    '(',
    ')',
    '‘',
    '？',
    '中文',
    '\u00a0',
    '\u3000',
    '\r\n',
    '\n',
    '\n',
  ],
  ...['<a class="b c-" id="1">', '<p id="c1" class="a b/c">', '<t a=""', '<x y="(">', '<A HREF="q">', '<?xml v="1">'],
  ...['<a href="/f?id=4">', '<a href="/faq/and/more/of/that?id=4&x=yyy">', `<b c="${'v'.repeat(70)}">`],
  ...[`<b${' cc="dd"'.repeat(6)}>`, `<b ${'cc="dd" '.repeat(5)}>`, '<tool_call>', '</tool_call>', '<function=a>'],
  ...[
    '[TOOL_CALLS]',
    '```json',
    '{"name": "x"',
    '<think>',
    '</think>',
    '<|inner_prefix|>',
    '[code]',
    '[/code]',
    '{code}',
  ],
  ...['\\begin{verbatim}', '\\end{verbatim}', '/*', '*/', '{-', '(*', '--[[', ']]', '<#', '=begin', '#if 0', '#endif'],
  ...['<<EOF', 'EOF', '#+begin_src', '-- begin x --', '-- 8< --', ':::note', ':::', '$$', 'BEGIN LOG', 'END LOG'],
  ...[
    '<!BEGIN LOG',
    '----',
    '====',
    '..',
    '.. code::',
    '::',
    'Human: ',
    'Final Answer:',
    '** Answer:',
    '|',
    '＞',
    '\x01',
  ],
];

it('guard: words and tags tracked all at once, or in chunks, leave the state that their characters leave', () => {
  const sections = new Map([
    ['tools', '/tools'],
    ['|im_start|', ''],
    ['b', '-'],
    ['tool_call', '/tool_call'],
  ]);
  for (let at = 0; at < 3000; at++) {
    const random = randomFrom(seedOf('place', 1, at));
    const text = Array.from({ length: random.between(1, 14) }, () => random.pick(pieces)).join('');
    const [whole, chunked, single] = [newPlace(sections), newPlace(sections), newPlace(sections)];
    passText(whole, text);
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + random.between(1, 9);
      passText(chunked, text.slice(from, to));
    }
    for (const char of text.split('')) passText(single, char);
    expect(whole, JSON.stringify(text)).toEqual(single);
    expect(chunked, JSON.stringify(text)).toEqual(single);
  }
});
