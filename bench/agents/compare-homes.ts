/** Compares what an agent leaves in an empty home folder after a direct run and after `toolmend launch`. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { InstalledAgent } from './install-agents.ts';
import { type CellOptions, runCell } from './run-cell.ts';
import { type Scenario, scenarios, type Way } from './scenarios.ts';

/** What differs. Names that change with every run are replaced by placeholders. */
export interface HomeComparison {
  readonly agent: string;
  readonly version: string;
  /** How many files both runs created, and which only one did. Fields of JSON files count like files. */
  readonly both: number;
  readonly onlyDirect: readonly string[];
  readonly onlyLaunched: readonly string[];
  /** Files of the launched run that mention the proxy's address, token or folder, where a direct run mentions no address. */
  readonly leaks: readonly string[];
}

/** A comparison, with the commit of the code that it is from. */
export interface StoredHome extends HomeComparison {
  readonly commit: string;
}

/** The same work in both runs: agents with an API format of their own get a server that has it. */
function soundCall(way: Way): Scenario {
  const scenario = scenarios.find(({ name }) => name === 'sound') as Scenario;
  return way === 'proxy'
    ? scenario
    : { ...scenario, server: { ...scenario.server, wires: ['anthropic', 'responses', 'gemini'] } };
}

/** Runs an agent twice in the same folders. Returns the reason if a run fails. */
export async function compareHomes(
  installed: InstalledAgent,
  { timeout }: CellOptions,
): Promise<HomeComparison | string> {
  const root = mkdtempSync(join(tmpdir(), 'toolmend-homes-'));
  const place = { home: join(root, 'home'), work: join(root, 'work') };
  const homes: Partial<Record<Way, Home>> = {};
  try {
    for (const way of ['direct', 'proxy'] as const) {
      for (const folder of Object.values(place)) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
      }
      const { right } = await runCell(installed, soundCall(way), way, { timeout, place });
      if (!right) return `the ${way === 'direct' ? 'direct' : 'launched'} run did not write its file`;
      homes[way] = readHome(place.home);
    }
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
  const { settingsInHome: configured = [] } = installed.row;
  const [direct, launched] = [homes.direct, homes.proxy] as [Home, Home];
  return {
    agent: installed.row.agent.name,
    version: installed.version,
    both: [...direct.paths].filter((path) => launched.paths.has(path)).length,
    onlyDirect: [...direct.paths].filter(
      (path) => !launched.paths.has(path) && !configured.includes(path.split(fieldMark)[0] ?? path),
    ),
    onlyLaunched: [...launched.paths].filter((path) => !direct.paths.has(path)),
    leaks: [...launched.mentions].filter((path) => !direct.mentions.has(path)),
  };
}

interface Home {
  readonly paths: ReadonlySet<string>;
  /** Files that mention an address on this machine, or the token. */
  readonly mentions: ReadonlySet<string>;
}

function readHome(home: string): Home {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const named = (some: readonly string[]): Set<string> =>
    new Set(some.map((path) => steady(relative(home, path))).sort());
  const fields = paths
    .filter((path) => path.endsWith('.json'))
    .flatMap((path) => fieldsOf(textOf(path)).map((field) => `${path}${fieldMark}${field}`));
  return {
    paths: named([...paths, ...fields]),
    mentions: named(paths.filter((path) => mentionsProxy.test(textOf(path)))),
  };
}

const fieldMark = ' # ';
const mentionsProxy = /127\.0\.0\.1:\d+|TOOLMEND_TOKEN|toolmend-launch-/;

/** The fields of a JSON text, as paths. Items of lists share one. */
export function fieldsOf(text: string): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        const own = path === '' ? key : `${path}.${key}`;
        found.add(own);
        visit(one, own);
      }
  };
  try {
    visit(JSON.parse(text), '');
  } catch {
    // Only the file itself is compared.
  }
  return [...found];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Parts of names that change with every run, longest first: identifiers, times, hashes, random endings. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID'],
  [/\d{4}-\d{2}-\d{2}T\d{2}[-:]?\d{2}([-:]?\d{2}([-.]\d{3})?)?Z?(?![\da-f])/g, 'TIME'],
  [/\d{4}[-/]\d{2}[-/]\d{2}/g, 'DATE'],
  [/\b(ses|msg|prt|tool|call)_[A-Za-z0-9]{8,}/g, '$1_ID'],
  [/[0-9a-f]{16,}/gi, 'HASH'],
  [/\d{8,}(_[a-z0-9]{4,8}\b)?/g, 'NUMBER'],
  [/\b[0-9a-f]{7,12}\b/gi, 'HASH'],
  // Process ids.
  [/(?<=[._-])\d{1,7}(?=[._-])/g, 'N'],
];

export const steady = (path: string): string =>
  changing.reduce((name, [pattern, placeholder]) => name.replace(pattern, placeholder), path);
