import type { Play, ScriptedTurn } from './script.ts';

/** Bytes that are sent unchanged for any request, to test damaged responses. */
export interface RawTurn {
  readonly raw: string | Uint8Array | readonly (string | Uint8Array)[];
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the first byte, and before each chunk. */
  readonly delay?: number;
  readonly pace?: number;
  /** Closes the connection after the last byte, so that the response never ends. */
  readonly kill?: boolean;
}

/** A turn that a server plays: a scripted turn, optionally truncated after a number of bytes, or raw bytes. */
export type ServedTurn = Play | (ScriptedTurn & { readonly truncateAfter?: number }) | RawTurn;

export const isRaw = (turn: ServedTurn): turn is RawTurn => typeof turn === 'object' && 'raw' in turn;

/** Number of bytes after which the connection is closed. */
export const truncatedAfter = (turn: Exclude<ServedTurn, RawTurn>): number =>
  typeof turn === 'object' && 'truncateAfter' in turn
    ? ((turn as { truncateAfter?: number }).truncateAfter ?? Infinity)
    : Infinity;
