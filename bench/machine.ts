import { execFileSync } from 'node:child_process';
import { cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The machine that figures were measured on, without anything that identifies it. */
export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly node: string;
}

/** This machine. */
export const machine = (): Machine => ({
  system: `${type()}, ${process.arch}`,
  processor: cpus()[0]?.model.trim() || 'unknown',
  cores: cpus().length,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  node: process.version,
});

/** The measured commit, with a `+` if the files differ from it. */
export function commitOf(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'bench', 'test', 'scripts');
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
