import type { Play, ScriptedTurn } from './script.ts';

/** Bytes that are sent as they are, whatever was asked: for wires that are damaged. */
export interface RawTurn {
  readonly raw: string | Uint8Array | readonly (string | Uint8Array)[];
  /** 200 unless it is said. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the first byte, and before each piece. */
  readonly delay?: number;
  readonly pace?: number;
  /** The connection is cut after the last byte, so that the answer never ends. */
  readonly kill?: boolean;
}

/** A turn that a server plays: as a scripted model does, cut off after so many bytes where that is said, or raw. */
export type ServedTurn = Play | (ScriptedTurn & { readonly truncateAfter?: number }) | RawTurn;

/** Which of the two it is. */
export const isRaw = (turn: ServedTurn): turn is RawTurn => typeof turn === 'object' && 'raw' in turn;

/** After how many bytes the connection is cut. */
export const truncatedAfter = (turn: Exclude<ServedTurn, RawTurn>): number =>
  typeof turn === 'object' && 'truncateAfter' in turn
    ? ((turn as { truncateAfter?: number }).truncateAfter ?? Infinity)
    : Infinity;
