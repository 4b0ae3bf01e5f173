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

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text whose entities stand for characters, with these characters; entities nobody knows stay. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, dec?: string, hex?: string, name?: string) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const code = dec ? Number(dec) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
