import type { JsonObject } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { readCall } from './read-item.ts';
import { catchUp, complete, named, type PieceOf, type StreamItem } from './stream-item.ts';

/** A call while it is streamed: it begins once its name is known, and what came before that is held. */
export class StreamCall implements StreamItem {
  readonly kind = 'call';
  readonly #assembly: TurnAssembly;
  wire: JsonObject;
  done = false;
  #slot: Slot | undefined;
  #held = '';

  constructor(assembly: TurnAssembly, first: JsonObject) {
    this.#assembly = assembly;
    this.wire = first;
    const part = readCall(first);
    if (part.name !== '') this.#open(part);
  }

  get said(): { name: string; arguments: unknown } {
    const { name, arguments: given } = readCall(this.wire);
    const part = this.#slot?.part;
    const whole = part?.type === 'call' && !this.#slot?.open ? part.arguments : this.#slot?.text || this.#held;
    return { name, arguments: whole === '' ? given : whole };
  }

  /** Its name may come late. */
  begin({ name, call_id: callId }: JsonObject): void {
    if (this.#slot || typeof name !== 'string' || name === '') return;
    this.wire = { ...this.wire, name, ...(typeof callId === 'string' && { call_id: callId }) };
    this.#open(readCall(this.wire));
  }

  grow(_: PieceOf, __: number, text: string): void {
    if (this.#slot) this.#assembly.grow(this.#slot, text);
    else this.#held += text;
  }

  whole(_: PieceOf, __: number, text: string): void {
    if (this.#slot) catchUp(this.#assembly, this.#slot, text);
    else if (text !== '') this.#held = text;
  }

  settle(wire: JsonObject): void {
    const part = readCall(isNamed(wire) ? wire : { ...named(this.wire), ...wire });
    complete(this.#assembly, this.#open(part), part);
  }

  close(): void {
    if (this.#slot?.open === false) return;
    // Arguments that stood in the item from the first are taken where no others came.
    const part = readCall(this.wire);
    const { text } = this.#open(part);
    complete(this.#assembly, this.#open(part), text ? { ...part, arguments: text } : part);
  }

  #open(part: CallPart): Slot {
    if (this.#slot) return this.#slot;
    this.#slot = this.#assembly.open({ ...part, arguments: '' });
    this.#assembly.grow(this.#slot, this.#held);
    return this.#slot;
  }
}

/** Whether a telling of a call holds all it goes by. */
const isNamed = ({ id, name, call_id: callId }: JsonObject): boolean =>
  id !== undefined && typeof name === 'string' && name !== '' && typeof callId === 'string';
