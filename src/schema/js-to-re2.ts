/**
 * Rewrites what RE2 reads otherwise than JavaScript does with the `u` flag: `.`, `\s`, `\S`, `[\b]`, surrogate
 * pairs, long names of Unicode properties. The rest is left to re2js's own translation.
 */

const space = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** Escapes that mean another set of characters in RE2, as a class has them. */
const sets: Readonly<Record<string, string>> = { s: space, S: notSpace };
const anyButLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]';

const categories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Symbol: 'S',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Other: 'C',
  Control: 'Cc',
};

const pair = /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/y;
const property = /\\([pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?(\w+)\}/y;

/** The rewritten source, for `RE2JS.translateRegExp` to finish. */
export const jsToRe2 = (source: string): string => {
  let out = '';
  let inClass = false;
  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? '';
    if (char === '\\') {
      const [text, length] = rewrite(source, at, inClass);
      out += text;
      at += length;
      continue;
    }
    if (inClass) inClass = char !== ']';
    else if (char === '[') {
      // An empty class or `[^]` closes at once in JavaScript; re2js's translation knows both.
      inClass = !source.startsWith('[]', at) && !source.startsWith('[^]', at);
    }
    out += char === '.' && !inClass ? anyButLineEnd : char;
    at++;
  }
  return out;
};

const rewrite = (source: string, at: number, inClass: boolean): readonly [text: string, length: number] => {
  const letter = source[at + 1] ?? '';
  const set = sets[letter];
  if (set !== undefined) return [inClass ? set : `[${set}]`, 2];
  // A named backreference must be refused like a numbered one, not read as a letter.
  if (letter === 'k' && source[at + 2] === '<') return ['\\1', 2];
  if (letter === 'b' && inClass) return ['\\x{8}', 2];
  pair.lastIndex = at;
  const [whole, high = '', low = ''] = pair.exec(source) ?? [];
  if (whole !== undefined) {
    const code = (Number.parseInt(high, 16) - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000;
    return [`\\x{${code.toString(16)}}`, whole.length];
  }
  property.lastIndex = at;
  const [named, sign = '', name = ''] = property.exec(source) ?? [];
  if (named !== undefined) return [`\\${sign}{${categories[name] ?? name}}`, named.length];
  return [source.slice(at, at + 2), 2];
};
