import { openField } from './blot-fields.ts';

interface Known {
  /** Secrets by their value. */
  readonly known: readonly string[];
  readonly isSecret: (name: string) => boolean;
  readonly isSetting: (name: string) => boolean;
}

/** What no secret of a known form goes past, but for those below. */
const edge = /[\s"'`]/;
const lastEdge = /[\s"'`](?=[^\s"'`]*$)/;
/** A name at the end that a value may follow, or a value that a quote has opened. */
const named =
  /(?<![A-Za-z0-9_.$-])([A-Za-z][A-Za-z0-9_-]{0,60})(?:(?:\\*["'])?\s*(?:[:=]\s*)?\\*|[ \t]{0,2}=[ \t]{0,2}\\*(?:"[^"\\\n]*|'[^'\\\n]*)\\*)$/;
const scheme = /\b(?:bearer|basic)(?:\s+[^\s"'`]*)?$/i;
const begin = '-----BEGIN';
const block = /^-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/;
const otherBlock = /^-----BEGIN(?! [A-Z ]*PRIVATE KEY-----)[A-Z ]*(?:-----|[^A-Z -])/;

/** Where the part of a text begins that may be, or become with what follows, a piece of a secret. */
export function openFrom(text: string, { known, isSecret, isSetting }: Known): number {
  let from = (lastEdge.exec(text)?.index ?? -1) + 1;
  from = Math.min(from, openField(text, isSecret));
  const tail = text.slice(-200);
  const start = text.length - tail.length;
  const name = named.exec(tail);
  if (name && (isSecret(name[1] ?? '') || isSetting(name[1] ?? ''))) from = Math.min(from, start + name.index);
  const bearer = scheme.exec(text);
  if (bearer) from = Math.min(from, bearer.index);
  const key = text.lastIndexOf(begin);
  if (key >= 0) {
    const rest = text.slice(key);
    const whole = block.exec(rest);
    if (whole ? key + whole[0].length > from : !otherBlock.test(rest)) from = Math.min(from, key);
  }
  for (const value of known) if (edge.test(value)) from = Math.min(from, knownFrom(text, value, from));
  return from;
}

/** The start of a known value that goes past a place, or may with what follows. */
function knownFrom(text: string, value: string, from: number): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return Math.min(from, text.length - length);
  const at = text.lastIndexOf(value, from);
  return at >= 0 && at + value.length > from ? at : from;
}

const small = 4096;

/** Text that comes in pieces, given on only up to where no secret can be open. */
export class HeldText {
  readonly #heldFrom: (text: string) => number;
  #held = '';
  #lookAt = 0;

  constructor(heldFrom: (text: string) => number) {
    this.#heldFrom = heldFrom;
  }

  /** Takes a piece; gives what can be shown now. */
  push(piece: string): string {
    this.#held += piece;
    // Nothing is let go inside a word, and a long text that is held is not looked at for every piece.
    if (!edge.test(piece) || this.#held.length < this.#lookAt) return '';
    const from = this.#heldFrom(this.#held);
    const free = this.#held.slice(0, from);
    this.#held = this.#held.slice(from);
    this.#lookAt = this.#held.length > small ? this.#held.length * 1.5 : 0;
    return free;
  }

  /** What was still held, when nothing follows. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    this.#lookAt = 0;
    return rest;
  }
}
