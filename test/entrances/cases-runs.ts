/** Calls that need no mending, and runs that fail. */
import type { Case, Expected } from './case.ts';
import { now, readFile, writeFile } from './tools.ts';

const file = { path: 'a.ts', content: 'x' };
const wrote = { calls: [{ name: 'write_file', arguments: JSON.stringify(file) }] };
const ok: Expected = { is: 'ok', name: 'write_file', input: file };
const json = { path: 'a.json', content: '{"n": 1, "on": true}' };

export const soundCases: readonly Case[] = [
  { name: 'a valid call', tools: [writeFile], wrote, expect: [ok] },
  {
    name: 'no arguments expected, none sent',
    tools: [now],
    wrote: { calls: [{ name: 'now', arguments: '{}' }] },
    expect: [{ is: 'ok', name: 'now', input: {} }],
  },
  {
    name: 'JSON in a text field stays text',
    rows: ['C9'],
    tools: [writeFile],
    wrote: { calls: [{ name: 'write_file', arguments: JSON.stringify(json) }] },
    expect: [{ is: 'ok', name: 'write_file', input: json }],
  },
  {
    name: 'two calls, the first one damaged',
    rows: ['C7'],
    tools: [readFile, writeFile],
    wrote: { calls: [{ name: 'read_file', arguments: '{"path":"a.ts","limit":"5"}' }, ...wrote.calls] },
    expect: [{ is: 'mended', name: 'read_file', input: { path: 'a.ts', limit: 5 }, repairs: ['type'] }, ok],
  },
  {
    name: 'an invalid call next to a valid one',
    rows: ['C19'],
    tools: [readFile, writeFile],
    wrote: { calls: [{ name: 'read_file', arguments: '{}' }, ...wrote.calls] },
    expect: [{ is: 'invalid', errorType: 'validation', says: "Field 'path' is required but missing" }, ok],
  },
];

const failing = (
  errorType: Extract<Expected, { is: 'failed' }>['errorType'],
  tool: Partial<Case['tools'][number]>,
  tells: string,
  more: Partial<Case> = {},
): Case => ({
  name: errorType,
  tools: [{ ...writeFile, ...tool }],
  wrote,
  ...more,
  expect: [{ is: 'failed', errorType, name: 'write_file', input: file, tells }],
});

export const runCases: readonly Case[] = [
  failing(
    'runtime',
    { does: { type: 'throws', message: 'The disk is full' } },
    [
      'The disk is full',
      '',
      '- Check that the resource in the arguments exists and is reachable',
      '- Try again, or try another way',
    ].join('\n'),
  ),
  failing(
    'logical',
    { does: { type: 'fails', error: 'The file is locked', recommendations: ['Unlock it first'] } },
    'The file is locked\n\n- Unlock it first',
  ),
  failing(
    'timeout',
    { does: { type: 'hangs' }, timeout: 20 },
    'It did not finish within 20 ms\n\n- Ask for less at once, or try again later',
  ),
  failing(
    'denied',
    {},
    [
      'The call was not allowed: the rule write_file forbids it',
      '',
      '- Do not repeat the call; try another way, or ask the user',
    ].join('\n'),
    { deny: ['write_file'] },
  ),
  failing(
    'aborted',
    { does: { type: 'stops' } },
    'It was stopped: enough\n\n- Wait for the user before repeating the call',
  ),
];
