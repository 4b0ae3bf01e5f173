import type { JsonObject } from '../../json/value.ts';
import type { ReasoningPart } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { passthrough } from './format.ts';
import { readItem } from './read-item.ts';
import { complete, named, type PieceOf, type StreamItem } from './stream-item.ts';

/** A thought while it is streamed: summaries, or the thought itself, whichever comes first; one part in any case. */
export function streamReasoning(assembly: TurnAssembly, first: JsonObject): StreamItem {
  let slot: Slot | undefined;
  let source: PieceOf | undefined;
  let index = -1;
  let from = 0;
  const read = (wire: JsonObject): ReasoningPart =>
    readItem({ summary: [], ...wire, type: 'reasoning' }, '')[0] as ReasoningPart;
  const open = (of?: PieceOf): Slot => {
    if (slot) return slot;
    const { id } = read(item.wire);
    // Whoever writes this stream again must know whose words they are before they come.
    slot = assembly.open({
      type: 'reasoning',
      text: '',
      ...present({ id }),
      ...(of === 'content' && passthrough({ content: [] })),
    });
    return slot;
  };
  /** Moves on to this piece; false where it is of the other kind, which the item's end will tell. */
  const turnTo = (of: PieceOf, at: number): boolean => {
    source ??= of;
    if (of !== source) return false;
    const { text } = open(of);
    if (at === index) return true;
    if (text !== '') assembly.grow(open(), '\n\n');
    index = at;
    from = open().text.length;
    return true;
  };
  const item: StreamItem = {
    kind: 'reasoning',
    wire: first,
    done: false,
    begin() {},
    grow(of, at, text) {
      if (text !== '' && turnTo(of, at)) assembly.grow(open(), text);
    },
    whole(of, at, text) {
      if (text === '' || at < index || !turnTo(of, at)) return;
      const said = open().text.slice(from);
      if (text.startsWith(said)) assembly.grow(open(), text.slice(said.length));
    },
    settle(wire) {
      const said = { ...named(item.wire), ...wire };
      const thought = source === 'content' && !Array.isArray(said.content) ? open().text : '';
      const content = thought === '' ? {} : { content: [{ type: 'reasoning_text', text: thought }] };
      complete(assembly, open(), read({ ...said, ...content }));
    },
    close() {
      if (slot?.open !== false) item.settle(item.wire);
    },
  };
  return item;
}
