const relativeImport = /(\bfrom\s+|\bimport\(\s*|\bimport\s+)(['"])(\.{1,2}\/[^'"\n]*)\.ts\2/g;

/**
 * Points the relative imports of a declaration file at `.js`. The compiler does this for code but not for
 * declarations, and a user's older compiler would not find `./value.ts` in a package that has `value.d.ts`.
 */
export const relativeToJs = (declarations: string): string => declarations.replace(relativeImport, '$1$2$3.js$2');
