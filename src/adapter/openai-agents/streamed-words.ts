import type { AgentOutputItem, StreamEvent, StreamEventTextStream } from '@openai/agents-core';
import { type Slot, TurnAssembly } from '../../provider/turn-assembly.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { FinishReason, TurnEvent } from '../../turn/turn.ts';
import type { AnswerOptions } from '../mend-options.ts';
import { TurnMender } from '../turn-mender.ts';
import { isCall } from './items.ts';

/** The words of an answer as they stream: they pass at once, unless a call may have begun in them. */
export class StreamedWords {
  readonly #mender: TurnMender;
  readonly #assembly: TurnAssembly;
  readonly #texts = new Set<number>();
  #slot: Slot | undefined;
  #last: StreamEventTextStream | undefined;
  #said: string[] = [];

  constructor(toolbox: Toolbox, { onCall: _, ...options }: AnswerOptions) {
    this.#mender = new TurnMender(toolbox, options);
    this.#assembly = new TurnAssembly('openai-responses', (event) => this.#hear(this.#mender.take(event)));
  }

  take(event: StreamEventTextStream): StreamEvent[] {
    if (!this.#slot || event.itemId !== this.#last?.itemId) {
      if (this.#slot) this.#assembly.close(this.#slot);
      this.#slot = this.#assembly.open({ type: 'text', text: '' });
    }
    this.#last = event;
    this.#assembly.grow(this.#slot, event.delta);
    return this.#events();
  }

  /** The answer is whole: what waited is said, without the calls in it. */
  end(output: readonly AgentOutputItem[], finish?: FinishReason): StreamEvent[] {
    for (const item of output)
      if (isCall(item))
        this.#assembly.add({ type: 'call', id: item.callId, name: item.name, arguments: item.arguments });
    this.#assembly.finish({ finish });
    return this.#events();
  }

  /** The answer broke off: what waited is said as it came. */
  fail(): StreamEvent[] {
    this.#assembly.fail({ kind: 'network', message: 'The stream ended early', retryable: true });
    return this.#events();
  }

  #hear(events: readonly TurnEvent[]): void {
    for (const event of events) {
      if (event.type === 'part.started' && event.part.type === 'text') this.#texts.add(event.index);
      else if (event.type === 'part.grew' && this.#texts.has(event.index)) this.#said.push(event.text);
    }
  }

  #events(): StreamEvent[] {
    const said = this.#said;
    this.#said = [];
    const last = this.#last;
    if (!last) return [];
    const { itemId } = last;
    const event = (delta: string): StreamEvent =>
      // What the provider said beside the words holds for these words alone.
      delta === last.delta ? last : { type: 'output_text_delta', delta, ...(itemId !== undefined && { itemId }) };
    return said.map(event);
  }
}
