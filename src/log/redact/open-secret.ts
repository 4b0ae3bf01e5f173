import { commandFrom } from './commands.ts';
import { openField } from './fields.ts';
import { completePrivateKey, otherBlock } from './key-formats.ts';
import { proseFrom } from './prose.ts';

interface Known {
  /** Secrets by value. */
  readonly known: readonly string[];
  readonly isSetting: (name: string) => boolean;
  /** Matches a piece of every known form of secret. */
  readonly hint: RegExp;
}

/** Characters that end a secret, except for the forms below. */
const edge = /[\s"'`]/;
const lastEdge = /[\s"'`](?=[^\s"'`]*$)/;
const name = /(?<![A-Za-z0-9_]|[A-Za-z0-9_]-)_{0,2}[A-Za-z][A-Za-z0-9_-]{0,60}/g;
/** The start of a named value at the end of the text: after a sign or a flag, in quotes, or in a tag. */
const value =
  /^(?:(?:\\*["'])?\s*(?:[:=]{1,2}>?\s*)?[^\s"'`]*\\*|[ \t]*(?:\n|\\n)?[ \t]*(?:v[alue]{0,4}:?[ \t]*)?\\*["']?[^\s"']*\\*|(?:\\*["']\])?[ \t]{0,2}[= \t][ \t]{0,2}\\*(?:"[^"\\\n]*|'[^'\\\n]*)?\\*|(?:\\*["'])?(?:\s[^<>\n]{0,100})?>[^<]*|\\*["']\]?[\s,]{0,9}(?:\\*["']?[A-Za-z]{0,5}\\*["']?\s{0,4}[:=]?\s{0,4})?\\*(?:["'][^"'\n]*)?\\*)$/;
const wholeTag = /<[A-Za-z_|][^<>\n]{0,100}>[^<]*(?=<)/g;
/** A tag that is still open, or followed only by text. */
const openTag = /<[A-Za-z_|][^<>\n]{0,100}(?:>[^<]*)?$/;
const scheme = /\b(?:bearer|basic)(?:\s+[^\s"'`]*)?$/i;
/** Words after which the rest of the line may be a secret. */
const wholeLine =
  /\b(?:proxy-)?authorization\b|\bcookie\b|\b(?:setx|ENV)\s|\bmachine\s|\bidentified\s|\blogin\s|(?<![\w-])-{0,2}password\s/gi;
/** The key of a pair whose name may follow. */
const keyOfName =
  /(?:name|key|header|define|setenv|putenv|setdefault|getenv|get|env|setItem)[\s"'\\:=(]{0,12}(?<![A-Za-z])[A-Za-z0-9_-]{0,60}$/i;

/** The offset from which a text may contain a piece of a secret, now or with what follows. */
export function openFrom(text: string, { known, isSetting, hint }: Known): number {
  let from = (lastEdge.exec(text)?.index ?? -1) + 1;
  from = Math.min(from, openField(text, isSetting));
  const tail = text.slice(-600);
  const start = text.length - tail.length;
  from = Math.min(from, start + namedFrom(tail, isSetting));
  for (const { 0: tag, index } of tail.matchAll(wholeTag)) {
    const isWithin = start + index < from && from < start + index + tag.length;
    if (isWithin && tag.match(name)?.some(isSetting)) from = start + index;
  }
  from = Math.min(from, commandFrom(text));
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  wholeLine.lastIndex = 0;
  const word = wholeLine.exec(line);
  if (word) from = Math.min(from, text.length - line.length + word.index);
  from = Math.min(from, text.length - line.length + proseFrom(line));
  const key = keyOfName.exec(tail);
  if (key) from = Math.min(from, start + key.index);
  const bearer = scheme.exec(text);
  if (bearer) from = Math.min(from, bearer.index);
  // The frame of SSH2 has a space before its label.
  if (text.endsWith('---- ')) from = Math.min(from, text.length - 5);
  const block = lastBlock(text);
  if (block >= 0) {
    const rest = text.slice(block);
    const whole = completePrivateKey.exec(rest);
    if (whole ? block + whole[0].length > from : !otherBlock.test(rest)) from = Math.min(from, block);
  }
  for (const one of known) if (edge.test(one)) from = Math.min(from, knownFrom(text, one, from));
  if (text.length - from <= longWord) return from;
  // In a long word without a secret, only the end is held back, where one may start.
  const long = text.slice(from);
  const kept = Math.max(shortTail, known[0]?.length ?? 0);
  return hint.test(long) || /[:=]/.test(long) ? from : Math.max(from, text.length - kept);
}

/** The offset of the last start of a private key. */
const lastBlock = (text: string): number => {
  // Most text has none.
  const end = Math.max(text.lastIndexOf('BEGIN'), text.lastIndexOf('Private-Lines:'));
  if (end < 0) return -1;
  const start = /-{4,5} ?$/.exec(text.slice(Math.max(0, end - 6), end));
  return start ? end - start[0].length : text.startsWith('Private', end) ? end : -1;
};

/** The offset of a name at the end whose value is a secret and may continue. */
function namedFrom(tail: string, isSetting: Known['isSetting']): number {
  const tag = openTag.exec(tail);
  if (tag && (!tag[0].includes('>') || tag[0].match(name)?.some(isSetting))) return tag.index;
  for (const found of tail.matchAll(name))
    if (isSetting(found[0]) && value.test(tail.slice(found.index + found[0].length)))
      // Includes the dashes of a flag, and the key that a name is the value of.
      return (
        found.index -
        (/(?:(?:name|key|header|define|setenv|putenv|setdefault|getenv|get|env|setItem)[\s"'\\:=(]{1,12}|\[\s{0,9}\\*["']|-{1,2})$/i.exec(
          tail.slice(0, found.index),
        )?.[0].length ?? 0)
      );
  return tail.length;
}

/** The start of a known value that crosses an offset, or may with what follows. */
function knownFrom(text: string, value: string, from: number): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return Math.min(from, text.length - length);
  const at = text.lastIndexOf(value, from);
  return at >= 0 && at + value.length > from ? at : from;
}

const longWord = 512;
const shortTail = 64;
const small = 4096;

/** Releases streamed text only up to where no secret can be open. */
export class RedactingBuffer {
  readonly #heldFrom: (text: string) => number;
  #held = '';
  #lookAt = 0;

  constructor(heldFrom: (text: string) => number) {
    this.#heldFrom = heldFrom;
  }

  /** Adds a piece, and returns the text that can be shown, which is none if `isHeard` is false. */
  push(piece: string, isHeard = true): string {
    this.#held += piece;
    if (!isHeard) return '';
    // Checks only at the end of a word, and not for every piece of a long buffered text.
    if (!edge.test(piece) && this.#held.length <= longWord) return '';
    if (this.#held.length < this.#lookAt) return '';
    const from = this.#heldFrom(this.#held);
    const free = this.#held.slice(0, from);
    this.#held = this.#held.slice(from);
    this.#lookAt = this.#held.length > small ? this.#held.length * 1.5 : 0;
    return free;
  }

  /** The remaining text at the end. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    this.#lookAt = 0;
    return rest;
  }
}
