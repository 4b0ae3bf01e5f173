import type { AgentOutputItem, FunctionCallItem, StreamEventGenericItem } from '@openai/agents-core';
import { isObject, type JsonValue } from '../../json/value.ts';
import { openaiChat } from '../../provider/openai-chat/openai-chat.ts';
import { callsIn } from '../../provider/text/calls-in-words.ts';
import type { CallPart, FinishReason, TurnEvent } from '../../turn/turn.ts';
import { isCall } from './items.ts';

/**
 * Reads the chunks of a chat completion that the SDK passes on beside its own events. The SDK tells calls apart by their
 * index alone, and keeps to itself how the answer ended; the chunks say both.
 */
export class ChatChunks {
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
