/** Builds the package into `dist/`: plain ES modules, declarations and maps, and the inspector's page. Run: `npm run build`. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from './build-page.ts';
import { relativeToJs } from './relative-to-js.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '--checkers', '1', '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(dist, file);
  writeFileSync(path, relativeToJs(readFileSync(path, 'utf8')));
}

// The proxy and the gateway read the schemas of their settings from their own folder.
for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }))
  if (file.endsWith('.schema.json')) cpSync(join(root, 'src', file), join(dist, file));

cpSync(await buildPage(), join(dist, 'web'), { recursive: true, filter: (path) => !path.endsWith('.built') });
