import type { Dialect } from '../../../../src/dialect/types.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import type { Random } from '../../random.ts';
import type { Meant, Mistake } from '../mistake.ts';
import { type Piece, piecesOf, written } from './pieces.ts';

/** Changes the pieces of a call; undefined where there is nothing to change. */
export type Change = (pieces: readonly Piece[], random: Random, row: Dialect) => string | undefined;

/** A mistake in a call that is written as text. */
export const onPieces =
  (change: Change): Mistake['write'] =>
  ({ value, template }: Meant, random) => {
    if (template.text === undefined) return undefined;
    const { row, tool } = template.text;
    const pieces = piecesOf(row, tool, value as JsonObject);
    const text = change(pieces, random, row);
    return text === written(pieces) ? undefined : text;
  };

/** Rewrites one piece that fits. */
export const onePiece = (
  fits: (piece: Piece, at: number, pieces: readonly Piece[], row: Dialect) => boolean,
  rewrite: (piece: Piece, random: Random, row: Dialect, pieces: readonly Piece[]) => string | undefined,
): Mistake['write'] =>
  onPieces((pieces, random, row) => {
    const apt = pieces.flatMap((piece, at) => (fits(piece, at, pieces, row) ? [at] : []));
    if (apt.length === 0) return undefined;
    const at = random.pick(apt);
    const text = rewrite(pieces[at] as Piece, random, row, pieces);
    return text === undefined
      ? undefined
      : written(pieces.map((piece, index) => (index === at ? { ...piece, text } : piece)));
  });

/** Rewrites every piece that fits. */
export const everyPiece = (
  fits: (piece: Piece) => boolean,
  rewrite: (piece: Piece, random: Random, row: Dialect) => string,
): Mistake['write'] =>
  onPieces((pieces, random, row) =>
    written(pieces.map((piece) => (fits(piece) ? { ...piece, text: rewrite(piece, random, row) } : piece))),
  );
