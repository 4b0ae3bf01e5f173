import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../test/cli/run-cli.ts';

const main = join(import.meta.dirname, 'main.ts');
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
const run = (...args: string[]) => spawnSync(process.execPath, [...args], { encoding: 'utf8', env });

describe('toolmend', () => {
  it('--help lists the commands', () => {
    const { stdout, status } = run(main, '--help');
    expect(stdout).toContain('mend      mend a tool call');
    expect(stdout).toContain('check     check tool definitions');
    expect(status).toBe(0);
  });

  it('--version gives the version of the package', () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(run(main, '--version')).toMatchObject({ stdout: `${manifest.version}\n`, status: 0 });
  });

  it.each([
    [[], /mend {6}mend a tool call/],
    [
      ['menf'],
      /^toolmend: Unknown command 'menf'\. Expected one of: mend, check, decode, run, runs, replay, proxy, launch, gateway, worker, inspect, tour, doctor\n$/,
    ],
    [['toString'], /Unknown command 'toString'/],
  ])('%j is a wrong use', (args, words) => {
    const { stdout, stderr, status } = run(main, ...args);
    expect(stderr).toMatch(words);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  it.each(['--help', '-h'])('tour %s prints the usage, and no run', async (flag) => {
    const { stdout, stderr, status } = await runCli(['tour', flag]);
    expect(stdout).toMatch(/^Usage: toolmend tour \[OPTIONS\]\n/);
    expect(stdout).not.toContain('read_file');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it.each([
    ['x', /^toolmend: Unexpected argument 'x'/],
    ['--fast', /^toolmend: Unknown option '--fast'/],
  ])('tour %s is a wrong use', async (word, words) => {
    const { stdout, stderr, status } = await runCli(['tour', word]);
    expect(stderr).toMatch(words);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  it.each(['mend', 'check', 'decode', 'run', 'runs', 'replay', 'proxy', 'gateway', 'worker', 'inspect', 'doctor'])(
    'guard: %s --help prints the usage',
    async (command) => {
      const { stdout, stderr, status } = await runCli([command, '--help']);
      expect(stdout).toMatch(new RegExp(`^Usage: toolmend ${command} `));
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    },
  );

  it('says in one line what is wrong with a file, without a stack trace', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-pins-'));
    try {
      const pins = join(folder, 'pins.json');
      const config = join(folder, 'gateway.json');
      writeFileSync(pins, '{}');
      writeFileSync(config, JSON.stringify({ pins, mcpServers: { none: { command: 'none' } } }));
      const { stderr, status } = run(main, 'gateway', '--config', config);
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^toolmend: .*it is not a pins file: expected/);
      expect(stderr).not.toMatch(/^ {4}at /m);
      expect(status).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says in one line that Node is too old', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-node-'));
    const disguise = join(folder, 'disguise.cjs');
    writeFileSync(
      disguise,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.17.0' } })`,
    );
    const { stderr, status } = run('--require', disguise, main, 'mend', '{}');
    rmSync(folder, { recursive: true });
    expect({ stderr, status }).toEqual({
      stderr: 'toolmend requires Node.js 22.18 or later; this is 22.17.0\n',
      status: 1,
    });
  });
});
