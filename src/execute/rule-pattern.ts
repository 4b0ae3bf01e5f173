/** Patterns of permission rules, in which `*` matches any text. A rule that forbids matches more than one that allows. */
export interface RulePattern {
  /** Whether a rule that allows matches: letter by letter, and `*` only matches plain text. */
  readonly narrow: (text: string) => boolean;
  /** Whether a rule that forbids or asks matches: any spelling that a file system or a shell may read the same. */
  readonly wide: (text: string) => boolean;
}

/**
 * What `*` must not match in a rule that allows: leaving the folder, also in percent escapes; a second command; a
 * variable; and what a reader doesn't see.
 */
const unplain =
  /(?:^|[\\/])\.\.[ .]*(?:[\\/]|$)|%(?:2e|2f|5c|25|[01][\da-f])|[;|&`<>]|\$[\w({@*#?!$-]|(?:^|\s)\$['"]|%[^%\s]+%|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/iu;

export function rulePattern(pattern: string): RulePattern {
  const pieces = pattern.split('*');
  const folded = pieces.map(fold);
  return {
    narrow: (text) =>
      pattern === '*' ||
      (fitsPieces(text, pieces) &&
        (pieces.length === 1 || !(unplain.test(text) || unplain.test(text.normalize('NFKC'))))),
    wide: (text) => fitsPieces(text, pieces) || spellings(text).some((one) => fitsPieces(one, folded)),
  };
}

/** A text without what a file system or a shell ignores: case, width, invisible characters, the kind of slash and blank. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/\s+/g, ' ');

/** What a text may mean: as it is, decoded, as a path without detours, and without the end that a file system drops. */
function spellings(text: string): string[] {
  const folded = [fold(text), ...(/%[\da-f]{2}/i.test(text) ? [fold(decoded(text))] : [])];
  const direct = folded.flatMap((one) => (one.includes('/') ? [one, directPath(one)] : [one]));
  return [...new Set(direct.flatMap((one) => [one, one.replace(/(?<![ ./])[ ./]+$/, ''), one.trim()]))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function directPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.' || (part === '' && kept.length > 0)) continue;
    const last = kept.at(-1);
    if (part === '..' && last !== undefined && last !== '' && last !== '..') kept.pop();
    else kept.push(part);
  }
  return kept.join('/');
}

/** Whether the pieces occur in order, the first at the start and the last at the end. */
export function fitsPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
