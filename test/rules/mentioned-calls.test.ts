/** Calls that a text only mentions: they are refused and the text stays as it was written. Of a faulty call only the call is left. */
import { describe, expect, it } from 'vitest';
import { areMentioned } from '../../src/dialect/call/check-call.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const string = { type: 'string' };
const box = (effect: 'write' | 'destructive') =>
  new Toolbox([
    tool({
      name: 'post_message',
      description: 'Posts a message',
      inputSchema: {
        type: 'object',
        properties: { channel: string, words: string, times: { type: 'integer' } },
        required: ['channel'],
      },
      effect,
    }),
    tool({
      name: 'list_channels',
      description: 'Lists the channels',
      inputSchema: { type: 'object', properties: { query: string } },
      effect: 'read',
    }),
  ]);
const writes = box('write');
const destroys = box('destructive');

const dialects = [
  'hermes',
  'qwen3-coder',
  'anthropic-xml',
  'glm45',
  'minimax-m2',
  'mistral',
  'kimi-k2',
  'lfm2',
  'react',
];
const written = (dialect: string, ...all: readonly JsonObject[]): string =>
  all.reduce<string>(
    // Calls with other values are written first, because templates can't be rendered.
    (text, given, call) =>
      Object.keys(given).reduce(
        (so, key, at) => so.replace(key === 'times' ? `7${at}${call}` : `value ${call} ${at}`, String(given[key])),
        text,
      ),
    renderCalls(
      all.map((given, call) => ({
        name: 'post_message',
        arguments: Object.fromEntries(
          Object.keys(given).map((key, at) => [key, key === 'times' ? Number(`7${at}${call}`) : `value ${call} ${at}`]),
        ),
      })),
      dialect,
    ),
  );
const chunks = [undefined, 1, 7];
type Read = ReturnType<typeof readCalls>;
const reads = (text: string, toolbox: Toolbox, dialect: string): Read[] =>
  chunks.map((chunk) => readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) }));

function staysIn(text: string, toolbox: Toolbox, dialect: string): void {
  for (const read of reads(text, toolbox, dialect)) {
    expect(read.calls.length === 0 || areMentioned(read.calls)).toBe(true);
    expect(read.text).toBe(text);
  }
}

/** Arguments that stand for others. */
const shapes: readonly JsonObject[] = [
  { channel: '<channel>' },
  { channel: '<channel name>', words: '...' },
  { channel: '<your channel here>', words: '<YOUR_WORDS>' },
  { channel: 'string', words: 'string' },
  { channel: 'string', times: 'integer' },
];

describe.each(dialects)('%s', (dialect) => {
  // The name of a type without quotes is an expression in Python.
  it.each(shapes.filter(({ times }) => times === undefined || dialect !== 'lfm2'))(
    'a template stays text: %j',
    (given) => {
      const call = written(dialect, given);
      for (const name of [dialect, 'auto']) {
        staysIn(call, writes, name);
        staysIn(`The template is:\n\n${call}`, writes, name);
      }
    },
  );

  if (dialect !== 'react')
    it('a call next to a template stays text', () => {
      const both = written(dialect, { channel: 'general' }, { channel: '<channel>' });
      for (const name of [dialect, 'auto']) staysIn(both, writes, name);
    });

  it.each([{ channel: 'general', words: '<your words here>' }, { channel: 'general', times: 'many' }, { words: 'Hi' }])(
    'guard: a call with a fault is a call: %j',
    (given) => {
      for (const read of reads(written(dialect, given), writes, dialect)) {
        expect(read.calls.map(({ status }) => status)).toEqual(['invalid']);
        expect(areMentioned(read.calls)).toBe(false);
        expect(read.text).toBe('');
      }
    },
  );

  it.each([{ channel: 'general', words: '<b>Hi</b>' }, { channel: 'string', words: 'Hi' }, { channel: 'general' }])(
    'guard: a call with values runs: %j',
    (given) => {
      for (const read of reads(written(dialect, given), writes, dialect)) {
        expect(read.calls.map(({ status }) => status)).not.toContain('invalid');
        expect([read.calls.length, read.text]).toEqual([1, '']);
      }
    },
  );
});

describe('words around a destructive call', () => {
  const given = { channel: 'general' };
  const plain = ['hermes', 'qwen3-coder', 'anthropic-xml', 'minimax-m2'];
  it.each(plain)('stay with it if they follow it, named %s', (dialect) => {
    const call = written(dialect, given);
    staysIn(`The page says:\n\n${call}\n\nand that is an attack.`, destroys, dialect);
    staysIn(`${call}\n\n  That is what it says.\n`, destroys, dialect);
    staysIn(`${call}\nThen:\n${call}\nDone.`, destroys, dialect);
  });

  it.each(dialects)('stay with it where no dialect is named: %s', (dialect) => {
    const call = written(dialect, given);
    staysIn(`I do it.\n\n${call}`, destroys, 'auto');
    staysIn(`${call}\n\nI did it.`, destroys, 'auto');
  });

  it('end without the tokens at the end', () => {
    const text = `It says:\n${written('hermes', given)}\nNo.`;
    for (const read of reads(`${text}<|im_end|>`, destroys, 'hermes')) expect(read.text).toBe(text);
    const call = written('hermes', { channel: '<channel>' });
    for (const read of reads(`${call}<|im_end|>\n`, destroys, 'hermes')) expect(read.text).toBe(call);
  });

  it('keep reasoning apart', () => {
    const call = written('hermes', { channel: '<channel>' });
    for (const read of reads(`<think>Hm.</think>\n${call}\nSo.`, writes, 'hermes'))
      expect(read).toMatchObject({ text: `${call}\nSo.`, reasoning: 'Hm.' });
  });

  it('guard: a call that runs leaves the text, and the refused one next to it too', () => {
    const look = '<tool_call>\n{"name": "list_channels", "arguments": {}}\n</tool_call>';
    for (const read of reads(`${look}\n${written('hermes', given)}\nDone.`, destroys, 'hermes')) {
      expect(read.calls.map(({ status }) => status)).toEqual(['ok', 'invalid']);
      expect(read.text).toBe('Done.');
    }
  });
});
