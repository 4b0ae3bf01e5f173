import { advance, isUnclosed, type Nesting, nestingOf } from '../../../json/nesting.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { TurnAssembler } from '../turn-assembler.ts';
import { asPassthrough, isNumber, isString } from './fields.ts';

/** How the arguments of a call begin; a space or a closer may follow those of the call before. */
const opener = /^\s*[{[]/;

/**
 * The calls of one stream. Servers use the same index for every call, or none, or the same id twice; so calls are told
 * apart by id, by name and by whether their arguments are whole, and by index only where nothing speaks against it.
 */
export class StreamCalls {
  readonly #assembly: TurnAssembler;
  readonly #lanes: Lane[] = [];
  /** The latest call with this index, and with this id. */
  readonly #byIndex = new Map<number, Lane>();
  readonly #byId = new Map<string, Lane>();
  /** Calls that are named and not yet shown. */
  readonly #waiting = new Set<Lane>();
  #delta = 0;

  constructor(assembly: TurnAssembler) {
    this.#assembly = assembly;
  }

  /** Whether any call was shown that names something. */
  get called(): boolean {
    return this.#lanes.some(({ slot }) => slot !== undefined && slot.index >= 0);
  }

  /** Another delta begins: two heads in one delta are two calls. */
  nextDelta(): void {
    this.#delta += 1;
  }

  take(wire: JsonObject): void {
    const entry = callEntry(wire);
    const lane = this.#find(entry) ?? this.#begin(entry);
    if (!lane) return;
    if (entry.rest) lane.rest = Object.assign(lane.rest ?? {}, entry.rest);
    if (entry.name !== '') {
      addName(lane, entry.name);
      if (!lane.slot) this.#waiting.add(lane);
      lane.renamed = lane.headed >= 0;
      lane.headed = this.#delta;
    }
    addArguments(this.#assembly, lane, entry.text, entry.value);
    // With its arguments begun, a name is whole; without, more of it may come.
    if (!lane.slot && lane.name !== '' && entry.text !== '') this.#show(lane);
  }

  /** Nothing more comes: calls that waited are shown as they are. */
  settle(cut: boolean, open?: Lane): void {
    for (const lane of this.#lanes) {
      if (lane.value && lane !== open) pourValue(this.#assembly, lane, false);
      if (!lane.slot) openLane(this.#assembly, lane);
      settleArguments(this.#assembly, lane, cut);
    }
    this.#waiting.clear();
  }

  /** @param early how the answer ended says that it was to go on: an object at its end may be the beginning of one */
  close(cut: boolean, early = cut): void {
    const last = early ? this.#lanes.at(-1) : undefined;
    this.settle(cut, last);
    for (const lane of this.#lanes) closeLane(this.#assembly, lane);
  }

  #find(entry: CallEntry): Lane | undefined {
    const { index, id } = entry;
    const here = index === undefined ? this.#lanes.at(-1) : this.#byIndex.get(index);
    const same = id === '' || here?.id === id ? here : this.#byId.get(id);
    if (same) return this.#startsAnother(same, entry) ? undefined : same;
    if (!here) return undefined;
    // The id is new: it came late, or this server makes one for each piece.
    const goesOn = here.id === '' ? !this.#startsAnother(here, entry) : isPiece(here, entry);
    if (goesOn) this.#byId.set(id, here);
    if (goesOn && here.id === '' && !here.slot) here.id = id;
    return goesOn ? here : undefined;
  }

  /** A call begins with anything that is said of it. */
  #begin(entry: CallEntry): Lane | undefined {
    if (entry.id === '' && entry.name === '' && entry.text === '') return undefined;
    const lane = newLane(entry);
    this.#lanes.push(lane);
    if (entry.index !== undefined) this.#byIndex.set(entry.index, lane);
    if (entry.id !== '') this.#byId.set(entry.id, lane);
    return lane;
  }

  /** Whether an entry is the head of another call, though id or index point to this one. Only a name makes a head. */
  #startsAnother(lane: Lane, { index, id, name, text, typed }: CallEntry): boolean {
    if (name === '') return false;
    if (lane.headed === this.#delta) return true;
    // An id that two places share belongs to two calls.
    if (id !== '' && index !== undefined && lane.index !== undefined && index !== lane.index) return true;
    if (lane.name === '') return false;
    // Arguments that begin anew settle what the piece before them was.
    const anew = opener.test(text);
    if (anew && !growsFrom(lane.held, text)) settleArguments(this.#assembly, lane, false);
    if (lane.nesting.size === 0) return name !== lane.name && typed && id === '' && lane.id === '';
    if (name !== lane.name) return true;
    if (!anew || !isComplete(lane.nesting)) return false;
    // The same id speaks for the same call, unless what came is a whole value and this is another.
    if (id !== '') return isJson(laneText(lane)) && !repeats(lane, text);
    return !(lane.cumulative && lane.renamed && repeats(lane, text));
  }

  /** Shows a call, and before it those that were named earlier, so that they keep their order. */
  #show(lane: Lane): void {
    for (const one of this.#waiting) {
      openLane(this.#assembly, one);
      this.#waiting.delete(one);
      if (one === lane) return;
    }
  }
}

/** More arguments for a call that is not whole, under an id of their own. */
const isPiece = (lane: Lane, { name, text }: CallEntry): boolean =>
  name === '' && text !== '' && !isComplete(lane.nesting);

type Slot = ReturnType<TurnAssembler['open']>;

/** One call of a stream, from its first sign to its end. */
interface Lane {
  readonly index: number | undefined;
  id: string;
  name: string;
  /** Argument text that came before the call could be shown. */
  early: string;
  /** Arguments that came at once as a value, and their text: they stay one for as long as nothing else comes. */
  value: { readonly value: JsonValue; readonly text: string } | undefined;
  slot: Slot | undefined;
  readonly nesting: Nesting;
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

const newLane = ({ index, id }: CallEntry): Lane => ({
  index,
  id,
  name: '',
  early: '',
  value: undefined,
  slot: undefined,
  nesting: nestingOf(),
  cumulative: false,
  held: '',
  headed: -1,
  renamed: false,
  rest: undefined,
});

/** All the argument text that was taken. */
const laneText = ({ slot, early, value }: Lane): string => (slot?.text ?? early) + (value?.text ?? '');

/** Whether a piece holds all the text that came before it; looked at only where it is long enough. */
const repeats = (lane: Lane, piece: string): boolean =>
  lane.nesting.size > 0 && piece.length >= lane.nesting.size && piece.startsWith(laneText(lane));

/** A name may come whole, again, in pieces, or longer each time. */
function addName(lane: Lane, name: string): void {
  if (lane.slot || name === '' || name === lane.name) return;
  lane.name = name.startsWith(lane.name) ? name : lane.name + name;
}

/** What some servers begin every call with, whatever follows. */
const nothing = '{}';
const opens = /^\s*\{/;

/** Takes the next piece of a call's arguments: more of them, or all so far once more. */
function addArguments(assembly: TurnAssembler, lane: Lane, piece: string, value?: JsonValue): void {
  if (piece === '') return;
  // An object may be what a server made of arguments that were cut off: the end of the answer tells.
  if (value !== undefined && lane.nesting.size === 0 && lane.held === '') {
    lane.value = { value, text: piece };
    advance(lane.nesting, piece);
    return;
  }
  if (lane.value) {
    if (piece === lane.value.text) return;
    pourValue(assembly, lane, opens.test(piece));
  }
  if (lane.held === nothing && lane.nesting.size === 0 && opens.test(piece)) lane.held = '';
  if (lane.held !== '') releaseHeld(assembly, lane, growsFrom(lane.held, piece));
  // No arguments yet, or none at all: what comes next tells.
  if (piece === nothing && lane.nesting.size === 0) lane.held = piece;
  else if (!repeats(lane, piece) || lane.nesting.last === 0) push(assembly, lane, piece);
  else if (lane.cumulative) push(assembly, lane, piece.slice(lane.nesting.size));
  // The same text twice, or an opener where one may come: both readings are open.
  else if (piece.length === lane.nesting.size || mayHoldBrace(lane.nesting)) lane.held = piece;
  else {
    lane.cumulative = true;
    push(assembly, lane, piece.slice(lane.nesting.size));
  }
}

/** More came behind an object: it is text like any other, and nothing where it was empty and another begins. */
function pourValue(assembly: TurnAssembler, lane: Lane, begins: boolean): void {
  const { text = '' } = lane.value ?? {};
  lane.value = undefined;
  if (begins && text === nothing) Object.assign(lane.nesting, nestingOf());
  else if (lane.slot) assembly.grow(lane.slot, text);
  else lane.early += text;
}

/** Whether a piece is the held one grown; a bracket or two may as well be nested. */
const growsFrom = (held: string, piece: string): boolean =>
  piece.startsWith(held) && (piece.length > held.length || held.length > 2);

/**
 * Nothing more comes: a held piece is all of it again where that alone makes the arguments whole.
 *
 * @param cut the answer broke off, so that nothing says they are whole
 */
function settleArguments(assembly: TurnAssembler, lane: Lane, cut: boolean): void {
  if (lane.held === '') return;
  const same = lane.held.length === lane.nesting.size;
  const again = !isJson(laneText(lane) + lane.held) && isComplete(nestingOf(lane.held));
  releaseHeld(assembly, lane, again && (same || !cut));
}

/** Whether a text is JSON as it stands. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function releaseHeld(assembly: TurnAssembler, lane: Lane, again: boolean): void {
  const piece = lane.held;
  lane.held = '';
  if (again) lane.cumulative = true;
  push(assembly, lane, again ? piece.slice(lane.nesting.size) : piece);
}

function push(assembly: TurnAssembler, lane: Lane, piece: string): void {
  advance(lane.nesting, piece);
  if (lane.slot) assembly.grow(lane.slot, piece);
  else lane.early += piece;
}

/** Shows the call; one that names nothing is recorded as such when it is closed. */
function openLane(assembly: TurnAssembler, lane: Lane): void {
  const passthrough = lane.rest && asPassthrough(lane.rest);
  lane.slot = assembly.open({ type: 'call', id: lane.id, name: lane.name, arguments: lane.early, ...passthrough });
}

/** The call is as whole as it will be. */
function closeLane(assembly: TurnAssembler, lane: Lane): void {
  const { slot, value } = lane;
  if (slot && value && slot.part.type === 'call') slot.part = { ...slot.part, arguments: value.value };
  if (slot) assembly.close(slot, lane.rest && asPassthrough(lane.rest));
}

/** After a colon, a comma or an opening bracket a value may begin. */
const beforeValue = [58, 44, 91];

/** Whether all that was opened is closed, so that what follows can't belong to the same value. */
const isComplete = (nesting: Nesting): boolean => nesting.last !== 0 && !isUnclosed(nesting);

/** Whether a brace may come next: as a character of a string, or as the beginning of a value inside what is open. */
const mayHoldBrace = ({ last, inString }: Nesting): boolean => inString || beforeValue.includes(last);

/** One of a delta's `tool_calls`, whatever the server left out. */
interface CallEntry {
  readonly index: number | undefined;
  /** Empty where it has none. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The arguments, where they came as a value. */
  readonly value: JsonValue | undefined;
  /** It says what type it is, as the head of a call does. */
  readonly typed: boolean;
  /** What else it says. */
  readonly rest: JsonObject | undefined;
}

const known = ['__proto__', 'index', 'id', 'type', 'function'];

/** Reads an entry. */
function callEntry(wire: JsonObject): CallEntry {
  const called = isObject(wire.function) ? wire.function : {};
  return {
    index: indexOf(wire.index),
    id: isString(wire.id) ? wire.id : '',
    name: isString(called.name) ? called.name : '',
    text: argumentText(called.arguments),
    value: isString(called.arguments) ? undefined : (called.arguments ?? undefined),
    typed: isString(wire.type),
    rest: restOf(wire),
  };
}

/** Some write it as text. */
const indexOf = (index: JsonValue | undefined): number | undefined => {
  const number = isString(index) && /^\d+$/.test(index) ? Number(index) : index;
  return isNumber(number) ? number : undefined;
};

const argumentText = (given: JsonValue | undefined): string =>
  isString(given) ? given : given === undefined || given === null ? '' : JSON.stringify(given);

function restOf(wire: JsonObject): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const key in wire) {
    const value = wire[key];
    const usual = known.includes(key) ? key !== 'type' || value === 'function' || value === null : value === null;
    if (usual || value === undefined) continue;
    rest ??= {};
    rest[key] = value;
  }
  return rest;
}
