import { describe, expect, it } from 'vitest';
import { CallReader } from '../../src/dialect/call-reader.ts';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { workOf } from '../work-of.ts';

const toolbox = new Toolbox([
  tool({
    name: 'delete_file',
    description: 'Deletes a file for good',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, force: { type: 'boolean' } },
      required: ['path'],
      additionalProperties: false,
    },
    effect: 'destructive',
  }),
]);

describe('guard: an exact call of a destructive tool runs in every named dialect', () => {
  const names = dialects.map(({ name }) => name).filter((name) => name !== 'content-only');
  it.each(names)('%s', (dialect) => {
    const input = { path: 'a.txt', force: true };
    const text = renderCalls([{ name: 'delete_file', arguments: input }], dialect, toolbox);
    for (const chunk of [undefined, 1, 7]) {
      const { calls, text: left } = readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) });
      expect({ calls: calls.map((one) => [one.name, one.input, one.status]), left: left.trim() }).toEqual({
        calls: [['delete_file', input, 'ok']],
        left: '',
      });
      const read = calls[0]?.raw.read ?? [];
      for (const repair of read) expect(repair.certainty).toBe('lossless');
    }
  });
});

describe('text after a destructive call in a named dialect', () => {
  const special = dialects.filter((row) => row.special === true).map(({ name }) => name);
  const dialect = 'hermes';
  const call = '<tool_call>\n{"name": "delete_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const xml = '<invoke name="delete_file">\n<parameter name="path">a.txt</parameter>\n</invoke>';
  const statuses = (text: string, options: { dialect: string; chunk?: number }): string[] =>
    readCalls(text, toolbox, options).calls.map(({ status }) => status);

  describe.each([undefined, 1, 7])('in chunks of %s', (size) => {
    const chunk = size === undefined ? {} : { chunk: size };
    it.each([
      [dialect, `No. You asked me to output\n\n${call}\n\nand I won't, because the file is shared.`],
      [dialect, `Here is exactly what I would send:\n\n${call}\n\nShall I go ahead? (yes/no)`],
      [dialect, `请确认以下操作：\n\n${call}\n\n回复“确认”后我再执行。`],
      [dialect, `${call}\n\nThat's what I would send, but I won't without your approval.`],
      [dialect, `The bot replied with\n\n${call}\n\nto a customer.`],
      [dialect, `${call}\n${call.replace('a.txt', 'b.txt')}\nNothing was deleted.`],
      ['anthropic-xml', `This is a dry run. I would execute:\n\n${xml}\n\nIt frees 41 GB. Type DELETE to continue.`],
      ['minimax-m2', `The agent wrote\n\n${xml}\n\nwithout listing the folder first.`],
    ])('refuses it in %s: %s', (name, text) => {
      const made = readCalls(text, toolbox, { dialect: name, ...chunk }).calls;
      expect(made.length).toBeGreaterThan(0);
      for (const one of made) expect(one).toMatchObject({ status: 'invalid', problems: [{ code: 'mentioned' }] });
    });
  });

  it('guard: runs it where only calls and end tokens follow', () => {
    expect(
      statuses(`Deleting both.\n${call}\nAnd:\n${call.replace('a.txt', 'b.txt')}<|im_end|>\n`, { dialect }),
    ).toEqual(['ok', 'ok']);
  });

  it('guard: runs it between special tokens', () => {
    expect(special.length).toBeGreaterThan(0);
    for (const name of special) {
      const text = renderCalls([{ name: 'delete_file', arguments: { path: 'a.txt' } }], name, toolbox);
      expect(statuses(`${text}\nIt is gone.`, { dialect: name }), name).toEqual(['ok']);
    }
  });
});

describe('guard: an unclosed opener costs the same per character', () => {
  const filler = 'some words, "quotes" and {braces} ';
  it.each([
    ['headers of Harmony', '<|channel|>commentary to=', 'auto'],
    ['headers of Harmony, named', '<|start|>assistant to=functions.x ', 'harmony'],
    ['calls with plain markers', '<tool_call>{"name": "delete_file", "arguments": {"path": "', 'auto'],
    ['calls with plain markers, named', '<tool_call>{"name": "delete_file", "arguments": {"path": "', 'hermes'],
    ['openers alone', '<tool_call>', 'auto'],
    ['sections of special tokens', '<｜tool▁calls▁begin｜>', 'auto'],
    ['tags', '<function=delete_file>\n<parameter=path>\n', 'auto'],
    ['reasoning', '<think>', 'auto'],
    ['comments', '<!-- ', 'auto'],
    ['quotes', '“', 'auto'],
  ])('%s', (_, opener, dialect) => {
    const cost = (times: number): number => {
      const text = (opener + filler).repeat(times);
      return (
        workOf(() => {
          const reader = new CallReader(toolbox, { dialect });
          for (let at = 0; at < text.length; at += 64) reader.push(text.slice(at, at + 64));
          reader.end();
        }) / text.length
      );
    };
    // What is made ready once is no cost of the characters.
    cost(1);
    expect(cost(800) / cost(200)).toBeLessThan(2);
  });
});

describe('a limit on buffered text', () => {
  it('holds in a stream of 8 MB', () => {
    const limit = 64 * 1024;
    const reader = new CallReader(toolbox, { limit });
    const piece = 'x'.repeat(4096);
    let text = reader.push('<tool_call>{"name": "delete_file", "arguments": {"path": "').length;
    for (let at = 0; at < 8 * 1024 * 1024; at += piece.length)
      for (const event of reader.push(piece)) if (event.type === 'text') text += event.text.length;
    expect(text).toBeGreaterThan(8 * 1024 * 1024 - 2 * limit);
    reader.end();
    expect(reader.calls).toEqual([]);
    expect(reader.notes).toEqual([`A call is longer than ${limit} characters, so it was left as text`]);
  });
});

describe('a destructive call next to text, if no dialect is named', () => {
  const special = dialects.filter((row) => row.special === true).map(({ name }) => name);
  const words = [
    'Do you really want me to delete a.txt? This cannot be undone.',
    'I decided against this call.',
    'Diesen Aufruf führe ich erst aus, wenn Sie zustimmen.',
    '在您确认之前，我不会执行这个操作。',
    'Done.',
  ];
  const read = (text: string, options: { prompted?: boolean }) =>
    [undefined, 1, 7].map((chunk) =>
      readCalls(text, toolbox, { dialect: 'auto', ...options, ...(chunk && { chunk }) }).calls.map(
        ({ status }) => status,
      ),
    );

  it.each(special.flatMap((dialect) => words.map((lead) => [dialect, lead] as const)))(
    '%s after %j',
    (dialect, lead) => {
      const call = renderCalls([{ name: 'delete_file', arguments: { path: 'a.txt' } }], dialect, toolbox);
      for (const text of [`${lead}\n${call}`, `${lead}\n\n${call}`])
        for (const options of [{}, { prompted: true }])
          for (const statuses of read(text, options))
            expect(statuses.filter((status) => status !== 'invalid')).toEqual([]);
    },
  );

  it.each(special)('%s alone runs', (dialect) => {
    const call = renderCalls([{ name: 'delete_file', arguments: { path: 'a.txt' } }], dialect, toolbox);
    const alone = read(call, {});
    for (const statuses of alone) expect(statuses).toEqual(alone[0]);
    expect(alone[0]?.includes('invalid')).toBe(false);
  });
});
