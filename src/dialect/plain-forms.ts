/** What a line may begin with that was put before it: numbers, quote marks, signs of a diff, a place in a file. */
const prefix =
  /^[ \t]{0,40}(?:(?:[\w./\\@-]{1,200}[:-]\d{1,7}[:-]|[Ll]?\d{1,7}[ \t]{0,8}[→:|.)\]\t│]|[>+\-*|│┃]|\/\/|#)[ \t]?){1,6}/gm;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

const withoutPrefixes = (text: string): string => text.replace(prefix, '');

const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]{1,5})|#(\d{1,6})|([a-z]{2,4}));/gi, (whole, hex, digits, name) => {
        if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
        const code = Number.parseInt(hex ?? digits, hex ? 16 : 10);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;

const withoutEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:u([\da-f]{4})|([\s\S]))/gi, (_, hex, char) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (letters[char] ?? char),
      )
    : text;

/** Text as a cell of a table in text holds it: its quotes doubled. */
const withoutDoubled = (text: string): string => (text.includes('""') ? text.replaceAll('""', '"') : text);

/** Text as an address holds it. */
export const withoutPercents = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
        try {
          return decodeURIComponent(bytes);
        } catch {
          return bytes;
        }
      })
    : text;

/** Characters that nobody sees. */
export const unseen = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/** The ways a text may have to be read to find what was written in it: as it is, without what each line begins with, unescaped once. */
export function plainForms(given: string): string[] {
  const text = given.replace(unseen, '');
  const stripped = withoutPrefixes(text);
  const unescaped = withoutEscapes(text);
  const forms = [
    ...[text, stripped, unescaped, withoutPrefixes(unescaped), withoutEscapes(stripped), withoutEscapes(unescaped)],
    ...[withoutEntities(text), withoutEntities(stripped), withoutEntities(unescaped)],
    ...[withoutDoubled(text), withoutDoubled(stripped), withoutPercents(text), withoutPercents(stripped)],
    ...(/%22|%7b|=[^\s=]{0,400}\+/i.test(text) ? [withoutPercents(text.replaceAll('+', ' '))] : []),
  ];
  return [...new Set(forms)];
}
