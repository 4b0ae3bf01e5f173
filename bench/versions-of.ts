import { readFileSync } from 'node:fs';

/** The versions of packages that the project's own tests use too. */
export const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => {
      const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
      return [name, String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version)];
    }),
  );
