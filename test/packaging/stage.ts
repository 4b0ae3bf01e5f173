import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { install } from './install.ts';
import { nodeOf, nodeVersions } from './node-of.ts';
import { manifest, type Packed, packPackage } from './pack.ts';

/** What the suites look at: the packed package, and two projects of users in which it is installed. */
export interface Stage {
  readonly packed: Packed;
  /** A project with the package and nothing else. */
  readonly bare: string;
  /** A project with every optional peer and two compilers beside it. */
  readonly full: string;
  readonly close: () => void;
}

/** The compiler of today and the one before. */
export const compilers: Readonly<Record<string, string>> = { '7.0': 'typescript', '6.0': 'typescript-before' };

export const setStage = (): Stage => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-package-'));
  const packed = packPackage(folder);
  const [bare, full] = [join(folder, 'bare'), join(folder, 'full')];
  for (const version of nodeVersions) nodeOf(version);
  install(bare, [packed.tarball]);
  const peers = [...Object.keys(manifest.peerDependencies), '@types/node', '@types/pg'];
  install(full, [
    packed.tarball,
    ...peers.map((name) => `${name}@${manifest.devDependencies[name]}`),
    'typescript@7.0.2',
    'typescript-before@npm:typescript@6.0.3',
  ]);
  return { packed, bare, full, close: () => rmSync(folder, { recursive: true, force: true }) };
};

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
