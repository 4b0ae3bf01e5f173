/** A key without a letter or digit doesn't say what its value is for: it is dropped only if the value is empty. */
import { describe, expect, it } from 'vitest';
import { closed, integer, mendWith, string } from './mend-with.ts';

const fields = closed({ command: string, timeout: integer }, ['command']);

describe('a key without a name', () => {
  it.each(['30', '"30"', 'true', 'false', '0', '["x"]', '{"a": 1}'])('is refused with content: %s', (value) => {
    for (const key of ['', ' ', '-', '.', '?', '…'])
      for (const text of [
        `{"command": "ls", "${key}": ${value}}`,
        `{"command": "ls", "timeout": 5, "${key}": ${value}}`,
      ])
        expect(mendWith(fields, text)).toMatchObject({ status: 'invalid', problems: [{ path: [key] }] });
  });

  it.each(['""', 'null', '[]', '{}'])('guard: is dropped without content: %s', (value) =>
    expect(mendWith(fields, `{"command": "ls", "timeout": 5, "": ${value}}`)).toMatchObject({
      status: 'mended',
      input: { command: 'ls', timeout: 5 },
    }),
  );

  it('guard: is kept where other keys are allowed', () => {
    const open = { type: 'object', properties: { command: string } };
    expect(mendWith(open, '{"command": "ls", "": 30}')).toMatchObject({
      status: 'ok',
      input: { command: 'ls', '': 30 },
    });
  });
});
