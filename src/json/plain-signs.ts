import { decodeEntities } from './decode-entities.ts';

/**
 * Whose quotes are all entities, and nothing else is one: any other entity may be the value's own, since nothing says
 * whether all signs were encoded or only the quotes.
 */
const encoded = /^\s*[[{]\s*&(?:quot|#34);(?:[^<>"&]|&(?:quot|#34);)*$/;
const wide = /^\s*｛([^｛]*)｝\s*$/;

/** The text with JSON's own signs, where all of them are HTML entities or its braces full-width; undefined for any other. */
export function plainSigns(text: string): string | undefined {
  if (encoded.test(text)) return decodeEntities(text);
  const inside = wide.exec(text)?.[1];
  return inside && `{${inside}}`;
}
