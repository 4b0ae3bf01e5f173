import type { JsonObject, JsonValue } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type {
  AssistantPart,
  CallPart,
  Format,
  PartFinished,
  PartStarted,
  Passthrough,
  TurnEvent,
  TurnResponse,
} from '../../model/index.ts';
import type { TurnMender } from '../../provider/text-calls/turn-mender.ts';
import { asValue } from '../../provider/wire/arguments.ts';
import { completeTurn, isNameable, type Slot, TurnAssembler } from '../../provider/wire/turn-assembler.ts';
import { mendTurn, turnMender } from '../mend-turn.ts';
import { finishOf, mendedFinish } from './finish-reason.ts';
import type { Content, GenerateResult, StreamPart, StreamPartOf, Text, ToolCall } from './options.ts';
import { outgoingCall } from './outgoing-call.ts';
import { hasContent } from './prompt-feedback.ts';
import type { VisibleTools } from './visible-tools.ts';

/** Parts that count as a response, although they aren't our calls. */
const answers: ReadonlySet<StreamPart['type']> = new Set(['tool-call', 'tool-result', 'file', 'custom']);

/**
 * Mends the calls of a streamed response, from SDK parts to SDK parts. Everything except text and our calls passes
 * through.
 */
export class PartMender {
  readonly #shown: VisibleTools;
  readonly #assembly: TurnAssembler;
  readonly #mender: TurnMender;
  readonly #slots = new Map<string, Slot>();
  readonly #judged = new Map<string, CheckedCall>();
  /** The original parts of events: an unchanged event is emitted as its original part. */
  readonly #origins = new WeakMap<TurnEvent, StreamPart>();
  readonly #writer: PartWriter;
  #made: TurnEvent[] = [];
  #finish: StreamPartOf<'finish'> | undefined;
  #nameless: ToolCall | undefined;
  #answered = false;

  constructor(shown: VisibleTools) {
    this.#shown = shown;
    this.#assembly = new TurnAssembler(format, (event) => this.#made.push(event));
    const onCall = (call: CheckedCall): void => {
      this.#judged.set(call.part.id, call);
      shown.options.onCall?.(call);
    };
    this.#writer = new PartWriter((call) => {
      const judged = this.#judged.get(call.toolCallId);
      return judged ? [outgoingCall(call, judged, shown.toolbox)] : [];
    });
    this.#mender = turnMender(shown.toolbox, { ...shown.options, onCall });
  }

  /** Processes a part, and returns the parts to emit now. */
  take(part: StreamPart): StreamPart[] {
    this.#play(part);
    return this.#drain(part);
  }

  /** Ends the stream. Without a final part it broke off, and pending parts are emitted unchanged. */
  end(): StreamPart[] {
    if (!this.#assembly.ended)
      this.#assembly.fail({ kind: 'network', message: 'The stream ended early', retryable: true });
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
        this.#assembly.open({ type: 'text', text: '', passthrough: withSdkFields({ start: part }) }),
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

  /** Adds a delta to a text or call. Returns false if it belongs to neither. */
  #grown(part: StreamPart): boolean {
    const slot =
      'id' in part ? this.#slots.get(`${part.type.startsWith('text-') ? 'text' : 'call'} ${part.id}`) : undefined;
    if (!slot) return false;
    const said = sdkFieldsOf(slot.part);
    if (part.type === 'text-end') this.#assembly.close(slot, { passthrough: withSdkFields({ ...said, end: part }) });
    else if (part.type === 'tool-input-end')
      slot.part = { ...slot.part, passthrough: withSdkFields({ ...said, end: part }) } as CallPart;
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
    // Without deltas, the input may have been serialized from an object.
    const given = slot.text === '' ? asValue(input) : input;
    this.#assembly.close(slot, { arguments: given, passthrough: withSdkFields({ ...sdkFieldsOf(slot.part), call }) });
  }

  #partsOf(event: TurnEvent): StreamPart[] {
    if (event.type === 'part.started') this.#writer.begin(event);
    const origin = this.#origins.get(event);
    if (origin) return [origin];
    if (event.type === 'provider.unknown') return [event.value as unknown as StreamPart];
    return event.type === 'turn.finished' ? this.#last(event.response) : this.#writer.write(event);
  }

  #last({ message }: TurnResponse): StreamPart[] {
    if (!this.#finish) return [];
    // An empty response would end the run, so the SDK gets the call and refuses it, which keeps it in the history with
    // a result.
    const nameless = this.#answered || message.parts.some(hasContent) ? [] : [this.#nameless].filter((one) => !!one);
    const finishReason = mendedFinish(this.#finish.finishReason, {
      calls: [...this.#judged.values()],
      ignored: this.#nameless !== undefined && nameless.length === 0,
    });
    return [...nameless, { ...this.#finish, finishReason }];
  }
}

const callOf = (id: string, name: string, said: SdkFields): CallPart => ({
  type: 'call',
  id,
  name,
  arguments: '',
  passthrough: withSdkFields(said),
});

/** A part that is being emitted. */
interface Going {
  readonly id: string;
  readonly type: 'text' | 'call';
  /** Whether its arguments are streamed. */
  readonly announced: boolean;
}

/** Writes the events of a text or a call as SDK parts, with the SDK's own fields. */
class PartWriter {
  readonly #going = new Map<number, Going>();
  readonly #settled: (call: ToolCall) => ToolCall[];

  /** @param settled returns the final call by id; none if it wasn't checked */
  constructor(settled: (call: ToolCall) => ToolCall[]) {
    this.#settled = settled;
  }

  /** Records a part that is emitted elsewhere. */
  begin({ index, part }: PartStarted): void {
    this.#going.set(index, goingOf(part));
  }

  write(event: TurnEvent): StreamPart[] {
    const going = 'index' in event ? this.#going.get(event.index) : undefined;
    if (!going) return [];
    if (event.type === 'part.delta') return grown(going, event.text);
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

/** The start or end of a text. */
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

/** The format only matters for writing an API format, which doesn't happen here. */
export const format: Format = 'openai-chat';

/** The SDK's fields of a text or call that our own part can't express. */
interface SdkFields {
  readonly start?: StreamPartOf<'text-start' | 'tool-input-start'>;
  readonly end?: StreamPartOf<'text-end' | 'tool-input-end'>;
  readonly call?: ToolCall;
  /** Whether the call arrived complete, and is emitted so. */
  readonly whole?: boolean;
}

/** Stores the SDK's fields in a part. */
const withSdkFields = (said: SdkFields): Passthrough => ({ format, fields: said as unknown as JsonObject });

/** The SDK's fields of a part; empty if it was read from text. */
const sdkFieldsOf = (part: AssistantPart): SdkFields =>
  'passthrough' in part ? ((part.passthrough?.fields ?? {}) as unknown as SdkFields) : {};

/** Mends the calls of a complete response. Everything else stays unchanged and in place. */
export function mendContent(
  { content, finishReason }: GenerateResult,
  { toolbox, options, isOurs }: VisibleTools,
): Pick<GenerateResult, 'content' | 'finishReason'> {
  const cut = finishOf(finishReason) === 'length';
  const parts = content.map((one): AssistantPart => {
    const passthrough = { format, fields: { came: one } as unknown as JsonObject };
    if (one.type === 'text') return { type: 'text', text: one.text, passthrough };
    // In a field, because an item of the format with an id would be a call.
    if (one.type !== 'tool-call' || !isOurs(one)) return { type: 'opaque', format, value: passthrough.fields };
    return {
      type: 'call',
      id: one.toolCallId,
      name: one.toolName,
      arguments: cut ? asValue(one.input) : one.input,
      passthrough,
    };
  });
  const came = completeTurn(format, {}, parts, { finish: finishOf(finishReason) });
  const { response, calls } = mendTurn(came, toolbox, options);
  const judged = new Map(calls.map((call) => [call.part.id, call]));
  const texts = content.filter((one) => one.type === 'text');
  const back = (part: AssistantPart): Content => {
    if (part.type === 'opaque') return (part.value as unknown as { came: Content }).came;
    const own = 'passthrough' in part ? (part.passthrough?.fields.came as unknown as Content | undefined) : undefined;
    if (part.type === 'call') {
      const call = judged.get(part.id);
      const bare: ToolCall = { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: '' };
      return call ? outgoingCall((own as ToolCall | undefined) ?? bare, call, toolbox) : (own ?? bare);
    }
    // If calls were read from the only text, the rest of that text keeps its fields.
    const first = own ?? (texts.length === 1 ? texts[0] : undefined);
    const { text = '' } = part as { text?: string };
    return { ...(first as Text | undefined), type: part.type === 'reasoning' ? 'reasoning' : 'text', text };
  };
  const mended = response.message.parts.map(back);
  // An empty response would end the run, so the SDK gets the call and refuses it, which keeps it in the history with a
  // result.
  const nameless = mended.some(hasContent) ? [] : content.filter((one) => isNameless(one, isOurs));
  return {
    content: [...mended, ...nameless.slice(0, 1)],
    finishReason: mendedFinish(finishReason, {
      calls,
      ignored: came.ignored !== undefined && nameless.length === 0,
    }),
  };
}

const isNameless = (one: Content, isOurs: VisibleTools['isOurs']): boolean =>
  one.type === 'tool-call' && isOurs(one) && !isNameable(one.toolName);
