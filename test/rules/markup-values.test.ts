/** Values in angle brackets: markup is a value, also as the only one of a call; a placeholder makes the call an example. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { mendWith, open, string } from './mend-with.ts';

const keys = { grep: ['pattern', 'path'], send: ['text', 'to'], add: ['x', 'y'], page: ['html'] };
const toolbox = new Toolbox(
  Object.entries(keys).map(([name, fields]) => {
    const inputSchema = open(Object.fromEntries(fields.map((key) => [key, string])));
    return tool({ name, description: name, effect: 'read', inputSchema: inputSchema as { type: 'object' } });
  }),
);
const marked = (name: string, given: object): string =>
  `I'll look.\n\n<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
const callsOf = (text: string): unknown[] => readCalls(text, toolbox).calls.map(({ name }) => name);

describe('markup as the only value of a call', () => {
  const values = ['<div>', '<span>', '<html>', '<h1>', '<li>', '<T>', '<!DOCTYPE>', '<stdio.h>', '<script>'];
  it.each(values)('%s', (pattern) => {
    expect(callsOf(marked('grep', { pattern }))).toEqual(['grep']);
    expect(callsOf(marked('send', { text: pattern }))).toEqual(['send']);
    expect(callsOf(JSON.stringify({ name: 'grep', arguments: { pattern } }))).toEqual(['grep']);
    expect(callsOf(`grep(pattern="${pattern}")`)).toEqual(['grep']);
    expect(
      callsOf(
        `I'll look.\n\n<tool_call>\n<function=grep>\n<parameter=pattern>\n${pattern}\n</parameter>\n</function>\n</tool_call>`,
      ),
    ).toEqual(['grep']);
  });
});

describe('guard: placeholders make an example', () => {
  it.each([
    ['grep', { pattern: '<pattern>' }],
    ['grep', { pattern: '<regex>' }],
    ['grep', { pattern: '<PATTERN_TO_FIND>' }],
    ['grep', { pattern: '<title>' }],
    ['grep', { pattern: '...' }],
    ['grep', { pattern: '<div>', path: '<path>' }],
    ['grep', { path: '<dir>' }],
    ['send', { text: '<message>', to: '<user>' }],
    ['send', { to: '<T>' }],
    ['add', { x: '<a>', y: '<b>' }],
    ['add', { x: '<X>', y: '<Y>' }],
    ['page', { html: '<html>' }],
  ])('%s %j', (name, given) => {
    expect(callsOf(marked(name, given))).toEqual([]);
  });
});

const fields = open({ path: string, content: string });
const tagged = (content: string) => [
  `<path>a.c</path><content>${content}</content>`,
  `<parameter name="path">a.c</parameter><parameter name="content">${content}</parameter>`,
];

describe('tagged arguments whose entities may be escapes of the tags', () => {
  it.each([
    'if (a &lt; b) x();',
    'a &amp;&amp; b',
    '&quot;x&quot;',
    '&#60;b&#62;',
    'it&apos;s',
    '&copy; 2026',
    '&lt;p&gt;a&lt;/p&gt;',
  ])('guard: %s', (content) => {
    for (const args of tagged(content)) expect(mendWith(fields, args).status).toBe('invalid');
  });
});

describe('guard: tagged text that escapes nothing stays as it is', () => {
  it.each(['<p>a &amp; b</p>', 'AT&T &amp; more', 'a && b', 'a < b &lt; c', 'plain', 'f(&x); &amp;'])(
    '%s',
    (content) => {
      for (const args of tagged(content))
        expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { path: 'a.c', content } });
    },
  );
});
