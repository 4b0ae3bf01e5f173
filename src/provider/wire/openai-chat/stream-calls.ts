import { advance, isUnclosed, type Nesting, nestingOf } from '../../../json/nesting.ts';
import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import { asReceived } from '../arguments.ts';
import type { TurnAssembler } from '../turn-assembler.ts';
import { asPassthrough, isNumber, isString } from './fields.ts';

/** Start of a call's arguments. A space or a closing bracket of the previous call can come before it. */
const opener = /^\s*[{[]/;

/**
 * The calls of a stream. Servers use one index for all calls, no index, or one id twice. So calls are distinguished by
 * id, by name and by whether their arguments are complete, and by index only if nothing contradicts it.
 */
export class StreamCalls {
  readonly #assembly: TurnAssembler;
  readonly #lanes: Lane[] = [];
  /** The latest call with this index, and with this id. */
  readonly #byIndex = new Map<number, Lane>();
  readonly #byId = new Map<string, Lane>();
  /** Calls that have a name and were not emitted yet. */
  readonly #waiting = new Set<Lane>();
  #delta = 0;

  constructor(assembly: TurnAssembler) {
    this.#assembly = assembly;
  }

  /** Whether a call with a name was emitted. */
  get called(): boolean {
    return this.#lanes.some(({ slot }) => slot !== undefined && slot.index >= 0);
  }

  /** Starts another delta. Two call heads in one delta are two calls. */
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
    // Once arguments have started, the name is complete.
    if (!lane.slot && lane.name !== '' && entry.text !== '') this.#show(lane);
  }

  /** Emits pending calls at the end. */
  settle(cut: boolean, open?: Lane): void {
    for (const lane of this.#lanes) {
      if (lane.value && lane !== open) pourValue(this.#assembly, lane, false);
      if (!lane.slot) openLane(this.#assembly, lane);
      settleArguments(this.#assembly, lane, cut);
    }
    this.#waiting.clear();
  }

  /**
   * @param early whether the finish reason says that the response was truncated, so that an object at its end may be
   * incomplete
   */
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
    // The id is new: it arrived late, or the server creates one per chunk.
    const goesOn = here.id === '' ? !this.#startsAnother(here, entry) : isPiece(here, entry);
    if (goesOn) this.#byId.set(id, here);
    if (goesOn && here.id === '' && !here.slot) here.id = id;
    return goesOn ? here : undefined;
  }

  /** Starts a call at the first entry with any content. */
  #begin(entry: CallEntry): Lane | undefined {
    if (entry.id === '' && entry.name === '' && entry.text === '') return undefined;
    const lane = newLane(entry);
    this.#lanes.push(lane);
    if (entry.index !== undefined) this.#byIndex.set(entry.index, lane);
    if (entry.id !== '') this.#byId.set(entry.id, lane);
    return lane;
  }

  /** Whether an entry starts another call although its id or index match this one. Only an entry with a name can. */
  #startsAnother(lane: Lane, { index, id, name, text, typed }: CallEntry): boolean {
    if (name === '') return false;
    if (lane.headed === this.#delta) return true;
    // One id at two indexes belongs to two calls.
    if (id !== '' && index !== undefined && lane.index !== undefined && index !== lane.index) return true;
    if (lane.name === '') return false;
    // Arguments that start again resolve the buffered piece.
    const anew = opener.test(text);
    if (anew && !growsFrom(lane.held, text)) settleArguments(this.#assembly, lane, false);
    if (lane.nesting.size === 0) return name !== lane.name && typed && id === '' && lane.id === '';
    if (name !== lane.name) return true;
    if (!anew || !isComplete(lane.nesting)) return false;
    // The same id means the same call, unless its arguments are complete and these are different.
    if (id !== '') return isJson(laneText(lane)) && !repeats(lane, text);
    return !(lane.cumulative && lane.renamed && repeats(lane, text));
  }

  /** Emits a call, after those that were named earlier. */
  #show(lane: Lane): void {
    for (const one of this.#waiting) {
      openLane(this.#assembly, one);
      this.#waiting.delete(one);
      if (one === lane) return;
    }
  }
}

/** More arguments for an incomplete call, with an id of their own. */
const isPiece = (lane: Lane, { name, text }: CallEntry): boolean =>
  name === '' && text !== '' && !isComplete(lane.nesting);

type Slot = ReturnType<TurnAssembler['open']>;

/** A call of a stream, from its first chunk to its end. */
interface Lane {
  readonly index: number | undefined;
  id: string;
  name: string;
  /** Argument text that arrived before the call could be emitted. */
  early: string;
  /** Arguments that arrived as a value, and their text. They stay a value if nothing follows. */
  value: { readonly value: JsonValue; readonly text: string } | undefined;
  slot: Slot | undefined;
  readonly nesting: Nesting;
  /** Whether each delta repeats all arguments so far. */
  cumulative: boolean;
  /** A piece that may be more text or a repetition; the next one decides. */
  held: string;
  /** The delta that last named the call. */
  headed: number;
  /** Whether the name was repeated, as some servers do in each chunk. */
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

/** The argument text so far. */
const laneText = ({ slot, early, value }: Lane): string => (slot?.text ?? early) + (value?.text ?? '');

/** Whether a piece repeats all the text before it. The length is checked first. */
const repeats = (lane: Lane, piece: string): boolean =>
  lane.nesting.size > 0 && piece.length >= lane.nesting.size && piece.startsWith(laneText(lane));

/** A name can arrive complete, repeatedly, in pieces, or growing. */
function addName(lane: Lane, name: string): void {
  if (lane.slot || name === '' || name === lane.name) return;
  lane.name = name.startsWith(lane.name) ? name : lane.name + name;
}

/** Some servers start every call with an empty object. */
const nothing = '{}';
const opens = /^\s*\{/;

/** Adds a piece of a call's arguments: more text, or all of it again. */
function addArguments(assembly: TurnAssembler, lane: Lane, piece: string, value?: JsonValue): void {
  if (piece === '') return;
  // A server may create an object from truncated arguments, so the end of the response decides.
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
  // Either no arguments yet, or none at all; the next piece decides.
  if (piece === nothing && lane.nesting.size === 0) lane.held = piece;
  else if (!repeats(lane, piece) || lane.nesting.last === 0) push(assembly, lane, piece);
  else if (lane.cumulative) push(assembly, lane, piece.slice(lane.nesting.size));
  // Ambiguous: the same text twice, or an opening bracket where one is valid.
  else if (piece.length === lane.nesting.size || mayHoldBrace(lane.nesting)) lane.held = piece;
  else {
    lane.cumulative = true;
    push(assembly, lane, piece.slice(lane.nesting.size));
  }
}

/** Converts an object to text when more arguments follow. An empty object is dropped if another one starts. */
function pourValue(assembly: TurnAssembler, lane: Lane, begins: boolean): void {
  const { text = '' } = lane.value ?? {};
  lane.value = undefined;
  if (begins && text === nothing) Object.assign(lane.nesting, nestingOf());
  else if (lane.slot) assembly.grow(lane.slot, text);
  else lane.early += text;
}

/** Whether a piece extends the buffered one. One or two brackets may also be nesting. */
const growsFrom = (held: string, piece: string): boolean =>
  piece.startsWith(held) && (piece.length > held.length || held.length > 2);

/**
 * Resolves a buffered piece at the end: it is a repetition if only that makes the arguments complete.
 *
 * @param cut whether the response broke off, so that the arguments may be incomplete
 */
function settleArguments(assembly: TurnAssembler, lane: Lane, cut: boolean): void {
  if (lane.held === '') return;
  const same = lane.held.length === lane.nesting.size;
  const again = !isJson(laneText(lane) + lane.held) && isComplete(nestingOf(lane.held));
  releaseHeld(assembly, lane, again && (same || !cut));
}

/** Whether a text is valid JSON. */
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

/** Emits the call. A call without a name is recorded as ignored when it is closed. */
function openLane(assembly: TurnAssembler, lane: Lane): void {
  const passthrough = lane.rest && asPassthrough(lane.rest);
  lane.slot = assembly.open({ type: 'call', id: lane.id, name: lane.name, arguments: lane.early, ...passthrough });
}

/** Finishes the call. */
function closeLane(assembly: TurnAssembler, lane: Lane): void {
  const { slot, value } = lane;
  if (slot && value && slot.part.type === 'call') slot.part = { ...slot.part, arguments: value.value };
  if (slot) assembly.close(slot, lane.rest && asPassthrough(lane.rest));
}

/** A colon, a comma or an opening bracket, after which a value can start. */
const beforeValue = [58, 44, 91];

/** Whether all brackets are closed, so that what follows can't belong to the same value. */
const isComplete = (nesting: Nesting): boolean => nesting.last !== 0 && !isUnclosed(nesting);

/** Whether a brace is valid here: in a string, or as the start of a nested value. */
const mayHoldBrace = ({ last, inString }: Nesting): boolean => inString || beforeValue.includes(last);

/** One of a delta's `tool_calls`. Servers omit various fields. */
interface CallEntry {
  readonly index: number | undefined;
  /** Empty if missing. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The arguments, if they are not a string. */
  readonly value: JsonValue | undefined;
  /** Whether it has a type, as the first entry of a call does. */
  readonly typed: boolean;
  /** Other fields. */
  readonly rest: JsonObject | undefined;
}

const known: ReadonlySet<string> = new Set(['__proto__', 'index', 'id', 'type', 'function']);

/** Reads an entry. */
function callEntry(wire: JsonObject): CallEntry {
  const called = isObject(wire.function) ? wire.function : {};
  const args = asReceived(called.arguments ?? null);
  return {
    index: indexOf(wire.index),
    id: isString(wire.id) ? wire.id : '',
    name: isString(called.name) ? called.name : '',
    text: argumentText(args),
    value: isString(args) ? undefined : (args ?? undefined),
    typed: isString(wire.type),
    rest: restOf(wire),
  };
}

/** Some servers send the index as a string. */
const indexOf = (index: JsonValue | undefined): number | undefined => {
  const number = isString(index) && /^\d+$/.test(index) ? Number(index) : index;
  return isNumber(number) ? number : undefined;
};

const argumentText = (given: JsonValue | undefined): string =>
  isString(given) ? given : given === undefined || given === null ? '' : stringifyJson(given);

function restOf(wire: JsonObject): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const key in wire) {
    const value = wire[key];
    const usual = known.has(key) ? key !== 'type' || value === 'function' || value === null : value === null;
    if (usual || value === undefined) continue;
    rest ??= {};
    rest[key] = value;
  }
  return rest;
}
