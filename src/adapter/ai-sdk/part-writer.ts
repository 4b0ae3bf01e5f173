import { makeId } from '../../provider/make-id.ts';
import type { AssistantPart, PartFinished, PartStarted, TurnEvent } from '../../turn/turn.ts';
import { sdkFieldsOf } from './said.ts';
import type { StreamPart, StreamPartOf, ToolCall } from './sdk-types.ts';

/** A part that is going out. */
interface Going {
  readonly id: string;
  readonly type: 'text' | 'call';
  /** Its arguments are passed on as they come. */
  readonly announced: boolean;
}

/** Writes the events of a text or a call as parts of the SDK's stream, each with what the SDK had said of it. */
export class PartWriter {
  readonly #going = new Map<number, Going>();
  readonly #settled: (call: ToolCall) => ToolCall[];

  /** @param settled the call as it goes out, by its id; none where nobody judged it */
  constructor(settled: (call: ToolCall) => ToolCall[]) {
    this.#settled = settled;
  }

  /** Notes that a part goes out, which may be written by another. */
  begin({ index, part }: PartStarted): void {
    this.#going.set(index, goingOf(part));
  }

  write(event: TurnEvent): StreamPart[] {
    const going = 'index' in event ? this.#going.get(event.index) : undefined;
    if (!going) return [];
    if (event.type === 'part.grew') return grown(going, event.text);
    if (event.type !== 'part.started' && event.type !== 'part.finished') return [];
    return going.type === 'text' ? [bound(going, event)] : this.#call(going, event);
  }

  #call({ id, announced }: Going, { type, part }: PartStarted | PartFinished): StreamPart[] {
    const { start, end, call } = sdkFieldsOf(part);
    const toolName = part.type === 'call' ? part.name : '';
    if (type === 'part.started') {
      const begun = start as StreamPartOf<'tool-input-start'> | undefined;
      return announced ? [{ ...begun, type: 'tool-input-start', id, toolName }] : [];
    }
    const ended = { ...(end as StreamPartOf<'tool-input-end'> | undefined), type: 'tool-input-end', id } as const;
    const bare: ToolCall = { type: 'tool-call', toolCallId: id, toolName, input: '' };
    return [...(announced ? [ended] : []), ...this.#settled({ ...bare, ...call, toolCallId: id })];
  }
}

function grown({ id, type, announced }: Going, delta: string): StreamPart[] {
  if (type === 'text') return [{ type: 'text-delta', id, delta }];
  return announced ? [{ type: 'tool-input-delta', id, delta }] : [];
}

/** Where a text begins or ends. */
function bound({ id }: Going, { type, part }: PartStarted | PartFinished): StreamPart {
  const { start, end } = sdkFieldsOf(part);
  return type === 'part.started'
    ? { ...(start as StreamPartOf<'text-start'> | undefined), type: 'text-start', id }
    : { ...(end as StreamPartOf<'text-end'> | undefined), type: 'text-end', id };
}

function goingOf(part: AssistantPart): Going {
  const { start, whole } = sdkFieldsOf(part);
  if (part.type === 'call') return { id: part.id, type: 'call', announced: !whole };
  return { id: start?.id ?? makeId(), type: 'text', announced: true };
}
