import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import { agentEnv, keepCreated, runAgent, writeSettings } from './run-agent.ts';

const { env } = process;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolmend-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that ends with a code for each signal, and with 0 once there is a file `end`. */
const program = `
  const fs = require('node:fs');
  process.on('SIGINT', () => process.exit(5));
  process.on('SIGTERM', () => process.exit(6));
  fs.writeFileSync('ready', '');
  setInterval(() => fs.existsSync('end') && process.exit(0), 20);
`;
const run = (hasTerminal: boolean) => {
  const code = `process.chdir(${JSON.stringify(folder)});${program}`;
  return runAgent({ file: process.execPath, args: ['-e', code], verbatim: false }, { env, hasTerminal });
};

describe('signals', () => {
  // Emitted, because a real one would also reach the test runner.
  it.each([
    ['SIGINT', false, 5],
    ['SIGTERM', false, 6],
    ['SIGTERM', true, 6],
    // The terminal has sent it to the agent already.
    ['SIGINT', true, 0],
  ] as const)('%s with a terminal: %s ends with %s', async (signal, hasTerminal, code) => {
    const before = process.listenerCount(signal);
    const end = run(hasTerminal);
    await until(() => existsSync(join(folder, 'ready')));
    process.emit(signal, signal);
    if (code === 0) writeFileSync(join(folder, 'end'), '');
    expect(await end).toBe(code);
    expect(process.listenerCount(signal)).toBe(before);
  });
});

it('a program that is missing is an error, and leaves no listener', async () => {
  const before = process.listenerCount('SIGTERM');
  const missing = runAgent({ file: '/nowhere/agent', args: [], verbatim: false }, { env, hasTerminal: false });
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

describe('the environment', () => {
  it('has the settings, without those that are removed', () => {
    const own = { A: '1', B: undefined, MODEL: 'm' };
    expect(agentEnv({ A: '0', B: '2', C: '3' }, own)).toEqual({
      A: '1',
      C: '3',
      MODEL: 'm',
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
    });
  });

  it('keeps the addresses that the user reaches without an HTTP proxy', () => {
    expect(agentEnv({ no_proxy: '.example.com' }, {}).NO_PROXY).toBe('.example.com,127.0.0.1,localhost');
  });
});

describe('files', () => {
  const began = Date.now() - 60_000;

  const settings = (files: Record<string, string>) => ({
    env: {},
    args: [],
    files,
    home: { from: join(folder, 'user/.agent'), to: '.agent' },
  });
  const session = (): string => join(folder, 'session');
  const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

  it('are written for the user only, in a folder that may have nothing to link', () => {
    writeSettings(session(), settings({ '.agent/b.json': '{}' }));
    expect(read('session/.agent/b.json')).toBe('{}');
    expect(statSync(join(session(), '.agent/b.json')).mode & 0o777).toBe(0o600);
  });

  it('of the user stay as they are, and those that the agent creates are kept', () => {
    const own = { 'settings.json': 'own', 'memory.md': 'old', 'state.json': 'old', 'chats/1.json': '1' };
    for (const [name, text] of Object.entries(own)) {
      mkdirSync(join(folder, 'user/.agent', name, '..'), { recursive: true });
      writeFileSync(join(folder, 'user/.agent', name), text);
    }
    const all = settings({ '.agent/settings.json': 'of the session' });
    writeSettings(session(), all);
    const write = (name: string, text: string): void => writeFileSync(join(session(), '.agent', name), text);
    expect(read('session/.agent/memory.md')).toBe('old');
    write('settings.json', 'changed in the session');
    write('memory.md', 'new');
    write('chats/2.json', '2');
    // Replaces the link, as writes in two steps do.
    write('state.new', 'new');
    renameSync(join(session(), '.agent/state.new'), join(session(), '.agent/state.json'));
    mkdirSync(join(session(), '.agent/history'));
    write('history/1.json', 'first');
    keepCreated(session(), all, began);
    expect(read('user/.agent/settings.json')).toBe('own');
    expect(read('user/.agent/memory.md')).toBe('new');
    expect(read('user/.agent/state.json')).toBe('new');
    expect(read('user/.agent/chats/2.json')).toBe('2');
    expect(read('user/.agent/history/1.json')).toBe('first');
    expect(readdirSync(join(folder, 'user/.agent')).sort()).toEqual([
      'chats',
      'history',
      'memory.md',
      'settings.json',
      'state.json',
    ]);
  });

  it('that the agent creates in an empty home folder are kept, without those of the session', () => {
    const all = settings({ '.agent/settings.json': '{}' });
    writeSettings(session(), all);
    writeFileSync(join(session(), '.agent/id'), '1');
    keepCreated(session(), all, began);
    expect(readdirSync(join(folder, 'user/.agent'))).toEqual(['id']);
  });

  it('that the agent writes name the folder of the user instead of that of the session', () => {
    const user = join(folder, 'user/.agent');
    const place = join(session(), '.agent');
    for (const name of ['chats', 'old']) mkdirSync(join(user, name), { recursive: true });
    const said = (path: string): string => JSON.stringify({ text: `Grüße: ${path}/tmp`, binary: '\u0000ÿ' });
    writeFileSync(join(user, 'old/1.json'), said(place));
    utimesSync(join(user, 'old/1.json'), 1000, 1000);
    const all = settings({ '.agent/settings.json': '{}' });
    writeSettings(session(), all);
    mkdirSync(join(place, 'tmp'));
    for (const name of ['chats/1.json', 'tmp/1.json']) writeFileSync(join(place, name), said(place));
    keepCreated(session(), all, began);
    expect(read('user/.agent/chats/1.json')).toBe(said(user));
    expect(read('user/.agent/tmp/1.json')).toBe(said(user));
    // Written before the session.
    expect(read('user/.agent/old/1.json')).toBe(said(place));
  });

  it('guard: nothing is created in the home folder of the user if the agent creates nothing', () => {
    const all = settings({ '.agent/settings.json': '{}' });
    writeSettings(session(), all);
    keepCreated(session(), all, began);
    expect(existsSync(join(folder, 'user'))).toBe(false);
  });
});
