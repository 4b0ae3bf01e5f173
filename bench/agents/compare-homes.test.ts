import { expect, it } from 'vitest';
import { fieldsOf, steady } from './compare-homes.ts';

it.each([
  ['.claude/projects/-tmp-w/96970a9b-a862-4da6-9f58-09d225234292.jsonl', '.claude/projects/-tmp-w/ID.jsonl'],
  ['.claude/backups/.claude.json.backup.1794968283095', '.claude/backups/.claude.json.backup.NUMBER'],
  [
    '.gemini/tmp/notes/chats/session-2026-11-18T03-04-e1e28798.jsonl',
    '.gemini/tmp/notes/chats/session-TIME-HASH.jsonl',
  ],
  ['.pi/sessions/2026-11-18T02-20-01-799Z_01a1ec74-3787-7219-89e4-cabc00d82004.jsonl', '.pi/sessions/TIME_ID.jsonl'],
  ['.kilo/storage/ses_e138cca5dffegfSEUAXRnj3Gw4.json', '.kilo/storage/ses_ID.json'],
  ['.omp/logs/omp.2026-11-18.9.log', '.omp/logs/omp.DATE.N.log'],
  ['.cline/data/sessions/1794968377294_kbuhg/1794968377294_kbuhg.json', '.cline/data/sessions/NUMBER/NUMBER.json'],
  ['.config/opencode/.gitignore', '.config/opencode/.gitignore'],
])('%s', (path, expected) => {
  expect(steady(path)).toBe(expected);
});

it('fieldsOf lists the fields of a JSON file, and none of other files', () => {
  expect(fieldsOf('{"a": {"b": 1, "c": [{"d": 1}, {"d": 2, "e": null}]}}')).toEqual([
    'a',
    'a.b',
    'a.c',
    'a.c[].d',
    'a.c[].e',
  ]);
  expect(fieldsOf('not JSON')).toEqual([]);
});
