import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string, strings } from './mend-with.ts';

const edits = { type: 'array', items: closed({ old: string, new: string }) } as const;
const fields = closed({
  path: string,
  content: string,
  n: integer,
  list: strings,
  edits,
  meta: { type: 'object', properties: { k: string, n: integer } },
});

/** Texts in which a sign may belong to text whose quotes are missing, by sign. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'a semicolon before a closing bracket': [
    `{"path": "a.js", "content": 'use strict';}`,
    '{"path": "a.js", "content": "use strict";}',
    `{"path": "a.js", "content": 'use strict' ; \n}`,
    `{"path": "a.js", "content": 'use strict'; // done\n}`,
    `{'path': 'a.js', 'content': 'use strict'；}`,
    `{path: a.js, content: 'use client';}`,
    `{"edits": [{"old": "b", "new": 'use strict';}]}`,
    `{"edits": [{"old": "b", "new": "done";}], "path": "x"}`,
    '{"list": ["a"; "b";]}',
    '{"list": ["a", "b"];}',
    '{"path": "x", "content": 5;}',
  ],
  'a bracket before a string, without its counterpart': [
    '{"path": "x", "content": ["URGENT] Server down"}',
    '{"content": ["URGENT] Server down", "path": "x"}',
    '{"content": ("a) b", "path": "x"}',
    `{'content': ['URGENT] Server down', 'path': 'x'}`,
    '{"edits": [{"old": ["a] b", "new": "c"}]}',
  ],
  'two quotes in a row inside a string': [
    '{"list": ["[ERROR]""[WARN]"]}',
    '{"list": ["/etc/a/""/etc/b/", "c"]}',
    '{"list": ["「はい」""「いいえ」"]}',
    '{"list": ["(a)" "(b)" ""(c)"]}',
    '{"path": "x", "content": "say ""(hi)"" now"}',
    '{"content": "a.b.""c", "path": "x"}',
  ],
  'a semicolon before a comma': [
    `{"content": 'use strict';, "path": "a.js"}`,
    '{"content": "use strict";, "path": "a.js"}',
    '{"content": "done";; "path": "a.js"}',
  ],
  'a bracket after a string in other quotes': [
    `{"path": "x", "content": 'b']}`,
    `{"path": "x", "content": 'b' ]\n}`,
    '{"path": "x", "content": `b`]}',
    `{path: x.js, content: 'b']}`,
    `{"meta": {"k": 'b']}}`,
  ],
  'a bracket after a string and before a separator': [
    `{"path": "x", "content": 'a'];}`,
    '{"path": "x", "content": "a"];}',
    `{"path": "x", "content": '*.log'],\n}`,
    '{"path": "x", "content": "*.log"],\n}',
    `{"content": 'b'], "path": "x"}`,
    '{"content": "b"], "path": "x"}',
    '{"content": "b"]; "path": "x"}',
    '{"content": "b"] "path": "x"}',
  ],
  'a bracket that closes text without quotes, or what is around it': [
    '{"path": "x", "edits": [{"old": "a", "new": class A {}]}',
    '{"path": "x", "edits": [{"old": "a", "new": sub get_value {}], "n": 5}',
    '{"n": 5, "meta": {"k": else {}}',
    '{"n": 5, "meta": {"k": class A { x }}',
    '{"list": [int x [], "n": 5}',
  ],
};

/** Texts with one reading. */
const kept: readonly (readonly [string, unknown])[] = [
  ['{"path": "a.js"; "n": 5}', { path: 'a.js', n: 5 }],
  ['{"path": "a.js"; "content": "use strict";}', { path: 'a.js', content: 'use strict' }],
  [`{'path': 'a.js'; 'content': 'b'}`, { path: 'a.js', content: 'b' }],
  ['{"list": ["a"; "b"]}', { list: ['a', 'b'] }],
  ['{"path": "x", "content": "b"};', { path: 'x', content: 'b' }],
  ['{"path": "x", "content": "b",}', { path: 'x', content: 'b' }],
  ['{"path": "x", "content": "b"]}', { path: 'x', content: 'b' }],
  [`{'path': 'x', 'content': 'b']}`, { path: 'x', content: 'b' }],
  [`{path: 'x', content: 'b']}`, { path: 'x', content: 'b' }],
  ['{"path": "x", "content": "b"}}', { path: 'x', content: 'b' }],
  ['{"list": ["a", "b"]], "path": "x"}', { list: ['a', 'b'], path: 'x' }],
  [
    '{"path": "x", "edits": [{"old": "a", "new": class A {}}]}',
    { path: 'x', edits: [{ old: 'a', new: 'class A {}' }] },
  ],
  ['{"n": 5, "meta": {"k": "else {}"}', { n: 5, meta: { k: 'else {}' } }],
];

describe('Signs after strings that may belong to text without quotes', () => {
  for (const [sign, texts] of Object.entries(refused))
    it.each(texts)(`${sign}: %j`, (text) => {
      expect(mendWith(fields, text)).toMatchObject({ status: 'invalid' });
      expect(mendWith(fields, text, { effect: 'destructive' })).toMatchObject({ status: 'invalid' });
    });
});

/** Texts that were refused before for another reason. */
const alsoRefused = [
  '{"meta": {"k": else {}, "n": 5}',
  '{"path": "x", "content": class A {}',
  `{"content": "use strict";${' '.repeat(600)}}`,
  `{"content": "b"]${' '.repeat(600)}, "path": "x"}`,
];

describe('guard: Signs after strings', () => {
  it.each(alsoRefused)('refuses %j', (text) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'invalid' });
  });

  it.each(kept)('%j', (text, input) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input });
  });
});
