import { isObject, type JsonObject } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { ownFields, passthrough } from './format.ts';
import { itemFields, readItem, readMessagePart } from './read-item.ts';
import { catchUp, complete, type PieceOf, type StreamItem } from './stream-item.ts';

/** What a part of a message is before it has words. */
const empty: Readonly<Record<string, JsonObject>> = {
  text: { type: 'output_text', text: '' },
  refusal: { type: 'refusal', refusal: '' },
};

/** A message while it is streamed: parts that each may be told by their own events, or by the item's alone. */
export function streamMessage(assembly: TurnAssembly, first: JsonObject): StreamItem {
  const slots: Slot[] = [];
  const places = new Map<number, Slot>();
  const ended = new Set<Slot>();

  const open = (part: JsonObject, index: number): Slot => {
    const slot = assembly.open(readMessagePart(part, slots.length === 0 ? itemFields(item.wire) : undefined));
    slots.push(slot);
    places.set(index, slot);
    return slot;
  };
  /** The part these words belong to, though the wire counts its parts wrongly or told nothing of their beginning. */
  const slotOf = (of: PieceOf, index: number): Slot => {
    const placed = places.get(index);
    if (placed?.part.type === of) return placed;
    const last = slots.at(-1);
    if (last?.part.type === of && !ended.has(last)) return last;
    return open(empty[of] ?? {}, index);
  };

  const item: StreamItem = {
    kind: 'message',
    wire: first,
    done: false,
    begin(part, index) {
      if (places.has(index)) return;
      const type = part.type === 'refusal' ? 'refusal' : 'text';
      const known = part.type === 'refusal' || typeof part.text === 'string';
      open(known ? { ...part, ...empty[type], type: part.type ?? 'output_text' } : part, index);
    },
    grow(of, index, text) {
      assembly.grow(slotOf(of, index), text);
    },
    whole(of, index, text) {
      const slot = slotOf(of, index);
      catchUp(assembly, slot, text);
      ended.add(slot);
    },
    settle(wire) {
      item.wire = { ...item.wire, ...wire };
      tell(wire);
      item.close();
    },
    close() {
      if (slots.every(({ text }) => text === '')) tell(item.wire);
      slots.forEach((slot, index) => {
        const fields = ownFields(slot.part as { extra?: never }) ?? {};
        assembly.close(slot, index === 0 ? passthrough({ ...fields, item: itemFields(item.wire) }) : undefined);
      });
    },
  };

  /** The parts as the item has them; where it has none, those that were streamed stand. */
  function tell(wire: JsonObject): void {
    if (slots.length > 0 && !saysMore(wire)) return;
    for (const [index, part] of readItem(wire, '').entries()) settlePart(part, slots[index]);
  }
  function settlePart(part: AssistantPart, slot?: Slot): void {
    if (slot && slot.part.type !== part.type) {
      assembly.close(slot);
      assembly.add(part);
      return;
    }
    const begun = slot ?? assembly.open('text' in part ? { ...part, text: '' } : part);
    if (!slot) slots.push(begun);
    complete(assembly, begun, part);
  }
  // An item that has its content from the first takes its place at once, and its words where no others come.
  if (Array.isArray(first.content)) {
    for (const [index, part] of first.content.entries()) if (isObject(part)) item.begin(part, index);
  }
  return item;
}

/** Whether an item has content to tell. */
const saysMore = ({ content }: JsonObject): boolean =>
  Array.isArray(content) ? content.length > 0 : typeof content === 'string';
