import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of the npm that runs the tests are not those of a user's project. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle|config_(?:local_)?prefix)/i.test(name)),
);

export interface InstallOptions {
  readonly allowScripts?: readonly string[];
  /** Versions of packages that other packages depend on. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** npm may try versions without end if none of them fits, so it fails after this time. */
const timeout = 300_000;

/** Installs packages into an empty project, as a user would; what npm has fetched before is not fetched again. */
export const install = (
  folder: string,
  packages: readonly string[],
  { allowScripts = [], overrides = {} }: InstallOptions = {},
): void => {
  mkdirSync(folder, { recursive: true });
  const scripts = Object.fromEntries(allowScripts.map((name) => [name, true]));
  const project = { private: true, type: 'module', allowScripts: scripts, overrides };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  if (allowScripts.length === 0) args.push('--ignore-scripts');
  execFileSync('npm', [...args, ...packages], { cwd: folder, env, stdio: 'pipe', timeout });
};
