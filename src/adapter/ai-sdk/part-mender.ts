import type { JudgedCall } from '../../call/mended-call.ts';
import type { JsonValue } from '../../json/value.ts';
import { isNameable } from '../../provider/is-nameable.ts';
import { type Slot, TurnAssembly } from '../../provider/turn-assembly.ts';
import type { CallPart, TurnEvent, TurnResponse } from '../../turn/turn.ts';
import { asValue } from '../as-value.ts';
import { TurnMender } from '../turn-mender.ts';
import { finishOf, mendedFinish } from './finish-reasons.ts';
import { outgoing } from './outgoing.ts';
import { PartWriter } from './part-writer.ts';
import { format, type SdkFields, sdkFieldsOf, withSdkFields } from './said.ts';
import type { StreamPart, StreamPartOf, ToolCall } from './sdk-types.ts';
import type { Shown } from './tools-shown.ts';
import { isAnswer } from './without-nameless.ts';

/** Parts that are an answer, though none of ours. */
const answers: ReadonlySet<StreamPart['type']> = new Set(['tool-call', 'tool-result', 'file', 'custom']);

/** Mends the calls of an answer as it streams, the SDK's parts in and out. What is no text and no call of ours passes in its place. */
export class PartMender {
  readonly #shown: Shown;
  readonly #assembly: TurnAssembly;
  readonly #mender: TurnMender;
  readonly #slots = new Map<string, Slot>();
  readonly #judged = new Map<string, JudgedCall>();
  /** Parts by the events that were made of them: what comes out of the mender unchanged goes out as it came. */
  readonly #origins = new WeakMap<TurnEvent, StreamPart>();
  readonly #writer: PartWriter;
  #made: TurnEvent[] = [];
  #finish: StreamPartOf<'finish'> | undefined;
  #nameless: ToolCall | undefined;
  #answered = false;

  constructor(shown: Shown) {
    this.#shown = shown;
    this.#assembly = new TurnAssembly(format, (event) => this.#made.push(event));
    const onCall = (call: JudgedCall): void => {
      this.#judged.set(call.part.id, call);
      shown.options.onCall?.(call);
    };
    this.#writer = new PartWriter((call) => {
      const judged = this.#judged.get(call.toolCallId);
      return judged ? [outgoing(call, judged, shown.toolbox)] : [];
    });
    this.#mender = new TurnMender(shown.toolbox, { ...shown.options, onCall });
  }

  /** Takes a part; gives those that can be passed on now. */
  take(part: StreamPart): StreamPart[] {
    this.#play(part);
    return this.#drain(part);
  }

  /** The stream is over; without a last word it broke off, and what waits is passed on as it is. */
  end(): StreamPart[] {
    if (!this.#assembly.ended)
      this.#assembly.fail({ kind: 'network', message: 'The stream broke off', retryable: true });
    return this.#drain();
  }

  #drain(part?: StreamPart): StreamPart[] {
    const events = this.#made;
    this.#made = [];
    if (part?.type.startsWith('text-')) {
      for (const event of events) if ('index' in event) this.#origins.set(event, part);
    }
    return events.flatMap((event) => this.#mender.take(event)).flatMap((event) => this.#partsOf(event));
  }

  #play(part: StreamPart): void {
    if (part.type === 'text-start') {
      this.#slots.set(
        `text ${part.id}`,
        this.#assembly.open({ type: 'text', text: '', extra: withSdkFields({ start: part }) }),
      );
    } else if (part.type === 'tool-input-start' && this.#shown.isOurs(part)) {
      this.#slots.set(`call ${part.id}`, this.#assembly.open(callOf(part.id, part.toolName, { start: part })));
    } else if (part.type === 'tool-call' && this.#shown.isOurs(part)) this.#close(part);
    else if (part.type === 'finish') {
      this.#finish = part;
      this.#assembly.finish({ finish: finishOf(part.finishReason) });
    } else if (!this.#grown(part)) {
      this.#answered ||= answers.has(part.type);
      this.#assembly.unknown(part as unknown as JsonValue);
    }
  }

  /** More of a text or of a call's arguments; false where it belongs to none of them. */
  #grown(part: StreamPart): boolean {
    const slot =
      'id' in part ? this.#slots.get(`${part.type.startsWith('text-') ? 'text' : 'call'} ${part.id}`) : undefined;
    if (!slot) return false;
    const said = sdkFieldsOf(slot.part);
    if (part.type === 'text-end') this.#assembly.close(slot, { extra: withSdkFields({ ...said, end: part }) });
    else if (part.type === 'tool-input-end')
      slot.part = { ...slot.part, extra: withSdkFields({ ...said, end: part }) } as CallPart;
    else if (part.type === 'text-delta' && part.delta === '') return false;
    else if (part.type === 'text-delta' || part.type === 'tool-input-delta') this.#assembly.grow(slot, part.delta);
    else return false;
    return true;
  }

  #close(call: ToolCall): void {
    const { toolCallId: id, toolName: name, input } = call;
    if (!isNameable(name)) this.#nameless ??= call;
    const slot = this.#slots.get(`call ${id}`) ?? this.#assembly.open(callOf(id, name, { whole: true }));
    this.#slots.delete(`call ${id}`);
    // Without a piece of its text before, the input may be made of an object.
    const given = slot.text === '' ? asValue(input) : input;
    this.#assembly.close(slot, { arguments: given, extra: withSdkFields({ ...sdkFieldsOf(slot.part), call }) });
  }

  #partsOf(event: TurnEvent): StreamPart[] {
    if (event.type === 'part.started') this.#writer.begin(event);
    const origin = this.#origins.get(event);
    if (origin) return [origin];
    if (event.type === 'wire.unknown') return [event.value as unknown as StreamPart];
    return event.type === 'turn.finished' ? this.#last(event.response) : this.#writer.write(event);
  }

  #last({ message }: TurnResponse): StreamPart[] {
    if (!this.#finish) return [];
    // An answer of nothing would end the run: the call goes to the SDK, which refuses it, and leaves the history with its result.
    const nameless = this.#answered || message.parts.some(isAnswer) ? [] : [this.#nameless].filter((one) => !!one);
    const finishReason = mendedFinish(this.#finish.finishReason, {
      calls: [...this.#judged.values()],
      dropped: this.#nameless !== undefined && nameless.length === 0,
    });
    return [...nameless, { ...this.#finish, finishReason }];
  }
}

const callOf = (id: string, name: string, said: SdkFields): CallPart => ({
  ...{ type: 'call', id, name, arguments: '', extra: withSdkFields(said) },
});
