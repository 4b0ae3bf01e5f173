/** Words that may stand beside a union without holding its forms to anything: they are for people, or name what is elsewhere. */
export const besideUnion: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'discriminator',
]);
