import type { JsonObject } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { readItem } from './read-item.ts';
import { catchUp, complete, named, type StreamItem } from './stream-item.ts';

/** A call while it is streamed: it begins once its name is known, and what came before that is held. */
export function streamCall(assembly: TurnAssembly, first: JsonObject): StreamItem {
  let slot: Slot | undefined;
  let held = '';
  const read = (wire: JsonObject): CallPart => readItem({ ...wire, type: 'function_call' }, '')[0] as CallPart;
  const open = (part: CallPart): Slot => {
    if (slot) return slot;
    slot = assembly.open({ ...part, arguments: '' });
    assembly.grow(slot, held);
    return slot;
  };
  const item: StreamItem = {
    kind: 'call',
    wire: first,
    done: false,
    begin({ name, call_id: callId }) {
      if (slot || typeof name !== 'string' || name === '') return;
      item.wire = { ...item.wire, name, ...(typeof callId === 'string' && { call_id: callId }) };
      open(read(item.wire));
    },
    grow(_, __, text) {
      if (slot) assembly.grow(slot, text);
      else held += text;
    },
    whole(_, __, text) {
      if (slot) catchUp(assembly, slot, text);
      else if (text !== '') held = text;
    },
    settle(wire) {
      const part = read({ ...named(item.wire), ...wire });
      complete(assembly, open(part), part);
    },
    close() {
      if (slot?.open === false) return;
      // Arguments that stood in the item from the first are taken where no others came.
      const part = read(item.wire);
      complete(assembly, open(part), slot?.text ? { ...part, arguments: slot.text } : part);
    },
  };
  const part = read(first);
  if (part.name !== '') open(part);
  return item;
}
