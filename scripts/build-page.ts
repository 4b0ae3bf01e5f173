/** Builds the inspector's page into `web/dist` if that is older than its sources. Run: `npm run build:web`. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');
const built = join(web, 'dist');
const stamp = join(built, '.built');

/** Returns the folder of the built page. Builds may run in parallel, so each builds in a temporary folder and renames it. */
export async function buildPage(): Promise<string> {
  if (modified(stamp) > newest()) return built;
  const began = Date.now();
  const aside = join(web, `.dist-${process.pid}`);
  await buildInto(aside);
  writeFileSync(join(aside, '.built'), new Date(began).toISOString());
  const old = `${aside}-old`;
  for (let tries = 5; ; tries -= 1) {
    try {
      if (modified(built) > 0) renameSync(built, old);
      renameSync(aside, built);
      break;
    } catch (error) {
      if (tries === 0) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
  return built;
}

/** Always builds for production. In a test environment, Vite would write this machine's paths into the page. */
async function buildInto(outDir: string): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const { build } = await import('vite');
    await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** The modification time of the newest source file. */
function newest(): number {
  let last = modified(join(root, 'package.json'));
  for (const folder of [web, join(root, 'src')])
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (!/^(?:dist|\.dist)/.test(file)) last = Math.max(last, modified(join(folder, file)));
  return last;
}

function modified(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

if (import.meta.main) await buildPage();
