import type { JsonObject } from '../../json/value.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { isComplete } from './argument-scan.ts';
import { type CallEntry, callEntry } from './call-entry.ts';
import {
  addArguments,
  addName,
  closeLane,
  growsFrom,
  isJson,
  type Lane,
  laneText,
  newLane,
  openLane,
  repeats,
  settleArguments,
} from './stream-lane.ts';

/** How the arguments of a call begin; a space or a closer may follow those of the call before. */
const opener = /^\s*[{[]/;

/**
 * The calls of one stream. Servers use the same index for every call, or none, or the same id twice; so calls are told
 * apart by id, by name and by whether their arguments are whole, and by index only where nothing speaks against it.
 */
export class StreamCalls {
  readonly #assembly: TurnAssembly;
  readonly #lanes: Lane[] = [];
  /** The latest call with this index, and with this id. */
  readonly #byIndex = new Map<number, Lane>();
  readonly #byId = new Map<string, Lane>();
  /** Calls that are named and not yet shown. */
  readonly #waiting = new Set<Lane>();
  #delta = 0;

  constructor(assembly: TurnAssembly) {
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
    addArguments(this.#assembly, lane, entry.text);
    // With its arguments begun, a name is whole; without, more of it may come.
    if (!lane.slot && lane.name !== '' && entry.text !== '') this.#show(lane);
  }

  /** Nothing more comes: calls that waited are shown as they are. */
  settle(cut: boolean): void {
    for (const lane of this.#lanes) {
      if (!lane.slot) openLane(this.#assembly, lane);
      settleArguments(this.#assembly, lane, cut);
    }
    this.#waiting.clear();
  }

  close(cut: boolean): void {
    this.settle(cut);
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
    if (lane.scan.size === 0) return name !== lane.name && typed && id === '' && lane.id === '';
    if (name !== lane.name) return true;
    if (!anew || !isComplete(lane.scan)) return false;
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
  name === '' && text !== '' && !isComplete(lane.scan);
