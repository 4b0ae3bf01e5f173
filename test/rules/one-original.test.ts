/** Texts that two originals may have been: each is refused, and what resembles it with one original is still read. */
import { describe, expect, it } from 'vitest';
import { mendValue } from '../../src/mend/mend-value.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closed, mendWith, named, string, strings, told } from './mend-with.ts';

const raw = String.raw;
const items = closed({ items: strings }, ['items']);
const shell = closed({ command: string, cwd: string });
const number: JsonSchema = { type: 'number' };
const nullable: JsonSchema = { type: ['string', 'null'] };
const oneOf = (...members: string[]): JsonSchema => ({ type: 'string', enum: members });

/** The schema, the text and what it is read as; nothing where it must be refused. */
type Row = readonly [schema: JsonSchema, text: string, input?: unknown];

const broken: Readonly<Record<string, readonly Row[]>> = {
  'a list as its numbers are written': [[items, '[1.0, 2.50]', { items: ['1.0', '2.50'] }]],
  'no escapes that may be the value’s own': [
    [shell, raw`{\"command\": "awk -F'\\t' x"}`],
    [shell, raw`{\"command\": "C:\\new\\bin"}`],
    [shell, raw`{\"command\": "sed 's/\\bfoo\\b/x/'"}`],
    [shell, raw`{\"command\": "ls", "cwd": "C:\\temp"}`],
    [shell, raw`{\"command\": "x\", \"cwd\": \"/etc"}`],
    [shell, raw`{\"command\": "say \"hi\""}`],
    [shell, raw`{\"command\": \"awk -F'\\t' x\"}`],
    [shell, raw`{\"command\": \"awk -F'\\\\t' x\"}`],
    [shell, raw`{\"command\": \"echo \\\"hi\\\"\"}`],
    [shell, raw`{\"command\": \"C:\\\\Users\"}`],
    [shell, raw`{\"command\": \"a\nb\"}`],
    [shell, raw`{\"command\": \"my\_dir\"}`],
    [shell, raw`{\"command\": \"say \"hi\"\"}`],
    [shell, raw`"{\"command\": \"\\frac{1}{2}\"}"`],
    [shell, raw`"{\"command\": \"C:\\bin\"}"`],
  ],
  'a member as the number was written': [
    [closed({ v: oneOf('3.1', '3.10', '3.11') }), '{"v": 3.10}', { v: '3.10' }],
    [closed({ v: oneOf('1', '1.0') }), '{"v": 1.0}', { v: '1.0' }],
    [closed({ v: { type: 'array', items: oneOf('1.1', '1.10') } }), '{"v": [1.10]}', { v: ['1.10'] }],
    [closed({ v: { anyOf: [oneOf('1.20', '1.2'), { type: 'null' }] } }), '{"v": 1.20}', { v: '1.20' }],
    [closed({ v: oneOf('4', '5') }), '{"v": 4.0}'],
    [closed({ v: oneOf('1.1', '1.2') }), '{"v": 1.10}'],
    [closed({ v: oneOf('10', '20') }), '{"v": 1e1}'],
  ],
  'the literal through another form': [
    [shell, '{&quot;command&quot;: 1.50}', { command: '1.50' }],
    [shell, '｛"command": 1.50｝', { command: '1.50' }],
    [items, 'items: [1.50]', { items: ['1.50'] }],
  ],
  'no repetition that is another text': [
    [shell, '{"command": 3.1, "command": 3.10}'],
    [shell, '{"command": 3.10, "command": 3.1}'],
    [shell, '{"command": 1e3, "command": 1000}'],
    [shell, '{"command": True, "command": true}'],
    [shell, '{"command": 3.1}{"command": 3.10}'],
    [shell, '{"command": 3.10}\n{"command": 3.1}'],
    [shell, '{"command": 3.1, "Command": 3.10}'],
    [shell, '{"arguments": {"command": 3.1}, "command": 3.10}'],
    [items, '{"items": [1.0], "items": [1]}'],
    [items, '{"items": [1.0], "Items": [1]}'],
  ],
  'tagged text as its tags say': [
    [
      closed({ stdin: nullable, command: string }),
      '<parameter name="stdin">null</parameter><parameter name="command">null</parameter>',
      { stdin: null, command: 'null' },
    ],
    [closed({ stdin: nullable }), '<stdin>null</stdin>', { stdin: null }],
  ],
  'no entity that may be the value’s own': [
    [shell, '{&quot;command&quot;: &quot;Tom &amp; Jerry&quot;}'],
    [shell, '{&quot;command&quot;: &quot;x &copy; y &lt;b&gt;&quot;}'],
    [shell, '{&quot;command&quot;: &quot;it&#39;s&quot;}'],
    [shell, '{&#34;command&#34;: &#34;a &lt; b&#34;}'],
    [shell, '{&quot;command&quot;: &quot;say &quot;hi&quot;&quot;}'],
  ],
};

const held: readonly Row[] = [
  [items, '["a", "b"]', { items: ['a', 'b'] }],
  [items, '```json\n["a"]\n```', { items: ['a'] }],
  [items, 'Here they are:\n["a", "b"]', { items: ['a', 'b'] }],
  [items, '["a", "b"] ✅', { items: ['a', 'b'] }],
  [items, '["[TODO] call Anna"]', { items: ['[TODO] call Anna'] }],
  [shell, raw`{\"command\": \"ls -la\", \"cwd\": \"/tmp\"}`, { command: 'ls -la', cwd: '/tmp' }],
  [shell, raw`{\n  \"command\": \"ls\"\n}`, { command: 'ls' }],
  [shell, raw`"{\"command\": \"awk -F'\\\\t' x\"}"`, { command: raw`awk -F'\t' x` }],
  [shell, raw`"{\"command\": \"a b\\nc\"}"`, { command: 'a b\nc' }],
  [shell, raw`"{\"command\": \"\\\\frac{1}{2}\"}"`, { command: raw`\frac{1}{2}` }],
  [closed({ v: oneOf('1', '2') }), '{"v": 1}', { v: '1' }],
  [closed({ v: oneOf('3.1', '3.11') }), '{"v": 3.1}', { v: '3.1' }],
  [closed({ v: { enum: [1, 2] } }), '{"v": 1.0}', { v: 1 }],
  [shell, '{"command": 1.50}', { command: '1.50' }],
  [shell, `${named}({"command": "1.50"})`, { command: '1.50' }],
  [shell, '{"command": 3.10, "command": 3.10}', { command: '3.10' }],
  [shell, '{"command": 3.10}{"command": 3.10}', { command: '3.10' }],
  [closed({ n: number }), '{"n": 3.1, "n": 3.10}', { n: 3.1 }],
  [closed({ n: number }), '{"n": 3.1, "N": 3.10}', { n: 3.1 }],
  [closed({ n: number }), '{"n": 3.1}{"n": 3.10}', { n: 3.1 }],
  [shell, '<parameter name="command">null</parameter>', { command: 'null' }],
  [closed({ stdin: nullable }), '<parameter name="stdin">null and void</parameter>', { stdin: 'null and void' }],
  [shell, '{&quot;command&quot;: &quot;ls -la&quot;}', { command: 'ls -la' }],
  [shell, '{"command": "Tom &amp; Jerry &quot;x&quot;"}', { command: 'Tom &amp; Jerry &quot;x&quot;' }],
];

function check([schema, text, input]: Row): void {
  const outcome = told(mendWith(schema, text));
  if (input === undefined) expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
  else expect(outcome).toMatchObject({ input });
}

const titled = (rows: readonly Row[]) => rows.map((row) => ({ row, text: JSON.stringify(row[1]) }));

describe.each(Object.entries(broken))('one original: %s', (_, rows) => {
  it.each(titled(rows))('$text', ({ row }) => check(row));
});

/** What the first reader refused as well, before it knew more forms. */
const still: readonly Row[] = [
  [items, '[TODO] call Anna'],
  [items, '[docs](http://x.y)'],
  [items, '[INFO] server started'],
  [items, '[2024-01-01] log line'],
  [items, '[a-z]+'],
  [items, '[x] done'],
  [items, '[ ] todo'],
  [items, '[ ] task one\n[ ] task two'],
  [items, '[1] Smith et al., 2020'],
  [items, '[[wiki link]] text'],
  [items, '[a, b] and c'],
  [items, '[see below]'],
  [items, '[Anna]: hello'],
  [items, '["a", "b"] are the items'],
  [items, 'Sources:\n[1] Smith et al., 2020.'],
  [items, raw`[\"a\\nb\", \"c\"]`],
  [shell, `${named}({"command": 1.50})`, { command: '1.50' }],
  [items, `${named}({"items": [1.50]})`, { items: ['1.50'] }],
  [shell, '<parameter name="command">x <![CDATA[a]]></parameter>'],
  [shell, '<parameter name="command"><![CDATA[a <b> && c\n]]></parameter>'],
  [shell, '<command>\n<![CDATA[ls]]>\n</command>'],
  [shell, '<parameter name="command"><![CDATA[a]]><![CDATA[b]]></parameter>'],
  [shell, '<parameter name="command"><![CDATA[a</parameter>'],
];

describe('guard: texts with two originals, or the literal of one', () => {
  it.each(titled(still))('$text', ({ row }) => check(row));
});

describe('guard: look-alikes with one original', () => {
  it.each(titled(held))('$text', ({ row }) => check(row));
});

const integers: JsonSchema = { type: 'array', items: { type: 'integer' } };
const sentiment = oneOf('good', 'bad');

describe('one original: structured output', () => {
  it.each<Row>([
    [string, '<think>a</think>The tag </think> ends it', 'The tag </think> ends it'],
    [string, 'I should say hello.\n</think>\n\nhello'],
    [integers, 'Sources:\n[1] Smith et al., 2020.'],
    [integers, '[1]: http://x.y'],
    [strings, '[docs](http://x.y)'],
    [strings, '[TODO] call Anna'],
  ])('%j %j', (...row) => structured(...(row as unknown as Row)));
});

describe('guard: structured output with one original', () => {
  it.each<Row>([
    [string, 'Use </think> to close the block', 'Use </think> to close the block'],
    [string, 'The tags <think> and </think> mark it.', 'The tags <think> and </think> mark it.'],
    [string, '```\n<think>\na\n</think>\n```', '```\n<think>\na\n</think>\n```'],
    [string, '<think>Hm.</think>\nhello', 'hello'],
    [string, '</think>\n\nhello', 'hello'],
    [sentiment, 'Rather good?</think>bad', 'bad'],
    [integers, 'The list:\n[1, 2, 3]', [1, 2, 3]],
    [strings, 'The list: ["a", "b"]. Done.', ['a', 'b']],
  ])('%j %j', (...row) => structured(...(row as unknown as Row)));
});

function structured(...[schema, text, value]: Row): void {
  const out = mendValue(text, schema);
  if (value === undefined) expect(out.status).toBe('invalid');
  else expect(out).toMatchObject({ problems: [], input: value });
}
