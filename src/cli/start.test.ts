import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tourCases } from './start-cases.ts';

const start = (env: Record<string, string | undefined>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'start.ts')], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
  });

describe('npm start', () => {
  it('shows six damaged calls, three mended and three refused, plain and within 80 columns in a pipe', () => {
    const { stdout, stderr, status } = start({});
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(tourCases).toHaveLength(6);
    for (const { title } of tourCases) expect(stdout).toContain(title);
    expect(stdout).toContain('3 mended, 3 refused');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('takes colours where they are asked for', () => {
    expect(start({ FORCE_COLOR: '1' }).stdout).toContain('\u001b[32mmended\u001b[0m');
  });
});
