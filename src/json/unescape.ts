import { simple } from './escape.ts';

/**
 * Takes one level of string escapes off, for text that was encoded once too often. Returns the text and what must wait
 * for the rest of its escape.
 */
export function unescapeOnce(text: string, whole: boolean): [text: string, held: string] {
  const cut = whole ? null : /\\(?:u[\da-fA-F]{0,3})?$/.exec(evenEnd(text));
  const held = cut ? cut[0] : '';
  const ready = held ? text.slice(0, -held.length) : text;
  const out = ready.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, hex?: string, char?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (simple[char as string] ?? (char as string)),
  );
  return [out, held];
}

/** The text's last few characters, without pairs of backslashes, so that a lone one at the end shows. */
const evenEnd = (text: string): string => text.slice(-64).replace(/\\\\/g, '  ');
