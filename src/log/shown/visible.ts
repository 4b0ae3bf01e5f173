/**
 * Text that a model, a tool or a server wrote, for a person to read. A model may repeat text it has read, so nothing may
 * be invisible, act on a terminal, or change how the rest is displayed.
 */

/**
 * Characters that are invisible or move others: control, format and bidirectional characters, lone surrogates, unusual
 * spaces, and stacked combining marks.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![ \u3000])\p{Zs}|(?<=\p{M}{5})\p{M}/gu;

/** Those that change what a terminal shows. Prose needs some of the others: spaces that don't break, private glyphs. */
const active = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{5})\p{M}/gu;

/** Joiners and selectors where a script or an emoji needs them. */
const joined =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})\ufe0f|(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d](?=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L})/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character as JSON escapes it. */
export const escaped = (character: string): string =>
  short[character] ??
  Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');

/** Escapes every invisible or misleading character as in JSON. */
export const visible = (text: string): string =>
  markLookAlikes(markSigns(text.replace(hidden, escaped), escaped), escaped);

/** A value as JSON on one line, with invisible characters escaped. Parsing it returns the same value. */
export const visibleJson = (value: unknown): string => visible(JSON.stringify(value) ?? 'undefined');

/** The same on several lines, for editing. */
export const visibleLines = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? 'undefined').split('\n').map(visible).join('\n');

/** Most text is plain. */
const mayAct = /[^\n -~\u00a1-\u00ac\u00ae-\u02ff]/;

/**
 * Text of several lines for a terminal: escapes what acts on the terminal or hides in the text, such as escape sequences
 * and bidirectional controls. Keeps line breaks and the joiners of emoji and scripts.
 */
export function harmless(text: string): string {
  if (!mayAct.test(text)) return text;
  const needed = new Set(Array.from(text.matchAll(joined), ({ index }) => index));
  return text.replace(active, (character, at: number) => {
    if (character === '\n' || needed.has(at)) return character;
    return character === '\t' ? '  ' : escaped(character);
  });
}

/** A value as JSON for a terminal: what `JSON.stringify` leaves raw is escaped too. Parsing it returns the same value. */
export const harmlessJson = (value: unknown, indent?: number): string =>
  harmless(JSON.stringify(value, null, indent) ?? 'undefined');

// Letters that pass for others: of another script within a word, or words of nothing but look-alikes.

/** Ordinary Latin letters. */
const latin = /[A-Za-z\u00aa\u00ba\u00c0-\u024f]/;

/** Styled and compatible forms of Latin letters: fullwidth, mathematical, enclosed, small capitals, Roman numerals. */
const styled = String.raw`\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u2102-\u2138\u24b6-\u24e9\u{1f130}-\u{1f189}\u2160-\u2188\u1d00-\u1d7f\u0251\u0261\u0262\u0269\u026a\u0274\u0280\u028f\u0299\u029c\u029f\ua730\ua731`;
/** Scripts with letters like Latin ones. */
const scripts = [
  'Greek',
  'Cyrillic',
  'Coptic',
  'Armenian',
  'Cherokee',
  'Lisu',
  'Deseret',
  'Osage',
  'Gothic',
  'Old_Italic',
  'Carian',
  'Lycian',
  'Lydian',
  'Glagolitic',
  'Tifinagh',
  'Vai',
  'Miao',
  'Runic',
  'Warang_Citi',
  'Elbasan',
  'Canadian_Aboriginal',
];
const inScripts = scripts.map((script) => String.raw`\p{Script=${script}}`).join('');
/** Words of Latin letters and what looks like them, without the escapes of JSON beside them. */
const words = new RegExp(String.raw`\\(?:["\\/bfnrt]|u[\da-f]{4})|[\p{Script=Latin}\p{M}${inScripts}${styled}]+`, 'gu');
/** Signs of units and formulas, which look like no Latin letter: `kΩ`, `ΔT`. */
const signs =
  '\\u0394\\u0398\\u039b\\u039e\\u03a0\\u03a3\\u03a6\\u03a8\\u03a9\\u2126\\u03b8\\u03bb\\u03be\\u03c0\\u03c6\\u03c8';
const foreign = new RegExp(`(?![${signs}])[${inScripts}${styled}]`, 'gu');
/** A unit: `μm`, `μmol`. */
const micro = /^\u03bc[a-zA-Z]{1,3}$/;

/** Words of these letters only can pass for Latin ones, letter by letter. */
const alike = new RegExp(
  [
    '^[',
    // Cyrillic
    '\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455\u0501\u04bb\u04cf\u051b\u051d\u0475\u04af',
    '\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u0500\u04ba\u04c0\u051a\u051c\u0474\u04ae',
    // Greek and Coptic
    '\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03c1\u03c5\u03b9\u03ba\u03f2\u03f3',
    '\u2c9e\u2c9f\u2ca4\u2ca5\u2ca2\u2ca3\u2cac\u2cad\u2c94\u2c95\u2c92\u2c93\u2c98\u2c8e\u2ca6\u2c9a\u2c82\u2c80',
    // Armenian, Cherokee and Lisu
    '\u0585\u057d\u0578\u0570\u0581\u0566\u0575\u0555\u054d',
    '\u13a0\u13a1\u13a2\u13a5\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13c0\u13c3\u13cf\u13d2\u13d4\u13d5\u13d9\u13da\u13df\u13e2\u13e6\u13de\u13f4',
    '\ua4d0\ua4d1\ua4d3\ua4d4\ua4d6\ua4d7\ua4d9\ua4da\ua4dc\ua4dd\ua4df-\ua4e3\ua4e6\ua4e7\ua4ea-\ua4ec\ua4ee\ua4f0\ua4f2-\ua4f4',
    styled,
    ']+$',
  ].join(''),
  'u',
);
/** Signs that look like a slash, a backslash, a colon, a bar or an exclamation mark, beside a Latin letter: `a.com\u2215b`. */
const look =
  '\\u2044\\u2215\\u29f8\\u2571\\u27cb\\u3033\\u1735\\u2216\\u29f5\\u29f9\\u2572\\ufe68\\ua789\\u2236\\u02d0\\u05c3\\u01c0\\u2223\\u01c3\\u2024';
const besideLetters = new RegExp(`(?<=[A-Za-z])[${look}]+|[${look}]+(?=[A-Za-z])`, 'g');
/** Hyphens and dots of another kind in an address or a path. Prose may have them. */
const inAddress = /(?<![^\s"])(?=[^\s"]*[./:@][A-Za-z0-9])[^\s"]*[\u2010-\u2012\u02d7\u2212\ufe63][^\s"]*/g;
const hyphens = /[\u2010-\u2012\u02d7\u2212\ufe63]/g;

/** Replaces signs that look like those of an address, a path or a command. */
function markSigns(text: string, mark: (sign: string) => string): string {
  if (!unusual.test(text)) return text;
  return text
    .replace(besideLetters, (signs) => Array.from(signs, mark).join(''))
    .replace(inAddress, (address) => address.replace(hyphens, mark));
}

const fullwidth = /^[\uff21-\uff3a\uff41-\uff5a]+$/;
const letterlike = /^[\u2102-\u2138\u2160-\u2188]$/;
const every = /./gsu;
const unusual = /[^\0-\u01bf\u01c4-\u024f]/;

/** Replaces letters that look like those of another script, so that a reader can tell them apart. */
function markLookAlikes(text: string, mark: (letter: string) => string): string {
  if (!unusual.test(text)) return text;
  const found = (text.match(words) ?? []).filter((word) => !word.startsWith('\\'));
  const besideLatin = found.some((word) => latin.test(word));
  // In text of another script, a short word may be one of its own.
  const isForeign = found.some((word) => !latin.test(word) && !alike.test(word) && word.match(foreign));
  return text.replace(words, (word) => {
    if (word.startsWith('\\') || !unusual.test(word)) return word;
    if (latin.test(word)) return micro.test(word) ? word : word.replace(foreign, mark);
    if (!alike.test(word) || letterlike.test(word)) return word;
    const stays = fullwidth.test(word) ? !besideLatin : isForeign && (!besideLatin || [...word].length === 1);
    return stays ? word : word.replace(every, mark);
  });
}
