/** Markup for a list: an element may be an item or part of its text. */
import { describe, expect, it } from 'vitest';
import { type Effect, mend, Toolbox, tool } from '../../src/index.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, open, string } from './mend-with.ts';

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

describe('a list of objects that was XML', () => {
  const edit = { oldText: 'a', newText: 'b' };
  const item = closed({ oldText: string, newText: string }, ['oldText', 'newText']);
  const call = (edits: unknown, items: JsonSchema = item, effect: Effect = 'write') => {
    const inputSchema = closed({ edits: { type: 'array', items } }, ['edits']);
    const tools = [tool({ name: 'edit', description: 'Edits', effect, inputSchema })];
    return mend({ name: 'edit', arguments: JSON.stringify({ edits }) }, tools);
  };

  it.each([{ edits: [{ item: edit }] }, { edits: [{ item: edit }, { item: { ...edit, newText: 'c' } }] }])(
    '%j loses its elements, inferred',
    ({ edits }) => {
      expect(call(edits)).toMatchObject({ status: 'mended', input: { edits: edits.map((one) => one.item) } });
      expect(call(edits, item, 'destructive').status).toBe('invalid');
    },
  );

  it.each(
    [
      [{ item: edit }, edit],
      [{ items: edit }],
      [{ remove: edit }],
      [{ item: edit, n: 1 }],
      [{ item: [edit] }],
      [{ item: { ...edit, x: 1 } }],
      [{ item: { item: edit } }],
      [{ item: 'x' }],
    ].map((edits) => ({ edits })),
  )('guard: %j is none', ({ edits }) => expect(call(edits).status).toBe('invalid'));

  it('guard: a declared key stays, and so does what is valid', () => {
    const owned = open({ item: open({}), oldText: string });
    expect(call([{ item: edit }], owned)).toMatchObject({ status: 'ok', input: { edits: [{ item: edit }] } });
    const needed = open({ item: open({}), oldText: string }, ['oldText']);
    expect(call([{ item: edit }], needed).status).toBe('invalid');
    expect(call([{ item: edit }], open({ oldText: string }))).toMatchObject({ status: 'ok' });
  });
});
