/** Arguments that are an object with signs around it: quotes of a shell or a program, parentheses, or a second pair of braces. */

import { type Reading, type ReadOptions, readStrict, readTolerant } from '../json/read-json.ts';
import { quotes } from '../json/tolerant/chars.ts';
import { unescapeOnce } from '../json/tolerant/escapes.ts';
import { note } from '../json/tolerant/pick-value.ts';
import { equal, isObject } from '../json/value.ts';

const openers = Object.keys(quotes).filter((quote) => quote !== '"');
const opening = new RegExp(`('''|"""|[${openers.join('')}])(?:\\s*[[{]|(?<=^\\s*'))`);

/**
 * Text in quotes other than JSON's that starts with a bracket, or everything in single quotes; undefined if it isn't
 * clear where it ends.
 */
interface Quoted {
  readonly body: string;
  /** The quotes that close it. */
  readonly close: string;
  /** Whether there is nothing else. */
  readonly alone: boolean;
}

function insideQuotes(text: string): Quoted | undefined {
  const found = opening.exec(text);
  const open = found?.[1];
  if (!found || !open) return undefined;
  const from = found.index + open.length;
  const close = open.length === 3 ? open : (quotes[open] as string).replace('"', '');
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (open.length === 3 ? text.startsWith(open, at) : close.includes(text[at] as string)) {
      const around = text.slice(0, found.index) + text.slice(at + open.length);
      return { body: text.slice(from, at).trim(), close, alone: around.trim() === '' };
    }
  }
  return undefined;
}

/** Text whose first quote is escaped. */
const escaped = /^[^"]*\\"/;

/**
 * Reads a text in quotes other than JSON's as it stands, as between the quotes of a shell (`curl -d '…'`). As a literal
 * of a program, it has a level of escapes more.
 *
 * @param read reads the text between the quotes
 * @returns whether both readings are valid, and the value, if the text is nothing else and the value is valid JSON as it
 * stands; `twofold` if the literal has another value
 */
export function readAsQuoted(
  text: string,
  read: (body: string) => Reading,
): { both: boolean; reading: Reading | undefined } | 'twofold' | undefined {
  const { body, close, alone } = insideQuotes(text) ?? {};
  if (body === undefined || close === undefined || !body.includes('\\')) return undefined;
  // An escaped quote that JSON doesn't have is the quote, in both readings.
  const bare = (text: string): string =>
    text.replace(/\\([\s\S])/g, (pair, char) => (char !== '"' && close.includes(char) ? char : pair));
  const isRead = ({ value, problems }: Reading) => typeof value === 'object' && problems.length === 0;
  const plain = bare(body);
  const isEscaped = escaped.test(plain);
  const asIs = read(isEscaped ? plain.replaceAll('\\"', '"') : plain);
  const literal = read(bare(unescapeOnce(plain, true)[0]));
  if (!isRead(asIs)) return isRead(literal) ? { both: isEscaped, reading: undefined } : undefined;
  if (isRead(literal) && !equal(literal.value, asIs.value)) return 'twofold';
  const both = isRead(literal) && literal.repairs.every(({ certainty }) => certainty === 'lossless');
  return { both, reading: alone && !isEscaped ? readStrict(plain) : undefined };
}

/** Signs around a complete object that say nothing: of an expression, of a template, or of a quotation that isn't open. */
const frames: readonly RegExp[] = [
  /^\s*\(\s*(\{[\s\S]*\})\s*\)\s*;?\s*$/,
  /^\s*\{\s*(\{[\s\S]*\})\s*\}\s*$/,
  /^\s*(\{[\s\S]*\})\s*['`]\s*$/,
  // Not after a string, which may be open, with the brace and a quote in it.
  /^\s*(\{(?:[\s\S]*[^\s"}\]])?[\s}\]]*\})\s*"\s*$/,
];

/**
 * Reads an object that is valid JSON inside parentheses or another pair of braces, or before a quote. Its numbers are
 * kept as written, and it is refused for what is ambiguous in damaged text.
 */
export function readFramed(text: string, options: ReadOptions): Reading | undefined {
  for (const frame of frames) {
    const inside = frame.exec(text)?.[1];
    if (inside === undefined || !isObject(readStrict(inside, options)?.value)) continue;
    const reading = readTolerant(inside, { ...options, damaged: true });
    return { ...reading, repairs: [note('prose', text, 'inferred'), ...reading.repairs] };
  }
  return undefined;
}
