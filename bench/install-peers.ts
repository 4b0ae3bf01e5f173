/** Installs the packages that a benchmark compares with into `.bench/peers/`, because the package itself needs none of them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type PeerPackage, peerPackages } from './peer-packages.ts';

export interface Peers {
  /** The installed versions, by package. */
  readonly versions: Readonly<Record<string, string>>;
  /** Why a package is missing, by package. A benchmark reports it and continues without it. */
  readonly missing: Readonly<Record<string, string>>;
  /** Imports a package or a part of it, such as `openai/_vendor/x`; the caller knows its exports. */
  readonly load: <T>(specifier: string) => Promise<T>;
}

/** The folder of the packages. */
export const peersFolder = fileURLToPath(new URL('../.bench/peers/', import.meta.url));

const read = (file: string): Record<string, unknown> | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : undefined;
const installed = (name: string): unknown => read(`${peersFolder}node_modules/${name}/package.json`)?.version;

/** npm may try versions without end if none of them fits, so it fails after this time. */
const timeout = 300_000;

/** Installs more packages. Returns npm's message if it fails. */
function install(wanted: Readonly<Record<string, string>>): string | undefined {
  const before = (read(`${peersFolder}package.json`)?.dependencies ?? {}) as Record<string, string>;
  const write = (dependencies: Record<string, string>): void =>
    writeFileSync(`${peersFolder}package.json`, `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`);
  write({ ...before, ...wanted });
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: peersFolder, encoding: 'utf8', timeout });
  if (status === 0) return undefined;
  write(before);
  return stderr.trim().split('\n').slice(0, 3).join(' ') || (error?.message ?? `npm ended with ${status}`);
}

/** Installs what is missing, all at once or, if that fails, one by one. */
export function installPeers(names: readonly PeerPackage[]): Peers {
  mkdirSync(peersFolder, { recursive: true });
  // Imports are resolved from the file that contains them.
  writeFileSync(`${peersFolder}load.mjs`, 'export const load = (specifier) => import(specifier);\n');
  const missing: Record<string, string> = {};
  const wanted = names.filter((name) => installed(name) !== peerPackages[name]);
  if (wanted.length > 0) {
    console.error(`Installing ${wanted.join(', ')} into .bench/peers …`);
    const versions = (some: readonly PeerPackage[]) => Object.fromEntries(some.map((one) => [one, peerPackages[one]]));
    if (install(versions(wanted)) !== undefined) {
      for (const name of wanted) {
        const failure = install(versions([name]));
        if (failure !== undefined) missing[name] = failure;
      }
    }
  }
  const there = names.filter((name) => !(name in missing));
  return {
    versions: Object.fromEntries(there.map((name) => [name, String(installed(name))])),
    missing,
    load: async (specifier) => (await import(`${peersFolder}load.mjs`)).load(specifier),
  };
}
