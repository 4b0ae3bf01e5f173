/** Where tags are keys: one that the tool does not declare is a key of its own, and never a part of the value before it. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more }) as never;
const toolbox = new Toolbox([
  tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema: object({ path: text }) }),
  tool({ name: 'write_file', description: 'Writes', inputSchema: object({ path: text, content: text }) }),
  tool({
    name: 'update',
    description: 'Writes',
    inputSchema: object({ id: { type: 'integer' }, text }, { required: ['id', 'text'] }),
  }),
  tool({ name: 'note', description: 'Notes', inputSchema: object({ text }, { required: ['text'] }) }),
  tool({ name: 'strict', description: 'Reads', inputSchema: object({ path: text }, { additionalProperties: false }) }),
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema: object({ path: text }) }),
]);

const mark = ']<]minimax[>[';
type Pairs = readonly (readonly [key: string, value: string])[];
const rows: Readonly<Record<string, (name: string, pairs: Pairs) => string>> = {
  'cline-xml': (name, pairs) =>
    `<${name}>\n${pairs.map(([key, value]) => `<${key}>${value}</${key}>\n`).join('')}</${name}>`,
  'minimax-m3': (name, pairs) =>
    `${mark}<tool_call>${mark}<invoke name="${name}">${pairs.map(([key, value]) => `${mark}<${key}>${value}${mark}</${key}>`).join('')}${mark}</invoke>${mark}</tool_call>`,
  'anthropic-xml-legacy': (name, pairs) =>
    `<function_calls>\n<invoke>\n<tool_name>${name}</tool_name>\n<parameters>\n${pairs.map(([key, value]) => `<${key}>${value}</${key}>\n`).join('')}</parameters>\n</invoke>\n</function_calls>`,
};
const each = Object.entries(rows).map(([dialect, write]) => ({ dialect, write }));
const kept: readonly (readonly [name: string, pairs: Pairs])[] = [
  [
    'read_file',
    [
      ['path', 'src/a.ts'],
      ['start_line', '10'],
    ],
  ],
  [
    'read_file',
    [
      ['path', 'src/a.ts'],
      ['start_line', '10'],
      ['end_line', '20'],
    ],
  ],
  [
    'write_file',
    [
      ['path', 'a.md'],
      ['content', 'Buy milk.'],
      ['line_count', '1'],
    ],
  ],
  [
    'write_file',
    [
      ['path', 'a.md'],
      ['encoding', 'utf-8'],
      ['content', 'Buy <b>milk</b>.'],
    ],
  ],
];

describe.each(each)('an undeclared key, in $dialect', ({ dialect, write }) => {
  it.each(kept)('of %s: %j', (name, pairs) => {
    for (const chunk of [undefined, 1, 5]) {
      const { calls } = readCalls(write(name, pairs), toolbox, { dialect, ...(chunk && { chunk }) });
      expect(calls.map(({ input, status }) => [input, status])).toEqual([[Object.fromEntries(pairs), 'mended']]);
    }
  });

  it('is dropped for a tool that accepts no others', () => {
    const { calls } = readCalls(
      write('strict', [
        ['path', 'a'],
        ['owner', 'me'],
      ]),
      toolbox,
      { dialect },
    );
    expect(calls.map(({ status, input }) => [status, input])).toEqual([['mended', { path: 'a' }]]);
  });

  it('stops a destructive tool, with the right reason', () => {
    const { calls } = readCalls(
      write('delete_file', [
        ['path', 'a.txt'],
        ['dry_run', 'true'],
      ]),
      toolbox,
      { dialect },
    );
    expect(calls.map(({ status, problems }) => [status, problems[0]?.message])).toEqual([
      ['invalid', expect.stringContaining("'dry_run' is not known")],
    ]);
  });

  it('guard: is not inferred from declared keys', () => {
    const { calls } = readCalls(write('delete_file', [['path', 'a.txt']]), toolbox, { dialect });
    expect(calls.map(({ status, input }) => [status, input])).toEqual([['ok', { path: 'a.txt' }]]);
  });
});

describe('other markup named after a tool', () => {
  it.each([
    '<update>\n  <id>4</id>\n  <text>First release.</text>\n  <author>Kim</author>\n  <date>2026-01-02</date>\n</update>',
    '<update>\n  <id>4</id>\n  <text>See <b>chapter 2</b>.</text>\n  <lang>en</lang>\n</update>',
    '<note>\n  <to>Tove</to>\n  <from>Jani</from>\n  <body>Don’t forget me!</body>\n</note>',
    '<note><b>Remember:</b> milk, eggs, flour</note>',
    '<note><to>Tove</to><from>Jani</from></note>',
  ])('%j', (written) => {
    for (const options of [{}, { chunk: 3 }, { dialect: 'cline-xml' }, { dialect: 'cline-xml', chunk: 3 }]) {
      const { text, calls } = readCalls(written, toolbox, options);
      expect([text, calls]).toEqual([written, []]);
    }
  });

  it.each(kept)('without a named dialect, one undeclared key is enough: %s %j', (name, pairs) => {
    const written = (rows['cline-xml'] as (typeof rows)[string])(name, pairs);
    const { text, calls } = readCalls(written, toolbox);
    expect([text, calls]).toEqual([written, []]);
  });
});

describe('an element with the name of a tool that holds other markup or text', () => {
  const search = new Toolbox([
    tool({
      name: 'search',
      description: 'Searches',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
    }),
  ]);
  it.each([
    '<search>\n  <input type="search" name="query">\n</search>',
    '<search>\n  <hit id="1">Ann</hit>\n  <hit id="2">Bob</hit>\n</search>',
    '<search>2026-05-01T10:00:00Z</search>',
    '<search>\n  SELECT id FROM users WHERE name = #{name}\n</search>',
  ])('stays text if no dialect is named: %j', (text) => {
    for (const chunk of [undefined, 1, 7])
      expect(readCalls(text, search, chunk === undefined ? {} : { chunk })).toMatchObject({ calls: [], text });
  });

  it.each([
    '<search>\n  <form action="search.php">\n    <input type="search" name="q">\n  </form>\n</search>',
    '<search>\n  <hit id="1">Ann</hit>\n  <hit id="2">Bob</hit>\n</search>',
    '<search>\n  <span class="clock">10:00</span>\n</search>',
    '<search><form role="search"><input name="q"></form></search>',
    "<search>\n<a href='/'>Home</a>\n<a href='/about'>About</a>\n</search>",
    '<!-- header.html -->\n<search>\n  <form role="search"><input name="q"></form>\n</search>',
  ])('stays text if its tags have attributes, also if its dialect is named: %j', (text) => {
    for (const dialect of ['auto', 'cline-xml'])
      for (const chunk of [undefined, 1, 7])
        expect(readCalls(text, search, { dialect, ...(chunk && { chunk }) })).toMatchObject({ calls: [], text });
  });

  it.each([
    '<search>\n<query type="string">cats</query>\n</search>',
    '<search>\n  <query type="string">cats</query>\n</search>',
    '<search>\n<query>cats</query>\n<option lang="en"/>\n</search>',
  ])('guard: is reported if its field has attributes, or one of its tags is a field: %j', (text) => {
    for (const chunk of [undefined, 1, 7])
      expect(readCalls(text, search, { dialect: 'cline-xml', ...(chunk && { chunk }) }).calls).toMatchObject([
        { status: 'invalid' },
      ]);
  });

  it('is reported as written if its dialect is named', () => {
    const text = '<search>\nonly the images, please\n</search>';
    for (const chunk of [undefined, 1, 7])
      expect(readCalls(text, search, { dialect: 'cline-xml', ...(chunk && { chunk }) }).calls).toMatchObject([
        { status: 'invalid', problems: [{ received: 'only the images, please' }] },
      ]);
  });

  it('guard: is a call if it holds its fields', () => {
    expect(readCalls('<search>\n<query>cats</query>\n</search>', search).calls).toMatchObject([
      { name: 'search', input: { query: 'cats' } },
    ]);
  });
});

const noteBox = new Toolbox([
  tool({ name: 'save_note', description: 'Writes', inputSchema: object({ body: text, pinned: { type: 'boolean' } }) }),
]);
const unclosed = (open: string, between: string, close: string, values: string): string =>
  open + between + values.replaceAll('\n', between) + close;
const around: Readonly<Record<string, readonly [open: string, tag: string, close: string]>> = {
  'cline-xml': ['<save_note>', '', '</save_note>'],
  'minimax-m3': [`${mark}<tool_call>${mark}<invoke name="save_note">`, mark, `${mark}</invoke>${mark}</tool_call>`],
  'anthropic-xml-legacy': [
    '<function_calls>\n<invoke>\n<tool_name>save_note</tool_name>\n<parameters>',
    '',
    '</parameters>\n</invoke>\n</function_calls>',
  ],
};

describe.each(Object.entries(around))('a value without its closer, in %s', (dialect, [open, tag, close]) => {
  const read = (values: string) =>
    ['', '\n'].flatMap((between) =>
      [{}, { prompted: true }, { dialect }, { dialect, chunk: 1 }].flatMap((options) =>
        readCalls(unclosed(open, between, close, values), noteBox, options).calls.map(({ status }) => status),
      ),
    );

  it.each([
    `${tag}<body>hello\n${tag}<pinned>true\n`,
    `${tag}<body>hello\n${tag}<pinned>true${tag}</pinned>\n`,
    `${tag}<pinned>true\n${tag}<body>hello\n`,
    `${tag}<body>use ${tag}<pinned> here\n`,
  ])('is refused with the opener of another field in it: %j', (values) => {
    const found = read(values);
    expect(new Set(found)).toEqual(new Set(['invalid']));
  });

  it.each([`${tag}<body>a<b,<br>List<String>x\n`, `${tag}<pinned>true${tag}</pinned>\n${tag}<body>hello\n`])(
    'guard: is read without one: %j',
    (values) => {
      if (dialect !== 'anthropic-xml-legacy') expect(new Set(read(values))).toEqual(new Set(['mended']));
    },
  );

  it.each([`${tag}<body>use <pinned> or <pinned>true</pinned>${tag}</body>\n`])(
    'guard: with its closer: %j',
    (values) => {
      if (dialect !== 'anthropic-xml-legacy') expect(read(values)).not.toContain('invalid');
    },
  );
});
