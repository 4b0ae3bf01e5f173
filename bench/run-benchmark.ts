import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BenchResult, faultsOfResult, resultsFolder } from './bench-result.ts';
import type { Benchmark } from './benchmarks.ts';

/** The result of running one benchmark. */
export interface BenchRun {
  readonly name: string;
  /** `missed`: it measured, and a bar is missed. `absent`: the data it reads is not there. `broken`: it measured nothing. */
  readonly status: 'met' | 'missed' | 'absent' | 'broken';
  readonly seconds: number;
  /** When it ended, and what was measured. */
  readonly date: string;
  readonly commit: string;
  readonly quick: boolean;
  /** The end of its output, if it broke. */
  readonly note?: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** Removes the project's path on this machine from a text. */
const without = (words: string): string =>
  words.replaceAll(root, '').replaceAll(fileURLToPath(new URL('../..', import.meta.url)), '../');
/** Longer than any benchmark takes, so that one that hangs does not block the others. */
const patience = 45 * 60_000;

/** The result a benchmark left, where it has the right shape. */
export function readResult(name: string): BenchResult | undefined {
  const file = new URL(`${name}.json`, resultsFolder);
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return faultsOfResult(value).length === 0 ? (value as BenchResult) : undefined;
}

const statusOf = (code: number | null, name: string): BenchRun['status'] => {
  const result = readResult(name);
  if (result)
    return code === 0 && result.bars.every(({ met }) => met) ? 'met' : code === 0 || code === 1 ? 'missed' : 'broken';
  return code === 2 ? 'absent' : 'broken';
};

/** Runs one benchmark as a process of its own; `said` hears the last line it wrote. Its words go to `.bench/logs/NAME.txt`. */
export function runBenchmark(
  { name, file, quick: quickArgs = [] }: Benchmark,
  { quick, commit, said }: { readonly quick: boolean; readonly commit: string; readonly said: (line: string) => void },
): Promise<BenchRun> {
  mkdirSync(`${root}.bench/logs`, { recursive: true });
  // An old result must not count for this run.
  rmSync(new URL(`${name}.json`, resultsFolder), { force: true });
  const log = createWriteStream(`${root}.bench/logs/${name}.txt`);
  const began = performance.now();
  const child = spawn(process.execPath, [file, ...(quick ? quickArgs : [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience,
    killSignal: 'SIGKILL',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  let last = '';
  let fault = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      log.write(piece);
      last = piece.split(/[\r\n]+/).findLast((line) => line.trim() !== '') ?? last;
      fault = piece.split(/[\r\n]+/).findLast((line) => /error|exceeded|no such|there is no/i.test(line)) ?? fault;
      said(last);
    });
  return new Promise((resolve) => {
    child.once('error', (error) => said(error.message));
    child.once('close', (code) => {
      log.end();
      const status = statusOf(code, name);
      resolve({
        name,
        status,
        seconds: Math.round((performance.now() - began) / 1000),
        date: new Date().toISOString(),
        commit,
        quick: quick && quickArgs.length > 0,
        ...((status === 'broken' || status === 'absent') && {
          note:
            without(fault || last)
              .trim()
              .slice(0, 300) || `ended with ${code}`,
        }),
      });
    });
  });
}
