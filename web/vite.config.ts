import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const noAjv = join(import.meta.dirname, 'try/no-ajv.ts');

const probe = "new Function('')";
let probes = 0;

/** The core checks once whether code may be generated. The page's policy forbids it, and the check itself would be a violation. */
const noCodeFromText: Plugin = {
  name: 'no-code-from-text',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/schema/') || !code.includes(probe)) return undefined;
    probes++;
    return code.replace(probe, 'throw new EvalError()');
  },
  buildEnd(error) {
    if (!error && probes === 0)
      this.error(`No file of src/schema holds ${probe}: the page would violate its own policy.`);
  },
};

/** The inspector's page: files of its own and nothing inline, so that it runs under the strictest policy. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/inspector/',
  publicDir: 'public',
  plugins: [noCodeFromText],
  resolve: { alias: { 'ajv/dist/2020.js': noAjv, ajv: noAjv } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What is bundled is passed on, and so its licences are.
    license: { fileName: 'licences.md' },
    // The pattern engine changes far less often than our own code: browsers keep it in their cache.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'patterns', test: /node_modules\/re2js\// }] } } },
  },
});
