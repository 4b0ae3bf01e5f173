import { decodeEntities } from './decode-entities.ts';

/** Whose first quote is an entity, and no sign that entities stand for is written plainly. */
const encoded = /^\s*[[{]\s*&(?:quot|#34);(?:[^<>"&]|&#?\w+;)*$/;
const wide = /^\s*｛([^｛]*)｝\s*$/;

/** The text with JSON's own signs, where all of them are HTML entities or its braces full-width; undefined for any other. */
export function plainSigns(text: string): string | undefined {
  if (encoded.test(text)) return decodeEntities(text);
  const inside = wide.exec(text)?.[1];
  return inside && `{${inside}}`;
}
