import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import { agentEnv, runAgent, writeSettings } from './run-agent.ts';

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
      ...{ A: '1', C: '3', MODEL: 'm', NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
    });
  });

  it('keeps the addresses that the user reaches without an HTTP proxy', () => {
    expect(agentEnv({ no_proxy: '.example.com' }, {}).NO_PROXY).toBe('.example.com,127.0.0.1,localhost');
  });
});

describe('files', () => {
  it('are written for the user only, in a folder that may have nothing to link', () => {
    const links = { from: join(folder, 'missing'), to: 'a' };
    writeSettings(folder, { env: {}, args: [], files: { 'a/b.json': '{}' }, links });
    expect(readFileSync(join(folder, 'a/b.json'), 'utf8')).toBe('{}');
    expect(statSync(join(folder, 'a/b.json')).mode & 0o777).toBe(0o600);
  });
});
