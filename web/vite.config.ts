import { defineConfig } from 'vite';

/** Builds the inspector's page without inline code, so that it runs under the strictest policy. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/inspector/',
  publicDir: 'public',
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
