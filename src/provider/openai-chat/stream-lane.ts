import type { JsonObject } from '../../json/value.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { type ArgumentScan, isComplete, mayHoldBrace, newScan, scanArguments } from './argument-scan.ts';
import type { CallEntry } from './call-entry.ts';
import { carrying } from './take.ts';

type Slot = ReturnType<TurnAssembly['open']>;

/** One call of a stream, from its first sign to its end. */
export interface Lane {
  readonly index: number | undefined;
  id: string;
  name: string;
  /** Argument text that came before the call could be shown. */
  early: string;
  slot: Slot | undefined;
  readonly scan: ArgumentScan;
  /** Each delta holds all the arguments so far. */
  cumulative: boolean;
  /** A piece that may be more text or all of it again: what comes next tells. */
  held: string;
  /** The delta that last named the call. */
  headed: number;
  /** Its name came more than once, as some servers send it with each piece. */
  renamed: boolean;
  rest: JsonObject | undefined;
}

export const newLane = ({ index, id }: CallEntry): Lane => ({
  index,
  id,
  name: '',
  early: '',
  slot: undefined,
  scan: newScan(),
  cumulative: false,
  held: '',
  headed: -1,
  renamed: false,
  rest: undefined,
});

/** All the argument text that was taken. */
export const laneText = ({ slot, early }: Lane): string => slot?.text ?? early;

/** Whether a piece holds all the text that came before it; looked at only where it is long enough. */
export const repeats = (lane: Lane, piece: string): boolean =>
  lane.scan.size > 0 && piece.length >= lane.scan.size && piece.startsWith(laneText(lane));

/** A name may come whole, again, in pieces, or longer each time. */
export function addName(lane: Lane, name: string): void {
  if (lane.slot || name === '' || name === lane.name) return;
  lane.name = name.startsWith(lane.name) ? name : lane.name + name;
}

/** What some servers begin every call with, whatever follows. */
const nothing = '{}';
const opens = /^\s*\{/;

/** Takes the next piece of a call's arguments: more of them, or all so far once more. */
export function addArguments(assembly: TurnAssembly, lane: Lane, piece: string): void {
  if (piece === '') return;
  if (lane.held === nothing && lane.scan.size === 0 && opens.test(piece)) lane.held = '';
  if (lane.held !== '') releaseHeld(assembly, lane, growsFrom(lane.held, piece));
  // No arguments yet, or none at all: what comes next tells.
  if (piece === nothing && lane.scan.size === 0) lane.held = piece;
  else if (!repeats(lane, piece) || lane.scan.last === 0) push(assembly, lane, piece);
  else if (lane.cumulative) push(assembly, lane, piece.slice(lane.scan.size));
  // The same text twice, or an opener where one may come: both readings are open.
  else if (piece.length === lane.scan.size || mayHoldBrace(lane.scan)) lane.held = piece;
  else {
    lane.cumulative = true;
    push(assembly, lane, piece.slice(lane.scan.size));
  }
}

/** Whether a piece is the held one grown; a bracket or two may as well be nested. */
export const growsFrom = (held: string, piece: string): boolean =>
  piece.startsWith(held) && (piece.length > held.length || held.length > 2);

/**
 * Nothing more comes: a held piece is all of it again where that alone makes the arguments whole.
 *
 * @param cut the answer broke off, so that nothing says they are whole
 */
export function settleArguments(assembly: TurnAssembly, lane: Lane, cut: boolean): void {
  if (lane.held === '') return;
  const same = lane.held.length === lane.scan.size;
  const again = !isJson(laneText(lane) + lane.held) && isWhole(lane.held);
  releaseHeld(assembly, lane, again && (same || !cut));
}

function isWhole(text: string): boolean {
  const scan = newScan();
  scanArguments(scan, text);
  return isComplete(scan);
}

/** Whether a text is JSON as it stands. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function releaseHeld(assembly: TurnAssembly, lane: Lane, again: boolean): void {
  const piece = lane.held;
  lane.held = '';
  if (again) lane.cumulative = true;
  push(assembly, lane, again ? piece.slice(lane.scan.size) : piece);
}

function push(assembly: TurnAssembly, lane: Lane, piece: string): void {
  scanArguments(lane.scan, piece);
  if (lane.slot) assembly.grow(lane.slot, piece);
  else lane.early += piece;
}

/** Shows the call; one that names nothing is recorded as such when it is closed. */
export function openLane(assembly: TurnAssembly, lane: Lane): void {
  const extra = lane.rest && carrying(lane.rest);
  lane.slot = assembly.open({ type: 'call', id: lane.id, name: lane.name, arguments: lane.early, ...extra });
}

/** The call is as whole as it will be. */
export function closeLane(assembly: TurnAssembly, lane: Lane): void {
  if (lane.slot) assembly.close(lane.slot, lane.rest && carrying(lane.rest));
}
