/** Installs agents into `.bench/agents/NAME/`, each into a folder of its own, because they pin different versions of the same packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentRow } from './agent-rows.ts';

export const agentsFolder = fileURLToPath(new URL('../../.bench/agents/', import.meta.url));

/** An agent that can run. */
export interface InstalledAgent {
  readonly row: AgentRow;
  readonly version: string;
  /** The folder of its program. */
  readonly bin: string;
}

/** npm can search without end for a version of a peer that doesn't exist. */
const patience = 10 * 60_000;

/** Options of the installation. */
export interface InstallOptions {
  /** Install the newest versions instead of the pinned ones, in folders of their own. */
  readonly latest: boolean;
  /** Install nothing, because the network is out of reach. */
  readonly offline: boolean;
  readonly say: (line: string) => void;
}

/** Installs an agent if needed. Returns the reason if it can't be installed. */
export function installAgent(row: AgentRow, { latest, offline, say }: InstallOptions): InstalledAgent | string {
  const { agent, packages } = row;
  const folder = join(agentsFolder, latest ? `${agent.name}-latest` : agent.name);
  const [own = ''] = Object.keys(packages);
  const isThere = (): boolean =>
    Object.entries(packages).every(([name, version]) => installed(folder, name) === version) &&
    existsSync(join(folder, 'node_modules/.bin', agent.program));
  if (!offline && (latest || !isThere())) {
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${latest ? 'latest' : version}`);
    say(`Installing ${wanted.join(' ')} into ${folder.slice(folder.indexOf('.bench'))} …`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...wanted];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: patience, killSignal: 'SIGKILL' });
    if (status !== 0) return status === null ? `npm took longer than ${patience / 60_000} minutes` : firstLines(stderr);
  }
  const version = installed(folder, own);
  return version === undefined
    ? `${own} is not in ${folder}`
    : { row, version, bin: join(folder, 'node_modules/.bin') };
}

const firstLines = (text: string): string => text.trim().split('\n').slice(0, 2).join(' ');

function installed(folder: string, name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version : undefined;
}
