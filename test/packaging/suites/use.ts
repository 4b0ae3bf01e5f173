import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifest } from '../pack.ts';
import { runIn, type Stage } from '../stage.ts';

/** The package at work in a user's project, on one version of Node. */
export const useSuite = (stage: () => Stage, version: string): void => {
  /** `--no`: npx fetches nothing, what is installed must do. */
  const command = (args: string[], input = '') =>
    runIn(stage().bare, version, ['npx', '--no', '--', 'toolmend', ...args], input);

  it('says its version on the command line', () => {
    expect(command(['--version'])).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  });

  it('mends a call on the command line', () => {
    const text = `{"path": 'src/app.ts', "limit": 20,}`;
    const { status, stdout } = command(['mend', '--json'], text);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'mended', input: { path: 'src/app.ts', limit: 20 } });
  });

  it.each([
    ['proxy', 'upstreams'],
    ['gateway', 'mcpServers'],
  ])('checks the settings of the %s against their schema', (name, missing) => {
    writeFileSync(join(stage().bare, 'empty.json'), '{}');
    const { status, stderr } = command([name, '--config', 'empty.json']);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining(`${missing}: is required`) });
  });

  it('is imported in at most 0.8 of the time of Zod', () => {
    const load = (name: string): number => {
      const code = `const start = process.cpuUsage(); await import('${name}'); const { user, system } = process.cpuUsage(start);`;
      const args = ['--input-type=module', '-e', `${code} console.log(user + system)`];
      return Number(runIn(stage().full, version, ['node', ...args]).stdout);
    };
    // The least of several, in turns, because other processes can only add to the time.
    const rounds = Array.from({ length: 7 }, () => [load('toolmend'), load('zod')] as const);
    const least = (index: 0 | 1): number => Math.min(...rounds.map((round) => round[index]));
    expect(least(0)).toBeGreaterThan(0);
    expect(least(0) / least(1)).toBeLessThanOrEqual(0.8);
  });

  it('mends, runs an agent on the scripted model, serves the proxy and the page', () => {
    const script = join(stage().bare, 'use-package.mjs');
    copyFileSync(join(import.meta.dirname, '../use-package.mjs'), script);
    const { status, stdout, stderr } = runIn(stage().bare, version, [
      'node',
      '--disable-warning=ExperimentalWarning',
      script,
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      mend: { status: 'mended', input: { path: 'a.ts', limit: 5 } },
      run: { end: 'done', ran: [{ path: 'a.ts', limit: 5 }], last: 'run.ended' },
      proxy: { status: 200, arguments: '{"path":"a.ts","limit":5}' },
      page: { status: 200, type: 'text/html; charset=utf-8', script: 200 },
    });
  });
};
