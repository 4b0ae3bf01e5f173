/** The layers in their order: each may import itself and what stands before it. `src/*.ts` are the package's entries. */
export const layers = [
  'json',
  'schema',
  'tools',
  'model',
  'mend',
  'dialect',
  'provider',
  'log',
  'execute',
  'run',
  'inspect',
  'proxy',
  'gateway',
  'adapter',
  'cli',
];
/** The layers that run anywhere, browsers and edge workers too, and the only packages these may use. */
const core = layers.slice(0, layers.indexOf('dialect') + 1);
const corePackages = ['ajv', 're2js'];

const folders = (names) => `^src/(${names.join('|')})/`;
const tests = '[.]test[.]ts$';
/** Dev dependencies that are bundled into the package (`scripts/sbom.ts`). */
const bundled = ['@modelcontextprotocol', 'eventsource-parser', 'prom-client'];

const packages = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const oneWay = layers
  .slice(0, -1)
  .map((layer, index) =>
    forbid(
      `layer-${layer}`,
      `${layer}/ may import only itself and the layers before it`,
      { path: folders([layer]) },
      { path: folders(layers.slice(index + 1)) },
    ),
  );

export default {
  forbidden: [
    ...oneWay,
    forbid(
      'run-without-provider',
      'run/ and provider/ know the same model interface of model/; the entrances join them',
      { path: folders(['run']) },
      { path: folders(['provider']) },
    ),
    forbid(
      'no-entry-import',
      'a layer imports files, never the package entry that gathers them',
      { path: '^src/[^/]+/', pathNot: tests },
      { path: '^src/[^/]+[.]ts$' },
    ),
    forbid(
      'listed-folders',
      'a folder under src/ is a layer of the list',
      { path: '^src/' },
      {
        path: '^src/[^/]+/',
        pathNot: folders(layers),
      },
    ),
    forbid(
      'listed-folders-from',
      'a folder under src/ is a layer of the list',
      {
        path: '^src/[^/]+/',
        pathNot: folders(layers),
      },
      {},
    ),
    forbid(
      'model-types-only',
      'model/ holds types only, so it is imported with `import type`',
      { path: '^src/' },
      {
        path: folders(['model']),
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'core-runs-anywhere',
      'the core runs in browsers and edge workers',
      {
        path: folders(core),
        pathNot: tests,
      },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'core-packages',
      `the core uses no package but ${corePackages.join(' and ')}`,
      {
        path: folders(core),
        pathNot: tests,
      },
      { dependencyTypes: packages, pathNot: `node_modules/(${corePackages.join('|')})/` },
    ),
    forbid(
      'no-dev-packages',
      'what ships must be installed with it',
      { path: '^src/', pathNot: tests },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: `node_modules/(${bundled.join('|')})/`,
        dependencyTypesNot: ['npm-peer', 'type-only'],
      },
    ),
    forbid(
      'stays-in-src',
      'what ships stands under src/',
      { path: '^src/', pathNot: tests },
      {
        path: '^(test|bench|scripts|examples)/',
      },
    ),
    forbid(
      'page-imports',
      'the page knows what the log says and the entries of the core, and no other part of the package',
      { path: '^web/', pathNot: tests },
      {
        path: '^src/',
        pathNot:
          '^src/(index|dialect/(index|dialects/index)|inspect/api|json/repair|tools/parse-definitions)[.]ts$|^src/(log|model)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'not-to-page',
      'the page is built beside the package, and nothing of it is imported',
      { path: '^src/' },
      { path: '^web/' },
    ),
    forbid('not-to-test', 'a test is imported by nobody', { path: '^src/' }, { path: tests }),
    forbid('no-cycles', 'a cycle is two files that are one', { path: '^src/' }, { circular: true }),
    forbid('no-orphans', 'a file nobody imports is no part of anything', { orphan: true, path: '^src/' }, {}),
    forbid('resolvable', 'an import must lead somewhere', { path: '^src/' }, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What is built, another step may build at the same moment.
    exclude: { path: '^web/[.]?dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
