import { defineConfig } from 'vite';

/** The inspector's page: files of its own and nothing inline, so that it runs under the strictest policy. */
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
  },
});
