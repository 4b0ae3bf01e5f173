import type { TurnEvent } from '../../turn/turn.ts';
import { type Slot, TurnAssembly } from '../turn-assembly.ts';

/** What a provider's reader would say of these events: calls that name nothing dropped, ids told apart, a failure with what came. */
export async function* asRead(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent> {
  let made: TurnEvent[] = [];
  // Which format is meant matters only for what the middle shape has no word for, and a script says nothing such.
  const assembly = new TurnAssembly('openai-chat', (event) => made.push(event));
  const slots: Slot[] = [];
  for await (const event of events) {
    play(assembly, slots, event);
    const out = made;
    made = [];
    yield* out;
  }
}

function play(assembly: TurnAssembly, slots: Slot[], event: TurnEvent): void {
  const slot = 'index' in event ? slots[event.index] : undefined;
  if (event.type === 'turn.started') {
    const { type: _, ...start } = event;
    assembly.start(start);
  } else if (event.type === 'part.started') slots[event.index] = assembly.open(event.part);
  else if (event.type === 'part.grew' && slot) assembly.grow(slot, event.text);
  else if (event.type === 'part.finished' && slot) {
    const part = event.part.type === 'call' ? { ...event.part, id: (slot.part as { id: string }).id } : event.part;
    assembly.close(slot, part);
  } else if (event.type === 'turn.failed') assembly.fail(event.error);
  else if (event.type === 'turn.finished') assembly.finish(event.response);
}
