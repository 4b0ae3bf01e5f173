/** Words that hold a schema to nothing: they stand on the whole, whatever becomes of its parts. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  '$defs',
  'definitions',
]);
