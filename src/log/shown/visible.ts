import { markLookAlikes } from './look-alikes.ts';

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
export const visible = (text: string): string => markLookAlikes(text.replace(hidden, escaped), escaped);

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
