/** A valid object inside parentheses or another pair of braces, or before a quote: inferred, and only if it is valid JSON. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, integer, mendWith, string, strings } from './mend-with.ts';

const fields = closed({ command: string, timeout: integer }, ['command']);
const object = '{"command": "ls -la \\"a b\\"", "timeout": 30}';
const input = JSON.parse(object) as object;
const last = '{"timeout": 30, "command": "ls"}';

it('reads an empty object before a quote', () => {
  const none = closed({ timeout: integer });
  for (const text of ['{}"', '{ }"', "{}'"])
    expect(mendWith(none, text)).toMatchObject({ status: 'mended', input: {} });
  for (const text of ['{}""', '{}" x', '{"}"'])
    expect(mendWith(closed({ command: string }), text)).toMatchObject({ status: 'invalid' });
});

describe('an object with signs around it', () => {
  it.each([
    [`(${object})`, input],
    [`(${object});`, input],
    [`( ${object} )\n`, input],
    [`{${object}}`, input],
    [`{\n${object}\n}`, input],
    [`${object}"`, input],
    [`${object}'`, input],
    [`${object}\``, input],
    [`${last}'\n`, JSON.parse(last)],
  ])('is inferred: %j', (text, expected) => {
    expect(mendWith(fields, text)).toMatchObject({ status: 'mended', input: expected });
    expect(mendWith(fields, text, { effect: 'destructive' }).status).toBe('invalid');
  });

  it.each([
    `(${object}`,
    `((${object}))`,
    `{{${object}}}`,
    `{${object}`,
    `${object}""`,
    `${last}"`,
    `${object}" x`,
    `(e.g. ${object})`,
    `({command: ls})`,
    `{{command: 'ls'}}`,
    `{"command": "echo "a""}"`,
    `{"command": "say "}"`,
    `"${last}"`,
    `(${object}, ${last})`,
    `{${object}, ${last}}`,
    `{"command": "ls"}, "timeout": 30}"`,
  ])('guard: is refused otherwise: %j', (text) => expect(mendWith(fields, text)).toMatchObject({ status: 'invalid' }));

  it.each([`(${object})`, `{${object}}`, `${object}"`])('guard: is refused when truncated: %j', (text) =>
    expect(mendWith(fields, text, { finishReason: 'length' }).status).toBe('invalid'),
  );
});

const texts = closed({ version: string, tags: strings });

describe('a number in an object with signs around it stays as it is written', () => {
  const numbers = ['1.10', '2.0', '0.50', '1e3', '-0', '0.1000000000000000055'];
  const frames: readonly ((object: string) => string)[] = [
    (inner) => `{${inner}}`,
    (inner) => `(${inner})`,
    (inner) => `(${inner});`,
    (inner) => `${inner}"`,
    (inner) => `${inner}'`,
  ];
  const framed = numbers.flatMap((number) => frames.map((frame) => [number, frame] as const));

  it.each(framed.map(([number, frame]) => [frame(`{"version": ${number}}`), number]))('%s', (text, version) => {
    expect(mendWith(texts, text)).toMatchObject({ status: 'mended', input: { version } });
  });

  it.each(framed.map(([number, frame]) => [frame(`{"tags": [${number}, 2.0]}`), number]))('%s', (text, number) => {
    expect(mendWith(texts, text)).toMatchObject({ status: 'mended', input: { tags: [number, '2.0'] } });
  });
});

describe('an object with signs around it is refused for what is ambiguous in damaged text', () => {
  it.each(['{{"version": "a\\\\\\"b"}}', '({"version": "a\\\\\\"b"})', '{"version": "\\\\\\"hi\\\\\\""}\''])(
    '%s',
    (text) => {
      expect(mendWith(texts, text)).toMatchObject({ status: 'invalid' });
    },
  );
});

describe('a number in a framed object that a dialect holds', () => {
  it.each([
    'Action: act\nAction Input: {{"version": 1.10}}',
    '<|channel|>commentary to=functions.act <|constrain|>json<|message|>{{"version": 1.10}}<|call|>',
    '<tool_call>{"name": "act", "arguments": {{"version": 1.10}}}</tool_call>',
  ])('%s', (text) => {
    const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: texts as { type: 'object' } })]);
    expect(readCalls(text, toolbox).calls).toMatchObject([{ status: 'mended', input: { version: '1.10' } }]);
  });
});
