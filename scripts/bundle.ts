import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

const leaveLazy: Plugin = {
  name: 'leave-lazy',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[.]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

/** What to bundle: the entry with its dependencies, or only our own code. */
export type Part = 'own' | 'all';

/**
 * Bundles an entry as a browser application would: one minified ES module, without the files that it loads when they are first
 * needed. Fails if something needs Node.
 *
 * @example await bundle('src/index.ts', 'all')
 */
export const bundle = async (entry: string, part: Part): Promise<string> => {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    packages: part === 'own' ? 'external' : 'bundle',
    logLevel: 'silent',
    plugins: [leaveLazy],
  });
  return result.outputFiles.map((file) => file.text).join('');
};
