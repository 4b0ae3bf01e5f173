/** Mistakes in brackets, commas, keys and comments of Python calls and of dialects with quotes of their own. */
import type { Dialect } from '../../../../src/dialect/types.ts';
import type { Mistake } from '../mistake.ts';
import { onePiece, onPieces } from './mistake.ts';
import { notationOf, type Piece, written } from './pieces.ts';

const isLoose = (row: Dialect): boolean => notationOf(row) === 'python' || notationOf(row) === 'quotes';
const isPython = (row: Dialect): boolean => notationOf(row) === 'python';
const openers = new Set(['(', '[', '{']);
const closers = new Set([')', ']', '}']);

/** A mistake in one token. */
const token = (
  fits: (piece: Piece, at: number, pieces: readonly Piece[]) => boolean,
  rewrite: (piece: Piece, random: Parameters<Mistake['write']>[1]) => string,
  apt: (row: Dialect) => boolean = isLoose,
): Mistake['write'] => onePiece((piece, at, pieces, row) => apt(row) && fits(piece, at, pieces), rewrite);

const notes = ['the text to write', 'see docs, section 4', 'was: "old"', "don't change", 'TODO', 'a, b', 'x=1'];

export const structureMistakes: readonly Mistake[] = [
  {
    name: 'calls: a closing bracket lost',
    why: 'models lose count',
    write: token(
      ({ kind }) => closers.has(kind),
      () => '',
    ),
  },
  {
    name: 'calls: an opening bracket lost',
    why: 'models lose count',
    write: token(
      ({ kind }) => openers.has(kind),
      () => '',
    ),
  },
  {
    name: 'calls: a closing bracket twice',
    why: 'models lose count',
    write: token(
      ({ kind }) => closers.has(kind),
      ({ text }) => text + text,
    ),
  },
  {
    name: 'calls: a stray bracket after a value',
    why: 'models lose count',
    write: token(
      ({ kind, inside }) => inside === true && (kind === 'string' || kind === 'number'),
      ({ text }, random) => text + random.pick([')', ']', '}']),
    ),
  },
  {
    name: 'calls: another closing bracket',
    why: 'models confuse brackets',
    write: token(
      ({ kind }) => closers.has(kind),
      ({ text }, random) => random.pick([')', ']', '}'].filter((one) => one !== text)),
    ),
  },
  {
    name: 'calls: a comma lost',
    why: 'models forget it',
    write: token(
      ({ kind }) => kind === ',',
      () => '',
    ),
  },
  {
    name: 'calls: a comma twice',
    why: 'models stutter',
    write: token(
      ({ kind }) => kind === ',',
      () => ',,',
    ),
  },
  {
    name: 'calls: a comma before a closer',
    why: 'Python allows it',
    write: token(
      ({ kind }, at, pieces) => closers.has(kind) && !openers.has(pieces[at - 1]?.kind ?? ''),
      ({ text }) => `,${text}`,
    ),
  },
  {
    name: 'calls: a semicolon for a comma',
    why: 'other languages have it',
    write: token(
      ({ kind }) => kind === ',',
      () => ';',
    ),
  },
  {
    name: 'calls: a colon for =',
    why: 'models mix the notations',
    write: token(
      ({ kind, text }) => kind === ':' && text === '=',
      () => ': ',
    ),
  },
  {
    name: 'calls: the sign after a key lost',
    why: 'models forget it',
    write: token(
      ({ kind }) => kind === ':',
      () => ' ',
    ),
  },
  {
    name: 'calls: keys in quotes',
    why: 'models mix the notations',
    write: token(
      ({ kind, inside }) => kind === 'key' && inside === true,
      ({ meant = '' }) => `"${meant}"`,
    ),
  },
  {
    name: 'calls: literals of JSON',
    why: 'models mix the notations',
    write: token(
      ({ kind }) => kind === 'literal',
      ({ text }) => ({ True: 'true', False: 'false', None: 'null' })[text] ?? text,
    ),
  },
  {
    name: 'calls: a comment after a token',
    why: 'models explain what they do',
    write: token(
      ({ kind }) => kind === ',' || kind === '(' || kind === '[',
      ({ text }, random) => `${text}  # ${random.pick(notes)}\n    `,
    ),
  },
  {
    name: 'calls: a comment after the last value',
    why: 'models explain what they do',
    write: token(
      ({ inside }, at, pieces) => inside === true && pieces[at + 1]?.kind === ')',
      ({ text }, random) => `${text}  # ${random.pick(notes)}\n`,
      isPython,
    ),
  },
  {
    name: 'calls: a comment behind the call',
    why: 'models explain what they do',
    write: token(
      ({ kind }) => kind === ')',
      ({ text }, random) => `${text}  # ${random.pick(notes)}\n`,
      isPython,
    ),
  },
  {
    name: 'calls: positional arguments',
    why: 'Python allows them',
    doubtful: true,
    write: onPieces((pieces, _, row) => {
      if (!isPython(row)) return undefined;
      const at = pieces.findIndex(({ text }) => text === '=');
      return at < 0 ? undefined : written(pieces.filter((__, index) => index !== at && index !== at - 1));
    }),
  },
  {
    name: 'calls: one argument on each line',
    why: 'models lay out calls',
    write: onPieces((pieces, _, row) =>
      isPython(row)
        ? written(
            pieces.map((piece) =>
              piece.kind === '(' || (piece.kind === ',' && piece.inside)
                ? { ...piece, text: `${piece.text}\n    ` }
                : piece,
            ),
          )
        : undefined,
    ),
  },
];
