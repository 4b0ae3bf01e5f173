/** Notations of programs and editors that are read with less certainty, or not at all. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/index.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, statusByEffect, string, strings } from './mend-with.ts';

const raw = String.raw;
const fields = closed({ path: string, note: string, ids: strings, more: { type: 'object' } });

const python = (text: string): (string | undefined)[] =>
  (['write', 'destructive'] as const satisfies readonly Effect[]).map((effect) => {
    const act = tool({ name: 'act', description: 'Acts', inputSchema: fields, effect });
    return readCalls(text, new Toolbox([act]), { dialect: 'pythonic' }).calls[0]?.status;
  });

describe('JSON: what no tool gets', () => {
  it.each([
    raw`{"note": "21 \N{DEGREE SIGN}C"}`,
    raw`{"note": "\U0001F44D"}`,
    '{"ids": ["a", /* ... */]}',
    '{"ids": [\n  "a",\n  // ... more ids\n]}',
    '{"ids": [\n  "a",\n  # and others …\n]}',
    '{"path": "a",\n  // ...\n}',
    '{"more": {"a": 1,\n  // …\n}}',
  ])('%s', (text) => expect(statusByEffect(fields, text)).toEqual(['invalid', 'invalid', 'invalid']));
});

describe('JSON: what destructive tools do not get', () => {
  it.each(['{path: /TODO/}', '{path: /a b/}', '{“note”: “name = ‘Bob’”}', '{“note”: “don’t”}'])('%s', (text) =>
    expect(statusByEffect(fields, text)).toEqual(['mended', 'mended', 'invalid']),
  );
});

describe('guard: JSON that every tool gets', () => {
  it.each([
    '{path: /srv/a}',
    '{"path": "a",\n  // the entry\n}',
    '{"path": "a",\n  // loads x...y\n}',
    '{“note”: “name”}',
    '{“note”: “it is "so"”}'.replaceAll('"', "'"),
    raw`{"path": "\Node\d"}`,
    raw`{"note": "\N{3}"}`,
  ])('%s', (text) => expect(statusByEffect(fields, text)).toEqual(['mended', 'mended', 'mended']));
});

describe('Python calls', () => {
  it.each(['[act(path="a", ids=["b"], # the first\n)]', '[act(path=1_000_200)]'])(
    'only tools that need no certainty get %s',
    (text) => expect(python(text)).toEqual(['mended', 'invalid']),
  );

  it.each(['[act(path="a", ids=["b",\n  # ... more ids\n])]', '[act(path="a", ids=["b",\n  # …\n])]'])(
    'refuses %s',
    (text) => expect(python(text)).toEqual(['invalid', 'invalid']),
  );

  it.each(['[act(path="a", ids=["b"])]', '[act(path="# a ...")]', '[act(\n  # the file of today\n  path="a",\n)]'])(
    'guard: every tool gets %s',
    (text) => expect(python(text)).toEqual(['ok', 'ok']),
  );
});
