import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';

const start = (env: Record<string, string | undefined>) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'start.ts')], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
  });

describe('npm start', () => {
  it('S1.6 shows a whole run, plain and within 80 columns in a pipe', () => {
    const { stdout, stderr, status } = start({});
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const course = [...stdout.matchAll(/^[✓✗⊘] (\w+) .*?(mended|refused: \w+|denied|allowed)/gm)];
    expect(course.map(([, name, word]) => `${name} ${word}`)).toEqual([
      'read_file mended',
      'pattern_search mended',
      'write_file refused: truncated',
      'write_file mended',
      'fs_multi_edit refused: validation',
      'fs_multi_edit allowed',
      'delete_folder refused: validation',
      'delete_folder denied',
    ]);
    expect(stdout).toContain('The call was not allowed: we still need them');
    expect(stdout).toContain('done after 8 turns: 8 calls, 3 mended, 3 refused, 1 denied');
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(80);
  });

  it('takes colours where they are asked for', () => {
    expect(start({ FORCE_COLOR: '1' }).stdout).toContain('\u001b[32m✓\u001b[0m \u001b[1mread_file\u001b[0m');
  });
});
