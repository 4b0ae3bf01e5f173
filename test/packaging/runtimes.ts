/**
 * Runs the packed package in other runtimes, each from npm: everything in Bun, and the entries for edge workers in workerd.
 *
 *     node test/packaging/runtimes.ts PACKAGE_FOLDER [bun] [workerd]
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { install } from './install.ts';

const run = promisify(execFile);
const sources = import.meta.dirname;

/** Reports what is wrong; undefined if nothing is. */
type Runtime = (folder: string) => Promise<string | undefined>;

const used = {
  mend: { status: 'mended', input: { path: 'a.ts', limit: 5 } },
  run: { end: 'done', ran: [{ path: 'a.ts', limit: 5 }] },
  proxy: { status: 200, arguments: '{"path":"a.ts","limit":5}' },
  page: { status: 200, type: 'text/html; charset=utf-8', script: 200 },
};

const bun: Runtime = async (folder) => {
  copyFileSync(join(sources, 'use-package.mjs'), join(folder, 'use-package.mjs'));
  const { stdout } = await run('node_modules/.bin/bun', ['use-package.mjs'], { cwd: folder, timeout: 60_000 });
  const expected = JSON.stringify(used);
  return stdout.trim() === expected ? undefined : `Expected ${expected}, got ${stdout}`;
};

const workerConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);
`;

const workerd: Runtime = async (folder) => {
  copyFileSync(join(sources, 'runtimes/worker.mjs'), join(folder, 'worker.mjs'));
  await build({
    entryPoints: [join(folder, 'worker.mjs')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  });
  writeFileSync(join(folder, 'config.capnp'), workerConfig);
  await run('node_modules/.bin/workerd', ['test', 'config.capnp'], { cwd: folder, timeout: 60_000 });
  return undefined;
};

const runtimes: Readonly<Record<string, readonly [run: Runtime, ...packages: string[]]>> = {
  bun: [bun, 'bun@1.4.4'],
  workerd: [workerd, 'workerd@1.20261110.1'],
};

const [packed = '', ...names] = process.argv.slice(2);
for (const [name, [check, ...packages]] of Object.entries(runtimes)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-runtimes-'));
  let fault: string | undefined;
  try {
    install(folder, [resolve(packed, 'toolmend.tgz'), 'zod@4', ...packages], { allowScripts: [name] });
    fault = await check(folder);
  } catch (error) {
    fault = String(error).slice(0, 2000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${name.padEnd(8)} ${fault ?? 'works'}`);
  if (fault !== undefined) process.exitCode = 1;
}
