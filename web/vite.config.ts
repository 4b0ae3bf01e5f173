import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const noAjv = join(import.meta.dirname, 'try/no-ajv.ts');

const probe = "new Function('')";
let probes = 0;

/**
 * Removes the core's check for code generation: the page's policy forbids it, and the check itself would be a
 * violation.
 */
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
      this.error(`No file of src/schema contains ${probe}: the page would violate its own policy.`);
  },
};

/** Builds the inspector's page without inline code, so that it runs under the strictest policy. */
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
    // The licences of bundled packages must be distributed with them.
    license: { fileName: 'licences.md' },
    // A chunk of its own, because the pattern engine changes less often than our code and stays cached.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'patterns', test: /node_modules\/re2js\// }] } } },
  },
});
