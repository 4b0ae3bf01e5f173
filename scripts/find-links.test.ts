import { expect, it } from 'vitest';
import { findLinks } from './find-links.ts';

it('finds links of every form and leaves out what leads elsewhere', () => {
  const page = [
    '[a](docs/a.md) ![b](<b.png> "title") [c](#here) [d](https://example.com/x) [e](mailto:x@example.com)',
    '[f]: ../f.md',
    '<img src="g.svg"> <a href="https://example.com">h</a>',
  ];
  const { targets, outside } = findLinks(page.join('\n'));
  expect(targets).toEqual(['docs/a.md', 'b.png', '#here', '../f.md', 'g.svg']);
  expect(outside).toEqual(['https://example.com/x', 'mailto:x@example.com', 'https://example.com']);
});

it('finds an image that is a link, and an address in brackets', () => {
  const { targets, outside } = findLinks('[![a](a.svg)](b.md) <https://example.com/y>');
  expect([targets, outside]).toEqual([['a.svg', 'b.md'], ['https://example.com/y']]);
});

it('finds names that no line defines, and images without words', () => {
  const { undefined: names, wordless } = findLinks('[a][b] [c][D]\n\n[d]: e.md\n\n![](f.png) ![g](h.png)');
  expect([names, wordless]).toEqual([['b'], ['f.png']]);
});

it('takes no link out of code', () => {
  expect(findLinks('`[a](b.md)`\n```md\n[c](d.md)\n```\n').targets).toEqual([]);
});

it('names headings as GitHub does, and numbers those that repeat', () => {
  expect(
    findLinks('# What `mend()` does, and why\n## A_b — c\n```sh\n# no heading\n```\n## Same\n## Same 2\n## Same')
      .anchors,
  ).toEqual(['what-mend-does-and-why', 'a_b--c', 'same', 'same-2', 'same-1']);
});
