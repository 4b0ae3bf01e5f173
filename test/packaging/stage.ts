import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isLong } from '../sample.ts';
import { install } from './install.ts';
import { fetched, nodeOf, nodeVersions } from './node-of.ts';
import { manifest, type Packed, packPackage, root } from './pack.ts';

/** What the suites look at: the packed package, and two projects of users in which it is installed. */
export interface Stage {
  readonly packed: Packed;
  /** A project with the package and nothing else. */
  readonly bare: string;
  /** A project with every optional peer and two compilers beside it. */
  readonly full: string;
  readonly close: () => void;
}

/** The compiler of today and the one before, by the folders in which they are. */
const installed = { '7.0': 'typescript-7', '6.0': 'typescript' } as const;
/** The versions of the compiler; in a long run also the oldest we promise to work with. */
export const compilers: readonly string[] = ['7.0', '6.0', ...(isLong ? ['5.9'] : [])];

/** The program of a version of the compiler. */
export const compilerOf = (version: string, project: string): string => {
  const folder = version in installed ? installed[version as '7.0'] : undefined;
  return join(folder ? join(project, 'node_modules', folder) : fetched('typescript', version), 'bin/tsc');
};

export const setStage = (): Stage => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-package-'));
  const packed = packPackage(folder);
  const [bare, full] = [join(folder, 'bare'), join(folder, 'full')];
  for (const version of nodeVersions) nodeOf(version);
  install(bare, [packed.tarball]);
  const peers = [...Object.keys(manifest.peerDependencies), '@types/node', '@types/pg'];
  const versioned = (name: string): string => `${name}@${manifest.devDependencies[name]}`;
  if (isLong)
    install(full, [packed.tarball, ...[...peers, ...Object.values(installed)].map(versioned)], {
      overrides: overridden(),
    });
  else link(full, bare, [...peers, ...Object.values(installed)]);
  return { packed, bare, full, close: () => rmSync(folder, { recursive: true, force: true }) };
};

/** The overrides of the package, with their references to its dependencies resolved. */
const overridden = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(manifest.overrides).map(([name, version]) => [
      name,
      version.startsWith('$') ? (manifest.devDependencies[version.slice(1)] as string) : version,
    ]),
  );

/** A project like another, with packages of ours beside: installing them anew would take longer than all that is tested. */
function link(folder: string, like: string, packages: readonly string[]): void {
  cpSync(like, folder, { recursive: true, verbatimSymlinks: true });
  for (const name of packages) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
  }
}

/** The environment of a user who has that version of Node. */
export const envOf = (version: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: nodeOf(version) + delimiter + process.env.PATH,
  NODE_OPTIONS: '',
  NO_COLOR: '1',
});

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a project, on a version of Node. */
export const runIn = (project: string, version: string, [program, ...args]: [string, ...string[]], input = ''): Ran => {
  const options = { cwd: project, env: envOf(version), encoding: 'utf8', input, timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { status, stdout, stderr };
};
