/** Secrets in sentences of a form that leaves no doubt. */

/**
 * A secret is in quotes, or follows a colon and has letters and digits. Words about the state of a password are not
 * secrets.
 */
const state =
  '(?!(?:required|optional|invalid|valid|missing|empty|blank|expired|wrong|correct|incorrect|weak|strong|short|long|safe|secure|stored|hashed|encrypted|hidden|masked|changed|reset|set|unset|null|none|true|false|yes|no|abgelaufen|falsch|leer|sicher|geheim|ung\\u00fcltig)["\'`\u201c\u201d\u00bb\\\\])';
const mixed =
  '(?=[^\\s"\'`]{0,60}\\d)(?=[^\\s"\'`]{0,60}\\p{L})[^\\s"\'`<>{}$()\\[\\],;\u201c\u201d\u201e\u00ab\u00bb\\\\\uff0c\u3002\u3001]{4,100}';
const says = '\\s{1,4}(?:is|was|ist|lautet|war|est|es|\u00e9)';
const open = '\\\\*["\'`\u201c\u201e\u00ab]';
const names = '(?:pass(?:word|phrase|code|wort)|kennwort|mot de passe|contrase\u00f1a|senha|wachtwoord)';
/** Names in other languages, which the other rules don't know. */
const foreign =
  '(?:mot de passe|contrase\u00f1a|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638)';
const forms: readonly RegExp[] = [
  new RegExp(
    `(\\b${names}${says}:?\\s{1,4}${open})${state}[^\\s"'\`\\\\$<\u201c\u201d\u00bb]{3,100}(?=\\\\*["'\`\u201c\u201d\u00bb])`,
    'giu',
  ),
  new RegExp(
    `(\\b(?:api[ -]?key|(?:access |api |auth )?token)${says}:?\\s{1,4}${open})${mixed}(?=\\\\*["'\`\u201c\u201d\u00bb])`,
    'giu',
  ),
  new RegExp(`(\\b${names}${says}:\\s{1,4})${mixed}`, 'giu'),
  new RegExp(`(${foreign}\\s{0,2}[:\uff1a]\\s{0,2}(?:${open})?)${mixed}`, 'giu'),
];
const hint =
  /pass(?:word|phrase|code|wort)|kennwort|mot de passe|contrase|senha|wachtwoord|api[ -]?key|token|[\u043f\u5bc6\u30d1\ube44]/i;

const opening = new RegExp(
  `(?<![\\w-])(?:(?:${names}|api[ -]?key|(?:access |api |auth )?token)(?:\\s{1,4}[\\p{L}]{0,7}:?\\s{0,4}(?:${open}[^\\s"'\`]*)?)?$|(?:${names}${says}:|${foreign})[^\\n]*$|(?:mot(?: d\\p{L}?(?: \\p{L}{0,5})?)?|api(?: \\p{L}{0,3})?)\\s*$)`,
  'iu',
);

/** Replaces secrets in sentences. */
export function redactProse(text: string, instead: string): string {
  if (!hint.test(text)) return text;
  let clean = text;
  for (const form of forms) clean = clean.replace(form, `$1${instead}`);
  return clean;
}

/** The offset in the last line from which a secret may follow. */
export const proseFrom = (line: string): number => {
  const at = line.search(opening);
  return at < 0 ? line.length : at;
};
