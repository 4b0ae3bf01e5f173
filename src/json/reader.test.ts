import { describe, expect, it } from 'vitest';
import { JsonReader, readJson } from './read-json.ts';
import type { Change } from './tolerant/state.ts';

const inChunks = (
  text: string,
  size: number,
  seen: (reader: JsonReader, changes: readonly Change[]) => void = () => {},
) => {
  const reader = new JsonReader();
  for (let at = 0; at < text.length; at += size) seen(reader, reader.push(text.slice(at, at + size)));
  return reader;
};

const texts = [
  '{"path": "src/main.ts", "lines": [1, 2.5, -3e2], "deep": {"on": true, "off": null}}',
  "{path: 'a.ts', 'on': True, list: ('a', 'b',), n: 0x1F,}",
  'Sure! Here (see [1]): ```json\n{"a": "x", /* why */ "b": [1 2 3]}\n```\nDone.',
  '<think>maybe {"a": 2}</think>{"a": "line\nbreak \\d and \\_ and \\u00e9 and "quoted" text", "b": 1}<|im_end|>',
  '{\\"a\\": \\"x\\\\n\\", \\"b\\": [1, 2]}',
  '{"a": "x"}, "b": {"c": "y"}}',
  '{"a": """triple "quoted" text""", "b": “smart”}',
  '{"a": some bare text, with a comma, "b": 1}',
  '{"a": "x", "a": "x", "b": 1, "b": 2}',
  '{"a": "cut off in the mid',
  '{"a": {"b": "x"}, "c": tru',
  '{"a": {"b": "x"',
  '{"a": 12345678901234567890}',
  '{"__proto__": {"x": 1}, "a": 1}',
  '"a": 1, "b": "x"}',
  '{"a": 1}{"a": 1}',
  '{"a": 1} or {"a": 2}',
  '"{\\"a\\": 1}"',
  '\ufeff{\u200b"a": 1 // end\n}',
  '{"a": "C:\\\\temp\\", "b": "y"}',
  '{"a": "never closed, "b": "y"}',
  'no value at all',
  '',
];

/** Texts with several readings, which a reader of chunks has to tell apart late. */
const doubtful = [
  '{"a": "x" "b" # "y"\n"c"}',
  '{"a": "x" "b:" }',
  '{"a": """b"="}',
  '{"a": """b":null key: value\n“"}',
  '""n\'t',
  "''t'i",
  '"":/ y\n/*',
];

/** The excerpt a repair quotes may be shorter where the text had not come yet; all else must be the same. */
const told = ({ value, repairs, problems, nesting }: ReturnType<JsonReader['end']>) => ({
  value,
  nesting,
  repairs: repairs.map(({ kind, path, certainty }) => [kind, path, certainty]),
  problems: problems.map(({ code, path }) => [code, path]),
});

describe.each([1, 3, 7, 64])('JsonReader in chunks of %i', (size) => {
  const expectSameEnd = (text: string) => {
    // Reading the value so far changes nothing.
    expect(told(inChunks(text, size, (live) => live.value).end())).toEqual(told(readJson(text)));
  };
  it.each(texts)('ends as the whole does: %j', expectSameEnd);
  it.each(doubtful)('guard: ends as the whole does: %j', expectSameEnd);

  const expectEveryChange = (text: string) => {
    const copy = new Copy();
    const reader = inChunks(text, size, (live, changes) => {
      for (const change of changes) copy.take(change);
      // What the changes add up to is the value so far, so that nobody need read it again.
      expect(copy.value).toEqual(live.value);
    });
    reader.end();
  };
  it.each(texts)('says every change: %j', expectEveryChange);
  it.each(doubtful)('guard: says every change: %j', expectEveryChange);
});

/** A consumer that knows nothing but the changes. */
class Copy {
  value: unknown;

  take(change: Change): void {
    if (change.type === 'close') return;
    if (change.type === 'reset') {
      this.value = undefined;
      return;
    }
    const old = this.#at(change.path);
    if (change.type === 'append') this.#put(change.path, String(old) + change.text);
    else if (change.type === 'open') this.#put(change.path, Array.isArray(change.value) ? [] : {});
    else this.#put(change.path, change.value);
  }

  #at(path: Change['path']): unknown {
    return path.reduce<unknown>((here, key) => (here as Record<string | number, unknown>)[key], this.value);
  }

  #put(path: Change['path'], value: unknown): void {
    const key = path.at(-1);
    if (key === undefined) this.value = value;
    else (this.#at(path.slice(0, -1)) as Record<string | number, unknown>)[key] = value;
  }
}

describe('JsonReader says what each chunk changed', () => {
  it('opens, sets, appends and closes, with paths', () => {
    const reader = new JsonReader();
    expect(reader.push('{"path": "src/ma')).toEqual([
      { type: 'open', path: [], value: expect.anything() },
      { type: 'set', path: ['path'], value: '' },
      { type: 'append', path: ['path'], text: 'src/ma' },
    ]);
    expect(reader.push('in.ts", "edits": [{"n": 1')).toEqual([
      { type: 'append', path: ['path'], text: 'in.ts' },
      { type: 'open', path: ['edits'], value: expect.anything() },
      { type: 'open', path: ['edits', 0], value: expect.anything() },
    ]);
    expect(reader.push('2}, true')).toEqual([
      { type: 'set', path: ['edits', 0, 'n'], value: 12 },
      { type: 'close', path: ['edits', 0] },
    ]);
    expect(reader.push(']}')).toEqual([
      { type: 'set', path: ['edits', 1], value: true },
      { type: 'close', path: ['edits'] },
      { type: 'close', path: [] },
    ]);
    expect(reader.end().value).toEqual({ path: 'src/main.ts', edits: [{ n: 12 }, true] });
  });

  it('gives a long string as the text that was added, each piece once', () => {
    const body = 'line of code; '.repeat(1000);
    const pieces: string[] = [];
    inChunks(`{"content": "${body}"}`, 16, (_, changes) => {
      for (const change of changes) if (change.type === 'append') pieces.push(change.text);
    });
    expect(pieces.length).toBeGreaterThan(800);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(16);
    expect(pieces.join('')).toBe(body);
  });

  it('changes nothing after it is done', () => {
    const reader = new JsonReader({ limits: { depth: 2 } });
    reader.push('[[[1');
    expect(reader.push(']]]')).toEqual([]);
    expect(reader.end().problems.map(({ code }) => code)).toEqual(['depth']);
  });
});

describe('JsonReader, on the way', () => {
  it('has the value so far, live, and the open path', () => {
    const reader = new JsonReader();
    expect([reader.value, reader.path]).toEqual([undefined, []]);
    reader.push('{"a": [1, {"b": "x');
    const { value } = reader;
    expect(value).toEqual({ a: [1, { b: 'x' }] });
    expect(reader.path).toEqual(['a', 1, 'b']);
    reader.push('y"}');
    expect(reader.value).toBe(value);
    expect(value).toEqual({ a: [1, { b: 'xy' }] });
    reader.push(', true, 4');
    expect(reader.path).toEqual(['a', 3]);
    reader.push(']}\n\nDone.');
    expect(reader.path).toEqual([]);
    expect(reader.end().value).toBe(value);
  });

  it('has the repairs so far', () => {
    const reader = new JsonReader();
    reader.push("Sure: {'a': ");
    expect(reader.repairs.map(({ kind }) => kind)).toEqual(['quote']);
    reader.push('True, b: 1');
    expect(reader.repairs.map(({ kind }) => kind)).toEqual(['quote', 'literal', 'quote']);
    expect(reader.repairs[1]).toMatchObject({ path: ['a'], before: 'True', after: true });
  });

  it('gives text at the root as it grows', () => {
    const reader = new JsonReader();
    const long = 'hello '.repeat(50);
    reader.push(`"${long}`);
    reader.push('world');
    expect(reader.value).toBe(`${long}world`);
  });

  it('ends once, and says so to who goes on', () => {
    const reader = new JsonReader();
    reader.push('{"a": 1}');
    const reading = reader.end();
    expect(reader.end()).toBe(reading);
    expect(() => reader.push('x')).toThrow(/has ended/);
  });

  it('closes nothing where the message was cut', () => {
    const ended = (cut: boolean) => inChunks('{"a": "x"', 3).end({ truncated: cut });
    expect(ended(false).problems).toEqual([]);
    expect(ended(true).problems[0]?.code).toBe('truncated');
  });
});

it.each([
  ['depth', { depth: 3 }, '{"a": [[[1]]]}'],
  ['size', { size: 8 }, '{"a": "long text"}'],
  ['keys', { keys: 1 }, '{"a": 1, "b": 2}'],
])('JsonReader keeps to the limit of %s', (code, limits, text) => {
  const reader = new JsonReader({ limits });
  for (const char of text) reader.push(char);
  expect(reader.end().problems.map((problem) => problem.code)).toEqual([code]);
});
