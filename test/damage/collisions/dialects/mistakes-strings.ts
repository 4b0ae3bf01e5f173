/** Mistakes in strings of Python calls and of dialects with quotes of their own. */

import type { Dialect } from '../../../../src/dialect/types.ts';
import type { Random } from '../../random.ts';
import { writePython } from '../../write-python.ts';
import { bodyOf, escapes, type Mistake } from '../mistake.ts';
import { everyPiece, onePiece } from './mistake.ts';
import { notationOf, type Piece } from './pieces.ts';

const isString = ({ kind, inside }: Piece): boolean => kind === 'string' && inside === true;
const inPython = (row: Dialect): boolean => notationOf(row) === 'python';
const quoteOf = (row: Dialect): string => row.quote ?? '"';

/** A mistake in one string of a Python call. */
const python = (rewrite: (meant: string, random: Random) => string | undefined): Mistake['write'] =>
  onePiece(
    (piece, _, __, row) => inPython(row) && isString(piece),
    ({ meant = '' }, random) => rewrite(meant, random),
  );
/** The same in every string. */
const pythons = (rewrite: (meant: string, random: Random) => string): Mistake['write'] =>
  everyPiece(isString, ({ meant = '', text }, random, row) => (inPython(row) ? rewrite(meant, random) : text));

/** Where a text may be cut in two. */
const halves = (text: string, random: Random): readonly [string, string] | undefined => {
  if (text.length < 2) return undefined;
  const blanks = [...text.matchAll(/[ \n,]/g)].map(({ index }) => index).filter((at) => at > 0);
  const at = blanks.length > 0 && random.chance(0.7) ? random.pick(blanks) : random.between(1, text.length - 1);
  return [text.slice(0, at), text.slice(at)];
};

const quoted = (body: string): string => `"${body}"`;

export const stringMistakes: readonly Mistake[] = [
  {
    name: 'Python: quotes not escaped',
    why: 'models forget the backslash',
    doubtful: true,
    write: python((meant) => (meant.includes('"') ? quoted(bodyOf(meant).replaceAll('\\"', '"')) : undefined)),
  },
  {
    name: 'Python: apostrophes not escaped',
    why: 'models forget the backslash',
    doubtful: true,
    write: python((meant) => (meant.includes("'") ? `'${bodyOf(meant).replaceAll('\\"', '"')}'` : undefined)),
  },
  {
    name: 'Python: quotes escaped twice',
    why: 'models that escape for two layers',
    write: python((meant) => quoted(escapes(bodyOf(meant), (one) => (one === '\\"' ? '\\\\"' : undefined)))),
  },
  {
    name: 'Python: quotes escaped three times',
    why: 'models that escape for two layers',
    write: python((meant) => quoted(escapes(bodyOf(meant), (one) => (one === '\\"' ? '\\\\\\"' : undefined)))),
  },
  {
    name: 'Python: quotes around doubled',
    why: 'models stutter',
    write: python((meant) => `"${quoted(bodyOf(meant))}"`),
  },
  {
    name: 'Python: a string pasted raw',
    why: 'models forget to escape',
    write: python((meant) => quoted(meant)),
  },
  {
    name: 'Python: a string pasted raw between apostrophes',
    why: 'models forget to escape',
    write: python((meant) => `'${meant}'`),
  },
  {
    name: 'Python: a string pasted raw between three quotes',
    why: 'models forget to escape the backslashes of code',
    write: python((meant) => `"""${meant}"""`),
  },
  {
    name: 'Python: line breaks in a string',
    why: 'models write the text as it is',
    write: python((meant) =>
      meant.includes('\n') ? quoted(escapes(bodyOf(meant), (one) => (one === '\\n' ? '\n' : undefined))) : undefined,
    ),
  },
  {
    name: 'Python: backslashes doubled again',
    why: 'models that escape for two layers',
    write: python((meant) => (meant.includes('\\') ? quoted(bodyOf(meant).replaceAll('\\\\', '\\\\\\\\')) : undefined)),
  },
  {
    name: 'Python: as repr writes it',
    why: 'models know repr',
    write: pythons((meant) => writePython(meant)),
  },
  {
    name: 'Python: a raw string',
    why: 'models write patterns and paths so',
    write: python((meant) => (/["\n]|\\$/.test(meant) ? undefined : `r"${meant}"`)),
  },
  {
    name: 'Python: a string in two pieces',
    why: 'Python joins strings side by side',
    doubtful: true,
    write: python((meant, random) => {
      const [one, two] = halves(meant, random) ?? [];
      return one === undefined
        ? undefined
        : `${quoted(bodyOf(one))}${random.pick([' ', '', '\n    '])}${quoted(bodyOf(two ?? ''))}`;
    }),
  },
  {
    name: 'Python: a string in two pieces with a plus',
    why: 'programmers join strings so',
    doubtful: true,
    write: python((meant, random) => {
      const [one, two] = halves(meant, random) ?? [];
      return one === undefined ? undefined : `${quoted(bodyOf(one))} + ${quoted(bodyOf(two ?? ''))}`;
    }),
  },
  {
    name: 'Python: typographic quotes around',
    why: 'models copy them from prose',
    write: python((meant) => `“${bodyOf(meant)}”`),
  },
  {
    name: 'Python: mixed quotes around',
    why: 'models confuse them',
    write: python((meant, random) => random.pick([`"${bodyOf(meant)}'`, `'${bodyOf(meant)}"`])),
  },
  {
    name: 'Python: the first quote lost',
    why: 'models forget it',
    write: python((meant) => `${bodyOf(meant)}"`),
  },
  {
    name: 'Python: the last quote lost',
    why: 'models forget it',
    write: python((meant) => `"${bodyOf(meant)}`),
  },
  {
    name: 'Python: no quotes',
    why: 'models forget them',
    write: python((meant) => bodyOf(meant)),
  },
  {
    name: 'quotes of JSON for those of the dialect',
    why: 'models know JSON better',
    write: everyPiece(isString, ({ meant = '', text }, _, row) =>
      row.quote === undefined ? text : quoted(bodyOf(meant)),
    ),
  },
  {
    name: 'plain quotes for those of the dialect, the text as it is',
    why: 'models forget the special token and write what they would have written between',
    write: onePiece(
      (piece, _, __, row) => row.quote !== undefined && isString(piece),
      ({ meant = '' }) => quoted(meant),
    ),
  },
  {
    name: 'the last quote of the dialect lost',
    why: 'servers drop special tokens',
    write: onePiece(
      (piece, _, __, row) => row.quote !== undefined && isString(piece),
      ({ text }, _, row) => text.slice(0, -quoteOf(row).length),
    ),
  },
  {
    name: 'the first quote of the dialect lost',
    why: 'servers drop special tokens',
    write: onePiece(
      (piece, _, __, row) => row.quote !== undefined && isString(piece),
      ({ text }, _, row) => text.slice(quoteOf(row).length),
    ),
  },
  {
    name: 'all quotes of the dialect lost',
    why: 'servers drop special tokens',
    write: everyPiece(isString, ({ meant = '', text }, _, row) => (row.quote === undefined ? text : meant)),
  },
  {
    name: 'a quote of the dialect doubled',
    why: 'models stutter',
    write: onePiece(
      (piece, _, __, row) => row.quote !== undefined && isString(piece),
      ({ text }, random, row) => (random.chance(0.5) ? text + quoteOf(row) : quoteOf(row) + text),
    ),
  },
  {
    name: 'text escaped between quotes of the dialect',
    why: 'models escape as in JSON although the quotes need none; what they wrote is valid, and means the backslashes',
    write: onePiece(
      (piece, _, __, row) => row.quote !== undefined && isString(piece),
      ({ meant = '' }, _, row) => quoteOf(row) + bodyOf(meant) + quoteOf(row),
    ),
  },
];
