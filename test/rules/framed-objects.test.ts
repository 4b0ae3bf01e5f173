/** A valid object inside parentheses or another pair of braces, or before a quote: inferred, and only if it is valid JSON. */
import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string } from './mend-with.ts';

const fields = closed({ command: string, timeout: integer }, ['command']);
const object = '{"command": "ls -la \\"a b\\"", "timeout": 30}';
const input = JSON.parse(object) as object;
const last = '{"timeout": 30, "command": "ls"}';

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
