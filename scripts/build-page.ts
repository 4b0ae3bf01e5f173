/** Builds the inspector's page into `web/dist`, where that is older than its sources. Run: `npm run build:web`. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');
const built = join(web, 'dist');
const stamp = join(built, '.built');

/** Gives the folder of the built page. Others may build at the same moment: each builds aside and puts it in place whole. */
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

/** Always the page that users get: where tests set another environment, Vite would write this machine's paths into it. */
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

/** When the newest of the files it is made of was written. */
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
