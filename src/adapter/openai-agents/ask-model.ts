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
import type { Schema } from '../../schema/schema.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type MendOptions, type ResponseOptions, turnMender } from '../mend-turn.ts';
import { OutputStream } from '../output-text.ts';
import { isCall } from './items.ts';
import { requestedSchema } from './mend-output.ts';
import { optionsFor } from './options.ts';
import { requestTools } from './request-tools.ts';
import type { ModelReply } from './retry-loop.ts';
import { finishOf, isTruncationError, isTruncationEvent, truncatedOutput, truncateLast } from './truncated.ts';

/** A complete response; without `response` it was requested as a stream. */
interface WholeAnswer extends ModelReply {
  readonly response?: ModelResponse;
}

/**
 * Requests complete responses. If the SDK discards a truncated one with its call, the request is repeated as a stream,
 * which preserves it.
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

/** A streamed response. Without `done` it never ended. */
interface StreamedAnswer extends ModelReply {
  readonly done?: StreamEventResponseCompleted;
}

/** Requests streamed responses. Of several attempts only the first is streamed, and none ends before it is checked. */
export function askStreamed(
  model: Model,
  options: MendOptions,
): (request: ModelRequest) => AsyncGenerator<StreamEvent, StreamedAnswer> {
  let started = false;
  return async function* (request) {
    const schema = requestedSchema(request);
    const words = new StreamedWords(requestTools(request).toolbox, optionsFor(request, options), schema);
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

/** The text of a streamed response, which passes immediately unless a call may have started in it. */
class StreamedWords {
  readonly #mender: TurnMender;
  readonly #assembly: TurnAssembler;
  readonly #texts = new Set<number>();
  #slot: Slot | undefined;
  #last: StreamEventTextStream | undefined;
  #said: string[] = [];
  /** Structured output, whose text passes while mending can't change it. */
  readonly #output: OutputStream | undefined;

  constructor(toolbox: Toolbox, { onCall: _, ...options }: ResponseOptions, schema: Schema | undefined) {
    this.#output = schema && new OutputStream(schema);
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

  /** Ends the response: emits pending text without the calls in it. */
  end(output: readonly AgentOutputItem[], finish?: FinishReason): StreamEvent[] {
    for (const item of output)
      if (isCall(item))
        this.#assembly.add({ type: 'call', id: item.callId, name: item.name, arguments: item.arguments });
    this.#assembly.finish({ finish });
    this.#said.push(this.#output?.end(finish) ?? '');
    return this.#events();
  }

  /** Ends a response that broke off: emits pending text unchanged. */
  fail(): StreamEvent[] {
    this.#assembly.fail({ kind: 'network', message: 'The stream ended early', retryable: true });
    this.#said.push(this.#output?.end('error') ?? '');
    return this.#events();
  }

  #hear(events: readonly TurnEvent[]): void {
    for (const event of events) {
      if (event.type === 'part.started' && event.part.type === 'text') this.#texts.add(event.index);
      else if (event.type === 'part.delta' && this.#texts.has(event.index))
        this.#said.push(this.#output ? this.#output.push(event.text) : event.text);
    }
  }

  #events(): StreamEvent[] {
    const said = this.#said.filter((text) => text !== '');
    this.#said = [];
    const last = this.#last;
    if (!last) return [];
    const { itemId } = last;
    const event = (delta: string): StreamEvent =>
      // The provider's fields apply to the original text only.
      delta === last.delta ? last : { type: 'output_text_delta', delta, ...(itemId !== undefined && { itemId }) };
    return said.map(event);
  }
}

/**
 * Reads the Chat Completions chunks that the SDK passes on next to its own events. The SDK distinguishes calls by index
 * only, and doesn't expose the finish reason; the chunks provide both.
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

  /** The finish reason, and the items with separate calls. */
  end(output: readonly AgentOutputItem[]): { finish?: FinishReason | undefined; output: AgentOutputItem[] } {
    if (this.#any) this.#reader.end();
    if (this.#last?.type === 'turn.failed') return { finish: 'error', output: [...output] };
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
  callId: id,
  name,
  arguments: String(given),
});
