import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

const leaveLazy: Plugin = {
  name: 'leave-lazy',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[.]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  logLevel: 'silent',
  plugins: [leaveLazy],
} as const satisfies BuildOptions;

/** What to bundle: the entry with its dependencies, or only our own code. */
export type Part = 'own' | 'all';

/**
 * Bundles an entry as a browser application would: one minified ES module, without the files that are loaded when they are
 * first needed. Fails if something needs Node.
 *
 * @param names What the application imports. Anything else is left out, as bundlers do.
 * @example await bundle('src/index.ts', 'all', '{ mend, tool }')
 */
export const bundle = async (entry: string, part: Part, names = '*'): Promise<string> => {
  const result = await build({
    ...options,
    stdin: { contents: `export ${names} from './${entry}'`, resolveDir: root, loader: 'ts' },
    packages: part === 'own' ? 'external' : 'bundle',
  });
  return result.outputFiles.map((file) => file.text).join('');
};

/** The absolute paths of our own files that an entry loads. */
export const filesOf = async (entry: string): Promise<ReadonlySet<string>> => {
  const { metafile } = await build({ ...options, entryPoints: [entry], packages: 'external', metafile: true });
  return new Set(Object.keys(metafile.inputs).map((file) => join(root, file)));
};
