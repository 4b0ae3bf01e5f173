/** Strings of dialects without escapes, in other quotes than the dialect's own: backslashes and quotes with two readings. */
import { describe, expect, it } from 'vitest';
import { CallReader } from '../../src/dialect/call-reader.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';

const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('drop', { path: { type: 'string' }, max: { type: 'integer' } }, effect, {
      required: ['path'],
      closed: true,
    }),
  ]);
const rows = [
  ['gemma4', '<|"|>', (given: string) => `<|tool_call>call:drop{${given}}<tool_call|>`],
  ['functiongemma', '<escape>', (given: string) => `<start_function_call>call:drop{${given}}<end_function_call>`],
] as const;

describe.each(rows)('%s', (dialect, quote, write) => {
  const read = (given: string, effect: Effect) =>
    readCalls(write(given.replaceAll('~', quote)), boxOf(effect), { dialect }).calls;

  it.each([
    ['a path', String.raw`path:"C:\new\table.txt"`],
    ['a line break', String.raw`path:"a\nb"`],
    ['a line break in single quotes', String.raw`path:'a\nb'`],
    ['a doubled backslash', String.raw`path:"C:\\dir"`],
    ['a slash', String.raw`path:"a\/b"`],
    ['a code point', String.raw`path:"a\u00e9"`],
    ['a quote where the string could end', String.raw`path:"a\",b"`],
    ['a quote of the other kind', String.raw`path:'say \"hi\"'`],
    ['before another field', String.raw`path:"a\tb",max:3`],
    ['a quote at the start', 'path:"starts with quote~'],
    ['an apostrophe at the start', "path:'starts with quote~"],
    ['a quote at the start, before another field', 'path:"starts with quote~,max:3'],
  ])('two readings: %s', (_, given) => {
    for (const effect of ['read', 'write', 'destructive'] as const)
      expect(read(given, effect)).toMatchObject([{ status: 'invalid' }]);
    expect(read(given, 'write')[0]?.problems).toMatchObject([{ code: 'ambiguous' }]);
    const reader = new CallReader(boxOf('write'), { dialect });
    for (const char of write(given.replaceAll('~', quote))) reader.push(char);
    reader.end();
    expect(reader.calls).toMatchObject([{ status: 'invalid' }]);
  });

  it.each<[what: string, given: string, path: string]>([
    ['a backslash before another letter', String.raw`path:"a\d+"`, String.raw`a\d+`],
    ['quotes that show escapes', String.raw`path:"say \"hi\" to"`, 'say "hi" to'],
    ['quotes that show escapes, with a line break', String.raw`path:"say \"hi\" to\nme"`, 'say "hi" to\nme'],
    ['an apostrophe that shows escapes', String.raw`path:'it\'s'`, "it's"],
  ])('one reading, inferred: %s', (_, given, path) => {
    expect(read(given, 'write')).toMatchObject([{ status: 'mended', input: { path } }]);
    expect(read(given, 'destructive')).toMatchObject([{ status: 'invalid' }]);
  });

  it.each<[what: string, given: string, path: string]>([
    ['no backslash', 'path:"a.txt"', 'a.txt'],
    ['no backslash, single quotes', "path:'a.txt',max:3", 'a.txt'],
    ["the dialect's own quote", String.raw`path:~C:\new\table.txt~`, String.raw`C:\new\table.txt`],
    ["quotes within the dialect's own", 'path:~say "hi"~', 'say "hi"'],
    ['backslashes in one string and other quotes in another', String.raw`path:~C:\new~,"max":3`, String.raw`C:\new`],
  ])('guard: %s', (_, given, path) => {
    for (const effect of ['write', 'destructive'] as const)
      expect(read(given, effect)).toMatchObject([{ status: 'ok', input: { path } }]);
  });
});
