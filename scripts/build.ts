/**
 * Builds the package into `dist/`: a module and its declarations for each entry, the code they share, and the inspector's
 * page. Run: `npm run build`.
 */
import { cpSync, globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'tsdown';
import { buildPage } from './build-page.ts';
import { filesOf } from './bundle.ts';
import { entries, portableEntries } from './entries.ts';
import { lazyPatterns } from './lazy-patterns.ts';
import { licencesOf } from './licences.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Layers that become one file each. The commands are split, and so is what imports a package that may be missing. */
const layers =
  /\/src\/(json|schema|tools|model|mend|dialect|provider|execute(?!\/mcp)|run|inspect|proxy|gateway)\/.*(?<!\.d)\.ts$/;

/**
 * A layer is split where an entry must not load all of it: the root entry loads only what it needs, and entries for browsers
 * and edge workers nothing of Node.
 */
const ofRoot = await filesOf(entries.index);
const portable = await Promise.all(portableEntries.map((name) => filesOf(entries[name])));
const ofPortable = new Set(portable.flatMap((files) => [...files]));
const rootLayers = new Set(['json', 'schema', 'tools', 'mend']);
const chunkOf = (file: string): string | null => {
  const layer = layers.exec(file)?.[1];
  if (layer === undefined) return null;
  if (rootLayers.has(layer)) return ofRoot.has(file) ? layer : `${layer}-more`;
  return ofPortable.has(file) ? `${layer}-portable` : layer;
};

const bundled = new Set<string>();

await build({
  config: false,
  cwd: root,
  entry: { ...entries, toolmend: 'src/cli/main.ts' },
  outDir: dist,
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  fixedExtension: false,
  dts: true,
  deps: {
    // What a bundled package imports is bundled, too, even if it is an optional peer of ours.
    alwaysBundle: (_id, importer) => importer?.includes('/node_modules/') ?? false,
    onlyBundle: false,
    dts: { alwaysBundle: [] },
  },
  clean: true,
  logLevel: 'error',
  plugins: [
    {
      name: 'collect-bundled-files',
      renderChunk(_code, { moduleIds }) {
        for (const file of moduleIds) if (file.includes('/node_modules/')) bundled.add(file);
      },
    },
    {
      name: 'runtime-without-node',
      // Bundled packages use `require`, but every entry imports this file, also those for browsers and edge workers.
      renderChunk(code, { fileName }) {
        if (!fileName.endsWith('rolldown-runtime.js')) return null;
        const changed = code
          .replace(/^import \{ createRequire \} from "node:module";\n/, '')
          .replace(
            'createRequire(import.meta.url)',
            '(id) => process.getBuiltinModule("node:module").createRequire(import.meta.url)(id)',
          );
        if (/\bfrom "node:/.test(changed)) throw new Error('The runtime of the bundler imports modules of Node');
        return changed;
      },
    },
    {
      name: 'lazy-patterns',
      renderChunk(code, { fileName }) {
        return fileName.endsWith('.js') ? lazyPatterns(code, (text) => this.parse(text)) : null;
      },
    },
  ],
  inputOptions: { preserveEntrySignatures: 'allow-extension', checks: { bundlerTimings: false } },
  outputOptions: {
    chunkFileNames: 'chunks/[name].js',
    // Declarations have their own comments, so the modules don't need them.
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'layers', name: chunkOf }],
    },
  },
});

writeFileSync(join(dist, 'licences.md'), licencesOf(bundled));
// Editors validate configuration files against the schemas.
for (const file of globSync('src/**/*.schema.json', { cwd: root }))
  cpSync(join(root, file), join(dist, basename(file)));
cpSync(await buildPage(), join(dist, 'web'), { recursive: true, filter: (path) => !path.endsWith('.built') });
