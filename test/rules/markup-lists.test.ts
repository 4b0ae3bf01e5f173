/** Markup for a list of texts: an element may be an item or part of its text. */
import { expect, it } from 'vitest';
import { mend, Toolbox, tool } from '../../src/index.ts';

const inputSchema = {
  type: 'object',
  properties: { tags: { type: 'array', items: { type: 'string' } } },
  required: ['tags'],
} as const;
const toolbox = new Toolbox([tool({ name: 'label', description: 'Labels a page', inputSchema })]);
const given = (tags: string) => mend({ name: 'label', arguments: JSON.stringify({ tags }) }, toolbox);

it.each([
  '<strong>urgent</strong>',
  '<script>run()</script>',
  '<K>v</K>',
  '<p></p>',
  '<hr/>',
  '<pre>a &lt; b</pre>',
  '<ol><li>one</li></ol>',
])('is refused if it may be the text itself: %s', (text) => {
  expect(given(text).status).toBe('invalid');
});

it.each([
  ['<item>one</item>', ['one']],
  ['<tags><tag>one</tag></tags>', ['one']],
  ['<item>one</item><item>two</item>', ['one', 'two']],
  ['<tags><tag>one</tag><tag>two</tag></tags>', ['one', 'two']],
])('guard: is a list: %s', (text, tags) => {
  expect(given(text)).toMatchObject({ status: 'mended', input: { tags } });
});
