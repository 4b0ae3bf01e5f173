import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const noAjv = join(import.meta.dirname, 'try/no-ajv.ts');

/** The core asks once whether code may be made from text. Here the answer is known, and asking would be a violation. */
const noCodeFromText: Plugin = {
  name: 'no-code-from-text',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/schema/compile.ts') ? code.replace("new Function('')", 'throw new EvalError()') : undefined,
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
  },
});
