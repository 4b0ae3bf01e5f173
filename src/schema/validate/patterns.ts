import { RE2JS } from 're2js';
import { textCache } from '../../json/text-cache.ts';

/** A compiled pattern. `test` searches the text in linear time. */
interface Pattern {
  test(text: string): boolean;
}

const longest = 10_000;
const compiled = textCache<Pattern | undefined>(500);

/**
 * Compiles a JSON Schema `pattern` with RE2, so that an untrusted pattern can't hang. Undefined if RE2 doesn't support
 * it (lookahead, backreferences, counts over 1000): definition checks report it, and nothing is matched.
 */
export const compilePattern = (source: string): Pattern | undefined => compiled(source, () => build(source));

const build = (source: string): Pattern | undefined => {
  if (source.length > longest) return undefined;
  try {
    const regexp = RE2JS.compile(RE2JS.translateRegExp(jsToRe2(source)), RE2JS.LOOKBEHINDS);
    return { test: (text) => regexp.test(text) };
  } catch {
    return undefined;
  }
};

/**
 * Rewrites what RE2 reads differently from JavaScript with the `u` flag: `.`, `\s`, `\S`, `[\b]`, surrogate pairs, and
 * long names of Unicode properties. re2js translates the rest.
 */

/** Ranges of white space, as first and last code point. */
const spaces = [9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f];
spaces.push(0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff);
const code = (point: number): string => `\\x{${point.toString(16)}}`;
const space = spaces.map((point, i) => (i % 2 ? '-' : '') + code(point)).join('');
const notSpace = `\\x{0}${spaces.map((point, i) => (i % 2 ? code(point + 1) : `-${code(point - 1)}`)).join('')}-\\x{10ffff}`;

/** Unicode categories by their long names, including subcategories (`Uppercase_Letter` is `Lu`). */
const categories = new Map([
  ...['Letter', 'Mark', 'Number', 'Punctuation', 'Symbol'].map((name) => [name, name.charAt(0)] as const),
  ...([
    ['Separator', 'Z'],
    ['Other', 'C'],
    ['Control', 'Cc'],
    ['punct', 'P'],
  ] as const),
]);
const category = (name: string): string => {
  const [, kind = '', of = name] = /^([A-Z])[a-z]+_(Letter|Number|Separator)$/.exec(name) ?? [];
  return `${categories.get(of) ?? of}${kind.toLowerCase()}`;
};

/** Matches what may need rewriting: escapes, brackets of classes, dots. */
const pieces =
  /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\(p)\{(?:(?:Script(?:_Extensions)?|scx?|General_Category|gc)=)?(\w+)\}|\\k<|\\.|\[\^?\]|[[\].]/gisu;

/** Rewrites a pattern for `RE2JS.translateRegExp`. */
const jsToRe2 = (source: string): string => {
  let inClass = false;
  const inSet = (set: string): string => (inClass ? set : `[${set}]`);
  return source.replace(pieces, (found, high, low, sign, name) => {
    if (high) return code((Number.parseInt(high, 16) - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000);
    if (sign) return `\\${sign}{${category(name)}}`;
    if (found === '\\s') return inSet(space);
    if (found === '\\S') return inSet(notSpace);
    // A named backreference must be rejected like a numbered one, not read as a letter.
    if (found === '\\k<') return '\\1<';
    if (found === '\\b' && inClass) return '\\x{8}';
    if (found === '.' && !inClass) return '[^\\n\\r\\x{2028}\\x{2029}]';
    if (found === '[') inClass = true;
    // An empty class or `[^]` closes immediately in JavaScript, which re2js handles.
    else if (found.endsWith(']') && !found.startsWith('\\')) inClass = false;
    return found;
  });
};
