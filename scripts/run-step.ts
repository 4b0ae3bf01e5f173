import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Count } from './count-tests.ts';
import type { Step } from './steps.ts';

/** The result of a step, with its output. Colours are removed, because some programs use them even without a terminal. */
export interface Result extends Count {
  readonly output: string;
  readonly seconds: number;
}

const root = join(import.meta.dirname, '..');

/** Runs one step to its end; `packed` is the folder of the package. Never throws: if a program can't be started, the step fails. */
export const runStep = async (step: Step, packed = join(root, '.bench/package')): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-step-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  try {
    const { ok, output } = await runCommand(step, report, packed);
    const count = countStep(step, ok, report);
    return { ...count, output: stripVTControlCharacters(output), seconds: (performance.now() - started) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const runCommand = (step: Step, report: string, packed: string): Promise<{ ok: boolean; output: string }> => {
  const words = step.command.map((word) => word.replace('{report}', report).replace('{package}', packed));
  const [program, ...args] = words as [string, ...string[]];
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...step.env, PATH: path, TOOLMEND_PACKAGE: packed };
  const { minutes = 20 } = step;
  const timeout = minutes * 60_000;
  const child = spawn(program, args, { cwd: root, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: `${output}${error.message}\n` }));
    // Not `close`: what the program has started may outlive it, and keep its output open.
    child.on('exit', (code, signal) => {
      if (signal === 'SIGTERM') keep(`It was ended after ${minutes} minutes.\n`);
      const end = (): void => resolve({ ok: code === 0, output });
      child.on('close', end);
      setTimeout(end, 10_000).unref();
    });
  });
};

/** A step that failed without a failed test (an error after the last one, no report) still counts as one failure. */
const countStep = (step: Step, ok: boolean, report: string): Count => {
  const count = step.count && readCount(step.count, report);
  if (!count) return ok && !step.count ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  return ok || count.failed > 0 ? count : { ...count, failed: 1 };
};

const readCount = (count: (report: string) => Count, report: string): Count | undefined => {
  try {
    return count(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
};
