import type {
  AgentOutputItem,
  FunctionCallItem,
  Model,
  ModelRequest,
  ModelResponse,
  StreamEvent,
  StreamEventGenericItem,
  StreamEventResponseCompleted,
  StreamEventTextStream,
} from '@openai/agents-core';
import { isObject, type JsonValue } from '../../json/value.ts';
import type { CallPart, FinishReason, TurnEvent } from '../../model/index.ts';
import { callsIn } from '../../provider/text-calls/text-calls.ts';
import type { TurnMender } from '../../provider/text-calls/turn-mender.ts';
import { openaiChat } from '../../provider/wire/openai-chat/index.ts';
import { type Slot, TurnAssembler } from '../../provider/wire/turn-assembler.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { MendOptions, ResponseOptions } from '../mend-options.ts';
import { turnMender } from '../mend-turn.ts';
import { isCall } from './items.ts';
import { optionsFor } from './options.ts';
import { requestTools } from './request-tools.ts';
import type { ModelReply } from './retry-loop.ts';
import { finishOf, isTruncationError, isTruncationEvent, truncatedOutput, truncateLast } from './truncated.ts';

/** An answer that came whole; without `response` it was asked for as a stream. */
interface WholeAnswer extends ModelReply {
  readonly response?: ModelResponse;
}

/**
 * Asks a model for whole answers. Where the SDK throws a cut-off one away, with the call in it, the question is asked once
 * more as a stream, where that can be seen.
 */
export function askComplete(
  model: Model,
  options: MendOptions,
): (request: ModelRequest) => AsyncGenerator<StreamEvent, WholeAnswer> {
  return async function* (request) {
    try {
      const response = await model.getResponse(request);
      const { output: came, providerData, responseId, usage } = response;
      const finish = finishOf(providerData, came);
      const output = finish === 'length' ? truncateLast(came, providerData) : came;
      return { response, output, finish, id: responseId, usage };
    } catch (error) {
      if (!isTruncationError(error)) throw error;
    }
    return yield* askStreamed(model, options)(request);
  };
}

/** An answer that streamed. Without `done` it never ended, and the SDK says so. */
interface StreamedAnswer extends ModelReply {
  readonly done?: StreamEventResponseCompleted;
}

/** Asks a model for answers that stream: of several, only the first begins, and none ends before it is judged. */
export function askStreamed(
  model: Model,
  options: MendOptions,
): (request: ModelRequest) => AsyncGenerator<StreamEvent, StreamedAnswer> {
  let started = false;
  return async function* (request) {
    const words = new StreamedWords(requestTools(request).toolbox, optionsFor(request, options));
    const chunks = new ChatChunks();
    let done: StreamEventResponseCompleted | undefined;
    let raw: StreamEventGenericItem | undefined;
    let cut: unknown;
    try {
      for await (const event of model.getStreamedResponse(request)) {
        if (event.type === 'response_done') done = event;
        else if (event.type === 'output_text_delta') yield* words.take(event);
        else if (event.type === 'model') {
          raw = event;
          if (isTruncationEvent(event.event)) cut = event.event;
          chunks.take(event);
          yield event;
        } else if (!started) {
          started = true;
          yield event;
        }
      }
    } catch (error) {
      done = isTruncationError(error) ? truncatedOutput(raw) : undefined;
      if (!done) {
        yield* words.fail();
        throw error;
      }
    }
    if (!done) return { output: [] };
    const { response } = done;
    const told = cut ? 'length' : finishOf(response.providerData, response.output);
    const { output: came, finish = told } = chunks.end(response.output);
    const output = finish === 'length' ? truncateLast(came, cut ?? response.providerData) : came;
    yield* words.end(output, finish);
    return { done, output, finish, id: response.id, usage: response.usage };
  };
}

/** The words of an answer as they stream: they pass at once, unless a call may have begun in them. */
class StreamedWords {
  readonly #mender: TurnMender;
  readonly #assembly: TurnAssembler;
  readonly #texts = new Set<number>();
  #slot: Slot | undefined;
  #last: StreamEventTextStream | undefined;
  #said: string[] = [];

  constructor(toolbox: Toolbox, { onCall: _, ...options }: ResponseOptions) {
    this.#mender = turnMender(toolbox, options);
    this.#assembly = new TurnAssembler('openai-responses', (event) => this.#hear(this.#mender.take(event)));
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
      else if (event.type === 'part.delta' && this.#texts.has(event.index)) this.#said.push(event.text);
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

/**
 * Reads the chunks of a chat completion that the SDK passes on beside its own events. The SDK tells calls apart by their
 * index alone, and keeps to itself how the answer ended; the chunks say both.
 */
class ChatChunks {
  #last: TurnEvent | undefined;
  #any = false;
  readonly #reader = openaiChat.readStream((event) => {
    this.#last = event;
  });

  take({ event }: StreamEventGenericItem): void {
    if (!isObject(event) || event.object !== 'chat.completion.chunk') return;
    this.#any = true;
    this.#reader.frame(event as JsonValue);
  }

  /** How the answer ended, and its items with each call as its own. */
  end(output: readonly AgentOutputItem[]): { finish?: FinishReason | undefined; output: AgentOutputItem[] } {
    if (this.#any) this.#reader.done();
    if (this.#last?.type !== 'turn.finished') return { output: [...output] };
    const { finish } = this.#last.response;
    const calls = callsIn(this.#last.response);
    const known = output.filter(isCall);
    const [first] = known;
    const agree = known.length === calls.length && known.every(({ name }, at) => name === calls[at]?.name);
    if (!first || calls.length === 0 || agree) return { finish, output: [...output] };
    return { finish, output: [...output.filter((item) => !isCall(item)), ...calls.map((call) => itemOf(call, first))] };
  }
}

const itemOf = ({ id, name, arguments: given }: CallPart, like: FunctionCallItem): FunctionCallItem => ({
  ...like,
  ...{ callId: id, name, arguments: String(given) },
});
