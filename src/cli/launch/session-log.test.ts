import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launchHelp } from './command.ts';
import { logLimits, openSessionLog } from './session-log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolmend-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { bytes: 200, sessions: 3, days: 7 };
const day = 86_400_000;
const now = Date.UTC(2026, 10, 16);

/** A log of another session that ended some days ago. */
function older(name: string, days: number): void {
  const time = (now - days * day) / 1000;
  writeFileSync(join(folder, name), 'x');
  utimesSync(join(folder, name), time, time);
}

it('writes lines to a file that only the user can read', () => {
  const log = openSessionLog({ agent: 'claude', folder, now });
  log.write('{"a": 1}');
  log.write('{"b": "ü"}');
  log.close();
  log.write('{"late": true}');
  expect(readFileSync(log.file, 'utf8')).toBe('{"a": 1}\n{"b": "ü"}\n');
  expect(statSync(log.file).mode & 0o777).toBe(0o600);
});

it('stops at its size, and says so in the last line', () => {
  const log = openSessionLog({ agent: 'claude', folder, now, limits });
  for (let line = 0; line < 100; line += 1) log.write(JSON.stringify({ line, text: 'x'.repeat(40) }));
  log.close();
  const lines = readFileSync(log.file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ notice: 'The log has 200 bytes. Later requests are not logged' });
});

it('deletes logs that are too old or too many, and no other file', () => {
  for (const [name, days] of [
    ['launch-a.jsonl', 8],
    ['launch-b.jsonl', 3],
    ['launch-c.jsonl', 2],
    ['launch-d.jsonl', 1],
  ] as const)
    older(name, days);
  older('notes.txt', 100);
  mkdirSync(join(folder, 'launch-folder'));
  openSessionLog({ agent: 'codex', folder, now, limits }).close();
  const left = readdirSync(folder).map((name) => name.replace(/-2026.*/, '-new'));
  expect(left.sort()).toEqual(['launch-c.jsonl', 'launch-d.jsonl', 'launch-folder', 'launch-new', 'notes.txt']);
});

it('has limits that the help states', () => {
  const help = launchHelp.replace(/\s+/g, ' ');
  const { bytes, sessions, days } = logLimits;
  expect(help).toContain(`at most ${bytes / 1024 / 1024} MB, and is deleted after ${days} days or ${sessions} further`);
});
