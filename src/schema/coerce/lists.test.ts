import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { readXmlList } from './lists.ts';

const read = (text: string, ...keys: string[]) => readXmlList(text, (name) => keys.includes(name));

describe('S2.4 readXmlList', () => {
  it.each<[string, unknown]>([
    ['<item>a</item><item>b</item>', ['a', 'b']],
    ['<files><file>a</file><file>b</file></files>', ['a', 'b']],
    ['<item>a</item>', ['a']],
    [' <item>a</item>\n  <item> b </item> ', ['a', ' b ']],
    ['<item>a &lt;b&gt; &amp; &#65;&#x42;</item>', ['a <b> & AB']],
    ['<item><![CDATA[<raw> & ]]></item>', ['<raw> & ']],
    ['<item/><item></item>', ['', '']],
    ['<item>&unknown;</item>', ['&unknown;']],
  ])('reads %s', (text, list) => expect(read(text)).toEqual(list));

  it('reads items with fields, alone too, where the names are fields of an item', () => {
    const edit = '<edit><path>a</path><find>b</find></edit>';
    expect(read(`<edits>${edit}${edit}</edits>`, 'path', 'find')).toEqual(Array(2).fill({ path: 'a', find: 'b' }));
    expect(read(edit, 'path', 'find')).toEqual([{ path: 'a', find: 'b' }]);
  });

  it('reads a name that repeats in an item as a list', () => {
    expect(read('<e><tag>a</tag><tag>b</tag><tag>c</tag></e>', 'tag')).toEqual([{ tag: ['a', 'b', 'c'] }]);
  });

  it.each([
    'no elements',
    '<item>a',
    '<item>a</other>',
    '</item>',
    '<item>a</item> and more',
    'first <item>a</item>',
    '<item>a</item><other>b</other>',
    '<item>text <b>bold</b></item>',
    '<e><__proto__>x</__proto__></e>',
    '<i>'.repeat(1000) + '</i>'.repeat(1000),
  ])('reads nothing out of what is no list: %s', (text) => {
    expect(read(text, '__proto__', 'b')).toBeUndefined();
  });

  it('F7 takes linear time', () => {
    for (const text of ['<a>'.repeat(200_000), `<a>${'&lt;'.repeat(200_000)}</a>`, '<a>x</a>'.repeat(50_000)])
      expect(cpuOf(() => read(text))).toBeLessThan(1000);
  });
});
