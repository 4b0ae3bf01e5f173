import type { JsonObject } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';

/** What an item is, as far as a stream has events for it. */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'opaque';

/** Which words of an item an event brings. */
export type PieceOf = 'text' | 'refusal' | 'summary' | 'content' | 'arguments';

/** One item of the output while it is being streamed. */
export interface StreamItem {
  readonly kind: ItemKind;
  /** What was said of it last. */
  wire: JsonObject;
  /** It was told whole. */
  done: boolean;
  /** A call as far as it was told. */
  readonly said?: { readonly name: string; readonly arguments: unknown };
  /** A part of its content begins. */
  begin(part: JsonObject, index: number): void;
  /** The next piece of its words. */
  grow(of: PieceOf, index: number, text: string): void;
  /** Words that are whole now, streamed before or not. */
  whole(of: PieceOf, index: number, text: string): void;
  /** The item as it is at its end. */
  settle(wire: JsonObject): void;
  /** Nothing more will be said of it. */
  close(): void;
}

/** What an item goes by, for an end that leaves it out. */
export const named = ({ id, call_id, name }: JsonObject): JsonObject => present({ id, call_id, name });

/** Says what of the whole words was not streamed; where they do not go on from what was, the streamed ones stand. */
export function catchUp(assembly: TurnAssembly, slot: Slot, text: string): void {
  if (text.length > slot.text.length && text.startsWith(slot.text)) assembly.grow(slot, text.slice(slot.text.length));
}

/** Closes a part as the wire gave it at its end, which counts for more than what was streamed, unless it is empty. */
export function complete(assembly: TurnAssembly, slot: Slot, whole: AssistantPart): void {
  if (whole.type === 'call') {
    const { arguments: given, extra } = whole;
    if (typeof given === 'string') catchUp(assembly, slot, given);
    assembly.close(slot, { arguments: given === '' ? slot.text : given, ...(extra && { extra }) });
    return;
  }
  if (!('text' in whole)) {
    assembly.close(slot, whole);
    return;
  }
  catchUp(assembly, slot, whole.text);
  const { hidden, ...rest } = { hidden: undefined, ...whole };
  assembly.close(slot, { ...rest, text: whole.text || slot.text, ...(hidden && slot.text === '' && { hidden }) });
}
