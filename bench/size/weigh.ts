import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';

/** The size of a piece of code in bytes with all its imports, and where it runs. */
export interface Weight {
  readonly minified: number;
  readonly packed: number;
  readonly platform: Platform;
}

const bundled = async (code: string, folder: string, platform: Platform): Promise<string> => {
  const result = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    platform,
    logLevel: 'silent',
    // Optional imports, which no bundler would resolve either.
    external: ['*.node', 'pg-native', 'cloudflare:*'],
  });
  return result.outputFiles.map((file) => file.text).join('');
};

/** Weighs code as an application ships it: for browsers, or for Node where it needs that. */
export async function weigh(code: string, folder: string): Promise<Weight> {
  const platforms: readonly Platform[] = ['browser', 'node'];
  for (const [at, platform] of platforms.entries()) {
    try {
      const text = await bundled(code, folder, platform);
      return { minified: Buffer.byteLength(text), packed: gzipSync(text, { level: 9 }).length, platform };
    } catch (error) {
      if (at === platforms.length - 1) throw error;
    }
  }
  throw new Error('There is no platform to bundle for');
}
