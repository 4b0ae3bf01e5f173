const invisible = /[\p{Cc}\p{Cf}]/gu;
const betweenDigits = /(?<=\p{N})[\s_.-]+(?=\p{N})/gu;
/** A sign before a word is none of its separators: `-delete_file` does not ask for `delete_file`. */
const sign = /^[\s._]*-|(?<=[\s._])-(?=[\p{L}\p{N}])/gu;
const separators = /[\s.-]+|_+(?!\p{N})|(?<!\p{N})_+/gu;

/** Names longer than this are nobody's; they are compared exactly and no further. */
export const longestName = 256;

/**
 * A name without what models get wrong: case, camelCase and the separators `_ - .` and space. A separator between
 * digits stays, as `_`, because `v1_0` and `v10` are two versions.
 */
export function foldName(name: string): string {
  if (/^[a-z0-9]+$/.test(name)) return name;
  const visible = /^[\x20-\x7e]+$/.test(name) ? name : name.normalize('NFC').replace(invisible, '');
  const signed = visible.includes('-') ? visible.replace(betweenDigits, '_').replace(sign, '\0') : visible;
  return signed.replace(betweenDigits, '_').replace(separators, '').replace(/\0/g, '-').toLowerCase();
}
