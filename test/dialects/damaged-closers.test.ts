/** No part of a marker becomes part of a value: every dialect with the closing tag of a value damaged or doubled. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const string = { type: 'string' } as const;
const properties = { path: string, content: string, mode: string };
const inputSchema = { type: 'object', properties, required: ['path', 'content'] } as const;
const toolbox = new Toolbox([tool({ name: 'write_file', description: 'Writes', effect: 'write', inputSchema })]);
const call = { name: 'write_file', arguments: { path: 'Q/path', content: 'Qone\nQtwo', mode: 'Qmode' } };

const closing = /^\s*(\]<\]minimax\[>\[<[^<>\n]*>|<\|close\|>[^<]*<\|sep\|>|<[^<>\n]*>)/;

/** The text before the closer of a value, the closer, and the text after it. */
function partsOf(text: string, value: string): readonly [before: string, closer: string, after: string] {
  const at = text.indexOf(value) + value.length;
  const [whole = '', closer = ''] = closing.exec(text.slice(at)) ?? [];
  const end = at + whole.length;
  return [text.slice(0, end - closer.length), closer, text.slice(end)];
}

const damages: Readonly<Record<string, (closer: string, at: number) => string | undefined>> = {
  'only its start': (closer, at) => closer.slice(0, at),
  'only its start, on a line of its own': (closer, at) => `${closer.slice(0, at)}\n`,
  'only its end': (closer, at) => closer.slice(at),
  'a character missing': (closer, at) => closer.slice(0, at) + closer.slice(at + 1),
  'another character': (closer, at) => `${closer.slice(0, at)}x${closer.slice(at + 1)}`,
  'a character too many': (closer, at) => `${closer.slice(0, at)}x${closer.slice(at)}`,
  // A text may end in a single bracket.
  'its start before it': (closer, at) => (at > 1 ? closer.slice(0, at) + closer : undefined),
  'its start on the line before it': (closer, at) => (at > 1 ? `${closer.slice(0, at)}\n${closer}` : undefined),
  'its end after it': (closer, at) => closer + closer.slice(at),
  'itself again': (closer, at) => closer + ' '.repeat(at - 1) + closer,
};

const rows = dialects.filter(({ forms }) => forms.find(({ readOnly }) => !readOnly)?.body === 'params');

describe.each(rows.map(({ name }) => name))('%s', (dialect) => {
  const text = renderCalls([call], dialect, toolbox);
  it.each(Object.keys(damages))('runs with no part of a closer in a value: %s', (name) => {
    for (const value of Object.values(call.arguments)) {
      const [before, closer, after] = partsOf(text, value);
      expect(closer).not.toBe('');
      for (let at = 1; at < closer.length; at++) {
        const damaged = damages[name]?.(closer, at);
        if (damaged === undefined) continue;
        for (const options of [{ dialect }, {}]) {
          const { calls } = readCalls(before + damaged + after, toolbox, options);
          for (const { status, input } of calls)
            if (status !== 'invalid') expect([damaged, input]).toEqual([damaged, call.arguments]);
        }
      }
    }
  });
});

describe('guard: what a value may end or start with', () => {
  const write = (content: string): string => renderCalls([{ ...call, arguments: { path: 'a', content } }], 'glm45');
  it.each(['<b>x</b>', 'a <', 'x</', 'a<br>', '> quoted', '"><b>', 'e = <T>', '</p>'])('%j', (content) =>
    expect(readCalls(write(content), toolbox, { dialect: 'glm45' }).calls).toMatchObject([
      { status: content === 'x</' ? 'invalid' : 'ok', input: { content } },
    ]),
  );
});

describe('an opening tag written twice', () => {
  const text = renderCalls([{ ...call, arguments: { path: 'Q/path', content: 'Qone' } }], 'qwen3-coder');
  it.each(['<parameter=content>\n', 'parameter=content>\n', 'content>\n', 'nt>\n'])('is no part of it: %j', (again) => {
    for (const options of [{ dialect: 'qwen3-coder' }, {}]) {
      const { calls } = readCalls(text.replace('Qone', `${again}Qone`), toolbox, options);
      for (const { status, input } of calls)
        if (status !== 'invalid') expect(input).toEqual({ path: 'Q/path', content: 'Qone' });
    }
  });
});
