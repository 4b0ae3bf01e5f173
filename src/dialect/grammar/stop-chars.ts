/**
 * Where a reader stands when nothing is held back and most characters mean nothing to it: inside text, reasoning or a
 * long value. A piece without any of `stops` is passed on as it is, and looked at later, together with others.
 */
export interface StopChars {
  /** What a quiet piece is; `undecided` where text is held back that such a piece does not decide either. */
  readonly says: 'text' | 'reasoning' | 'arguments' | 'nothing' | 'undecided';
  /** Plain characters that must be looked at. */
  readonly stops: Uint8Array;
  /** Others that must be looked at. */
  readonly wide: ReadonlySet<number>;
}

/** Whether all of a piece means nothing. */
export function isQuiet({ stops, wide }: StopChars, piece: string): boolean {
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code < stops.length ? stops[code] === 1 : wide.size > 0 && wide.has(code)) return false;
  }
  return true;
}

const made = new Map<string, StopChars>();

/** Where these characters must be looked at; the same for the same ones, which are few. */
export function stopCharsFor(says: StopChars['says'], chars: string): StopChars {
  const key = `${says} ${chars}`;
  const known = made.get(key);
  if (known) return known;
  const codes = new Set([...chars].map((char) => char.charCodeAt(0)));
  const stops = Uint8Array.from({ length: 128 }, (_, code) => (codes.has(code) ? 1 : 0));
  const rest = { says, stops, wide: new Set([...codes].filter((code) => code >= stops.length)) };
  if (made.size > 200) made.clear();
  made.set(key, rest);
  return rest;
}
