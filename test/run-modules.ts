/**
 * Runs modules one after the other in one process, and writes what each printed and how it ended. Most of what a process
 * costs is loading our sources, which is done once here. Started as `node run-modules.ts REPORT MODULE…`.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What is known of a process that ran one module. */
export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

let current: Ran = { status: 0, stdout: '', stderr: '' };
const fail = (error: unknown): void => {
  current.status = 1;
  current.stderr += error instanceof Error ? error.stack : `Thrown: ${String(error)}`;
};

/** What keeps the process alive, beside what kept it before. */
function pending(before: readonly string[]): string[] {
  const rest = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
    // A pipe of a program that has ended (a running one is a `ProcessWrap`) keeps nothing alive.
    return at < 0 && name !== 'Immediate' && name !== 'PipeWrap';
  });
}

/** Waits for the moment in which a process of its own would end. */
async function quiet(before: readonly string[]): Promise<void> {
  const end = Date.now() + 60_000;
  for (let looks = 0; Date.now() < end; looks += 1) {
    // Most end at once. What takes longer waits for a timer or a program, and looking all the time would slow that.
    await new Promise<void>((resolve) => (looks < 20 ? setImmediate(resolve) : setTimeout(resolve, 3)));
    if (pending(before).length === 0) return;
  }
  fail(`it does not end: ${pending(before).join(', ')}`);
}

async function run(module: string): Promise<Ran> {
  current = { status: 0, stdout: '', stderr: '' };
  const before = process.getActiveResourcesInfo();
  try {
    await import(pathToFileURL(module).href);
    await quiet(before);
  } catch (error) {
    fail(error);
  }
  if (process.exitCode !== undefined) current.status = Number(process.exitCode);
  process.exitCode = undefined;
  return current;
}

if (import.meta.main) {
  const [report = '', ...modules] = process.argv.slice(2);
  const keep = (stream: 'stdout' | 'stderr') =>
    ((chunk: string | Uint8Array) => {
      current[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }) as typeof process.stdout.write;
  process.stdout.write = keep('stdout');
  process.stderr.write = keep('stderr');
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  process.on('warning', ({ name, message }) => {
    if (name !== 'ExperimentalWarning') current.stderr += `${name}: ${message}\n`;
  });
  const results: Ran[] = [];
  for (const module of modules) results.push(await run(module));
  writeFileSync(report, JSON.stringify(results));
  process.exit(0);
}
