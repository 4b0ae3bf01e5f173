import { callKeys } from '../call/call-shape.ts';

/** A compiled template, for complete and partial matches. */
export interface Pattern {
  /** Matches the complete template at `lastIndex`. */
  readonly whole: RegExp;
  /** The same at the end of the text, if that may follow. */
  readonly last?: RegExp;
  /** Matches the template, or as much of it as fits before the text ends. */
  readonly part: RegExp;
  /** The hole of each group in `whole`. */
  readonly holes: readonly string[];
  /** The literal at its start. */
  readonly head: string;
  /** The first characters that have only one spelling, compared before matching. */
  readonly lead: string;
  /** The first characters in all their spellings. */
  readonly keys: readonly string[];
  /** Values of holes that the pattern spells out. */
  readonly fixed?: Readonly<Record<string, string>>;
}

interface Token {
  readonly full: string;
  /** Matches any prefix up to the end of the text. */
  readonly part: string;
  readonly holes?: readonly string[];
  /** All possible texts, if there are few. */
  readonly ways?: readonly string[];
}

const gapFull = '(?:\\s|<[be]os>){0,99}';
const gap: Token = { full: gapFull, part: `${gapFull}(?:<(?:[be](?:os?)?)?)?$` };
const curly = '“”„‟';
const quoted = (size: number): string =>
  `"([^"\\n]{0,${size}})"|'([^'\\n]{0,${size}})'|[${curly}]([^${curly}\\n]{0,${size}})[${curly}]|([^\\s"'<>/]{1,${size}})["']?`;
const attribute = (hole: string): Token => ({
  full: `\\s{0,9}=\\s{0,9}(?:${quoted(256)})`,
  part: `\\s{0,9}(?:=\\s{0,9}(?:"[^"\\n]{0,256}|'[^'\\n]{0,256}|[${curly}][^${curly}\\n]{0,256}|[^\\s"'<>/]{0,256}["']?)?)?$`,
  holes: [hole, hole, hole, hole],
});

/** What each hole can match. None spans lines, so that a missing closer costs no more than a line. */
const holes: Readonly<Record<string, (next: string) => Token>> = {
  name: (next) => plain('name', next === '>' ? '[^<>"\'\\n]' : '[^\\s<>{}[\\]"\'\\(\\)=,;]'),
  id: () => plain('id', '[\\w.:-]'),
  key: () => plain('key', '[^<>"\'\\n]', '(?![/!?])'),
  type: () => plain('type', '\\w'),
  num: () => ({ full: '(?::\\d{1,4})?', part: '(?::\\d{0,4})?$' }),
  n: () => ({ full: '\\d{0,9}', part: '\\d{0,9}$' }),
  word: () => ({ full: '[^\\s<>{}[\\]]{0,128}', part: '[^\\s<>{}[\\]]{0,128}$' }),
  bare: () => bareJson,
  cite: () => ({ full: '[\\d:,[\\]\\s]{0,60}', part: '[\\d:,[\\]\\s]{0,60}$' }),
  python: () => ({ full: `(?=\\[?\\s{0,99}${word})`, part: `(?:\\[\\s{0,99})?$` }),
  calls: () => ({
    full: `(?=(?:\\[\\s{0,99}|print\\(\\s{0,9})${word}\\s{0,8}\\(|${word}\\()`,
    part: `(?:(?:\\[\\s{0,99}|print\\(\\s{0,9})(?:${word}\\s{0,8})?|${word})$`,
  }),
  upper: () => ({ full: '(?=[A-Z])', part: '$' }),
  string: () => optional('string'),
  /** Never written. */
  stringRead: () => optional('string'),
  typed: () => optional('type'),
  attrs: () => ({ full: '[^<>|]{0,200}', part: '[^<>|]{0,200}$' }),
  sfx: () => ({ full: '(?::\\w{1,32})?', part: '(?::\\w{0,32})?$' }),
};

const letter = 'A-Za-z_\\u0080-\\uffff';
const word = `[${letter}][\\w.\\\\\\u0080-\\uffff-]{0,127}`;

/** An optional attribute with the type of a value. */
const optional = (name: string): Token => ({
  full: `(?:\\s{1,9}${name}\\s{0,9}=\\s{0,9}["'${curly}]?(\\w{0,32})["'${curly}]?)?`,
  part: `\\s{0,9}[\\w=\\s"'${curly}]{0,60}$`,
  holes: ['type'],
});

/** A JSON object, alone or in a list, whose first key is one of a call. */
const bareJson: Token = {
  full: `(?=(?:\\[\\s{0,99})?\\{\\s{0,99}["'](?:${callKeys.join('|')})["']\\s{0,99}:)`,
  part: `(?:\\[\\s{0,99})?(?:\\{\\s{0,99}(?:["']\\w{0,20}["']?\\s{0,99})?)?$`,
};

const plain = (hole: string, char: string, not = ''): Token => ({
  full: `${not}\\s{0,9}["']?(${char}{1,256}?)["']?\\s{0,9}`,
  part: `${not}\\s{0,9}["']?${char}{0,256}["']?\\s{0,9}$`,
  holes: [hole],
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Characters that models write in several ways. */
const variants: Readonly<Record<string, Token>> = {
  '｜': { full: '[｜|]', part: '$', ways: ['｜', '|'] },
  '▁': { full: '(?:▁|\\\\?_)', part: '\\\\?$', ways: ['▁', '_', '\\_'] },
  ' ': { full: '[\\sĠĊ]{1,99}', part: '[\\sĠĊ]{0,99}$' },
  '\n': { full: '[ \\t]{0,99}\\r?\\n\\s{0,99}', part: '[ \\t]{0,99}(?:\\r?\\n\\s{0,99}|\\r)?$' },
  '~': gap,
};

const lineEnd: Token = { full: '[ \\t]{0,99}\\r?\\n', part: '[ \\t]{0,99}\\r?$' };

/**
 * Compiles a template. White space in tags and around the quotes of attributes is optional.
 *
 * @param then what must follow without being part of the match; an empty string allows the end of the text
 * @param fill values of holes that are known in advance
 */
export function patternOf(
  template: string,
  then: readonly string[] = [],
  fill: Readonly<Record<string, string>> = {},
): Pattern {
  const tokens: Token[] = [];
  for (let at = 0; at < template.length; ) {
    const attr = /^="\{(\w+)\}"/.exec(template.slice(at));
    const hole = /^\{(\w+)\}/.exec(template.slice(at));
    const found = attr ?? hole;
    const name = found?.[1] ?? '';
    if (found && hole && fill[name] !== undefined) {
      for (const char of fill[name]) tokens.push(literal(char));
      at += found[0].length;
    } else if (found && (attr || holes[name])) {
      at += found[0].length;
      tokens.push(attr ? attribute(name) : (holes[name] as (next: string) => Token)(template[at] ?? ''));
    } else {
      const char = template[at] as string;
      if (char === '=' && template[at + 1] === '{') tokens.push(space);
      if (char === '>' && tokens.length > 0 && /[\w"}]/.test(template[at - 1] ?? '')) tokens.push(space);
      tokens.push(variants[char] ?? literal(char));
      if (char === '>' && template[at + 1] === '<') tokens.push(gap);
      at += 1;
    }
  }
  // White space at the end would match or not depending on how the text is chunked.
  if (tokens.at(-1) === variants['\n'] && then.length === 0) tokens.splice(-1, 1, lineEnd);
  const after = then.filter(Boolean).map((one) => [...one].map((char) => variants[char] ?? literal(char)));
  const wholeAfter = after.length ? `(?=${after.map((one) => one.map(({ full }) => full).join('')).join('|')})` : '';
  const partAfter = after.length ? `(?:${after.map((one) => nest(one, '')).join('|')})` : '';
  const body = tokens.map(({ full }) => full).join('');
  return {
    whole: new RegExp(body + wholeAfter, 'y'),
    ...(then.includes('') && { last: new RegExp(`${body}(?:${wholeAfter}|$)`, 'y') }),
    part: new RegExp(nest(tokens.map(uncaptured), partAfter), 'y'),
    holes: tokens.flatMap((token) => token.holes ?? []),
    head: /^[^{~]*/.exec(template)?.[0] ?? '',
    lead: leadOf(template, fill),
    keys: keysOf(tokens),
  };
}

function leadOf(template: string, fill: Readonly<Record<string, string>>): string {
  const filled = template.replace(/\{(\w+)\}/g, (hole, name: string) => fill[name] ?? hole);
  return /^[^{~｜▁ \n=>]{0,8}/.exec(filled)?.[0] ?? '';
}

const longestKey = 40;
const mostKeys = 12;

/** The possible spellings of the first tokens, up to one that matches anything. */
function keysOf(tokens: readonly Token[]): readonly string[] {
  let keys = [''];
  for (const { ways } of tokens.slice(0, longestKey)) {
    if (!ways || keys.length * ways.length > mostKeys) break;
    keys = keys.flatMap((key) => ways.map((way) => key + way));
  }
  return keys;
}

/** Whether the text so far starts like the pattern. */
export function leads({ lead }: Pattern, text: string, at: number): boolean {
  const size = Math.min(lead.length, text.length - at);
  for (let i = 0; i < size; i++) if (text.charCodeAt(at + i) !== lead.charCodeAt(i)) return false;
  return true;
}

const space: Token = { full: '\\s{0,9}', part: '\\s{0,9}$' };

const literal = (char: string): Token => ({ full: escaped(char), part: '$', ways: [char] });

const uncaptured = (token: Token): Token =>
  token.holes ? { ...token, full: token.full.replace(/(?<!\\)\((?!\?)/g, '(?:') } : token;

/** Matches all tokens, or any prefix that the end of the text cuts off. */
const nest = (tokens: readonly Token[], last: string): string =>
  tokens.reduceRight((rest, { full, part }) => `(?:${full}${rest}|${part})`, last);

/** The offset after the pattern if it matches at an offset; -1 otherwise. */
export function endAt(pattern: Pattern, text: string, at: number, ended = false): number {
  const whole = (ended && pattern.last) || pattern.whole;
  whole.lastIndex = at;
  return whole.test(text) ? whole.lastIndex : -1;
}

/** Whether the pattern matches at an offset. */
export const isAt = (pattern: Pattern, text: string, at: number): boolean => endAt(pattern, text, at) >= 0;

/** The values of the holes if the pattern matches at an offset; undefined otherwise. */
export function matchAt(
  pattern: Pattern,
  text: string,
  at: number,
  ended = false,
): { end: number; holes: Record<string, string> } | undefined {
  const whole = (ended && pattern.last) || pattern.whole;
  whole.lastIndex = at;
  const found = whole.exec(text);
  if (!found) return undefined;
  const filled: Record<string, string> = {};
  pattern.holes.forEach((hole, index) => {
    const value = found[index + 1];
    if (value !== undefined) filled[hole] = value;
  });
  return { end: whole.lastIndex, holes: filled };
}

/** Whether the pattern could match at an offset with more text. */
export function partAt(pattern: Pattern, text: string, at: number): boolean {
  pattern.part.lastIndex = at;
  return pattern.part.test(text);
}
