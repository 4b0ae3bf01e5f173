/** Closers that are missing or belong to another dialect, in every dialect: what is inferred never reaches a destructive tool. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { writeCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' } as const;
const inputSchema = {
  type: 'object',
  properties: { path: text, content: text },
  required: ['path', 'content'],
  additionalProperties: false,
} as const;
const boxes = (['read', 'destructive'] as const).map(
  (effect) => new Toolbox([tool({ name: 'write_file', description: 'Writes', effect, inputSchema })]),
);
const [reading, destroying] = boxes as [Toolbox, Toolbox];
const given = { path: 'a.txt', content: 'hello' };

/** Each dialect's text of the call. */
const texts = dialects.flatMap((row) => {
  const form = row.forms.find(({ readOnly }) => !readOnly);
  if (form?.body === 'word' || (!form && !row.frame?.write)) return [];
  return [{ name: row.name, text: writeCalls([{ name: 'write_file', arguments: given }], row, form, reading) }];
});
const isJson = (written: string): boolean => written.includes('"content":');
const isPython = (written: string): boolean => written.includes('content="');

/** Where a body of JSON or Python ends. */
const endOf = (written: string): number => {
  const end = written.lastIndexOf(isJson(written) ? '}' : ')') + 1;
  return written[end] === ']' ? end + 1 : end;
};

/** The dialects in which a tool ran on what a damage made of the call, with what it ran on where that is not the call. */
function ran(toolbox: Toolbox, damage: (written: string, name: string) => string | undefined) {
  const all = texts.flatMap(({ name, text: written }) => {
    const damaged = damage(written, name);
    if (damaged === undefined) return [];
    return [undefined, name].flatMap((dialect) =>
      readCalls(damaged, toolbox, dialect === undefined ? {} : { dialect })
        .calls.filter(({ status }) => status !== 'invalid')
        .map(({ input }) => ({ dialect: `${name} ${dialect === undefined ? 'auto' : 'named'}`, input })),
    );
  });
  return {
    dialects: all.map(({ dialect }) => dialect),
    wrong: all.filter(({ input }) => JSON.stringify(input) !== JSON.stringify(given)),
  };
}

const others = ['</tool_call>', '</function>', '</invoke>', '</tool_calls>', '<｜tool▁call▁end｜>', '</parameter>'];
/** The dialects that have one of these closers themselves. */
const own: Readonly<Record<string, readonly string[]>> = { '</function>': ['hermes-lenient'] };
const ahead = (closer: string) => (written: string, name: string) =>
  !isJson(written) && !isPython(written)
    ? undefined
    : written.includes(closer) || own[closer]?.includes(name) || written.slice(endOf(written)).trim() === ''
      ? undefined
      : written.slice(0, endOf(written)) + closer + written.slice(endOf(written));

describe('a closer of another dialect before the own one', () => {
  it.each(others)('is inferred: %s', (closer) => {
    expect(ran(destroying, ahead(closer)).dialects).toEqual([]);
  });
  it('guard: is the call itself or nothing for other tools', () => {
    for (const closer of others) expect(ran(reading, ahead(closer)).wrong).toEqual([]);
  });
});

describe('a bracket that is missing in a list of calls', () => {
  const shorter = (written: string): string | undefined =>
    isJson(written) && /\}\]/.test(written) ? written.replace(/\}\}(?=\])/, '}') : undefined;
  it('is inferred', () => expect(ran(destroying, shorter).dialects).toEqual([]));
  it('guard: is read for other tools', () => {
    const { dialects: read, wrong } = ran(reading, shorter);
    expect(read).toEqual(expect.arrayContaining(['jamba named', 'nemotron-v2 named', 'granite3 named']));
    expect(wrong).toEqual([]);
  });
});

describe('a tag between calls in Python and their closer', () => {
  it('refuses them', () => {
    const damage = (written: string) =>
      isPython(written) && /<[|/]/.test(written)
        ? `${written.slice(0, endOf(written))}<b>x</b>${written.slice(endOf(written))}`
        : undefined;
    for (const toolbox of boxes) expect(ran(toolbox, damage).dialects).toEqual([]);
  });
});

describe('a bracketed word between arguments and their closer', () => {
  it('refuses the call', () => {
    const damage = (written: string) =>
      isJson(written) && written.slice(endOf(written)).trim() !== ''
        ? `${written.slice(0, endOf(written))}[/TOOL_CALLS]${written.slice(endOf(written))}`
        : undefined;
    for (const toolbox of boxes) expect(ran(toolbox, damage).dialects).toEqual([]);
  });
});

describe('a parameter that is not closed', () => {
  const unclosed = (value: string) => (written: string) => {
    if (isJson(written) || isPython(written)) return undefined;
    const tag = /\s*(?:\]<\]minimax\[>\[)?<(?:\|close\|>argument<\|sep\||\/[^<>]*)>/y;
    tag.lastIndex = written.indexOf(value) + value.length;
    return tag.test(written)
      ? written.slice(0, written.indexOf(value) + value.length) + written.slice(tag.lastIndex)
      : undefined;
  };
  it.each(['a.txt', 'hello'])('never gets the white space behind it: %s', (value) => {
    expect(ran(reading, unclosed(value)).wrong).toEqual([]);
  });
  it('guard: is read where its dialect puts it into lines', () => {
    expect(ran(reading, unclosed('a.txt')).dialects).toEqual(
      expect.arrayContaining(['qwen3-coder named', 'seed-oss named']),
    );
  });
});

it('guard: each dialect reads its call', () => {
  for (const toolbox of boxes) {
    const { dialects: read, wrong } = ran(toolbox, (written) => written);
    expect(read.filter((name) => name.endsWith('named'))).toHaveLength(texts.length);
    expect(wrong).toEqual([]);
  }
});
