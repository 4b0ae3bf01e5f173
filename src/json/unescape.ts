import { simple } from './escape.ts';

/**
 * Takes one level of string escapes off, for text that was encoded once too often. Returns the text, what must wait for
 * the rest of its escape, and the first escape that JSON does not know: it stays as it is, and has two readings there.
 * An escaped underscore or apostrophe is a habit of writing, and is judged with the string it stands in.
 */
export function unescapeOnce(text: string, whole: boolean): [text: string, held: string, odd?: string] {
  const cut = whole ? null : /\\(?:u[\da-fA-F]{0,3})?$/.exec(evenEnd(text));
  const held = cut ? cut[0] : '';
  const ready = held ? text.slice(0, -held.length) : text;
  let odd = '';
  const out = ready.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (written, hex?: string, char = '') => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
    const known = simple[char];
    if (known === undefined && !"_'".includes(char)) odd ||= written;
    return known ?? written;
  });
  return odd ? [out, held, odd] : [out, held];
}

/** The text's last few characters, without pairs of backslashes, so that a lone one at the end shows. */
const evenEnd = (text: string): string => text.slice(-64).replace(/\\\\/g, '  ');
