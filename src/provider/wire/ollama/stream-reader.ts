import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { TurnError, TurnEvent } from '../../../model/index.ts';
import { protocolError, WireError } from '../errors.ts';
import { type Slot, TurnAssembler } from '../turn-assembler.ts';
import type { StreamReader } from '../types.ts';
import { mustBeList, mustBeObject, mustBeText } from '../validate.ts';
import { readCall, readImages } from './messages.ts';
import { endOf, errorText, readError, startOf, takeMetadata } from './response.ts';

/** Reads a stream. Each line has more text or complete calls; the last has `done`. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  return new OllamaStream(new TurnAssembler('ollama', emit));
}

/** Fields that differ per line, so the last value doesn't apply to the response. */
const perLine = ['logprobs'];

class OllamaStream implements StreamReader {
  readonly #turn: TurnAssembler;
  readonly #aside: JsonObject = {};
  #slot: Slot | undefined;
  /** The last line, for the finish reason. */
  #last: JsonObject = {};

  constructor(turn: TurnAssembler) {
    this.#turn = turn;
  }

  get pending(): boolean {
    return this.#turn.pending;
  }

  frame(data: JsonValue): void {
    if (this.#turn.ended) return;
    try {
      this.#read(mustBeObject(data, ''));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.end(protocolError(error.message));
    }
  }

  done(): void {
    this.#turn.finish(endOf({ ...this.#last, done: true }, this.#aside));
  }

  end(error?: TurnError): void {
    const { usage, passthrough } = endOf(this.#last, this.#aside);
    this.#turn.fail(error ?? protocolError('The stream ended before the response was complete', true), {
      usage,
      passthrough,
    });
  }

  #read(wire: JsonObject): void {
    if (errorText(wire) !== undefined) {
      this.end(readError(500, wire));
      return;
    }
    this.#turn.start(startOf(wire));
    this.#last = wire;
    takeMetadata(this.#aside, wire, perLine);
    for (const key of perLine) if (wire[key]) this.#turn.unknown({ [key]: wire[key] });
    if (wire.message !== undefined && wire.message !== null) this.#said(mustBeObject(wire.message, 'message'));
    if (wire.done === true) this.#turn.finish(endOf(wire, this.#aside));
  }

  #said(message: JsonObject): void {
    this.#words('reasoning', mustBeText(message.thinking, 'message.thinking'));
    this.#words('text', mustBeText(message.content, 'message.content'));
    if (message.images) for (const image of readImages(message.images, 'message')) this.#whole(image);
    if (!message.tool_calls) return;
    const calls = mustBeList(message.tool_calls, 'message.tool_calls');
    for (const [index, value] of calls.entries()) this.#whole(readCall(value, `message.tool_calls.${index}`));
  }

  #words(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    if (this.#slot && this.#slot.part.type !== type) this.#closeWords();
    this.#slot ??= this.#turn.open({ type, text: '' });
    this.#turn.grow(this.#slot, text);
  }

  #whole(part: Parameters<TurnAssembler['add']>[0]): void {
    this.#closeWords();
    this.#turn.add(part);
  }

  #closeWords(): void {
    if (this.#slot) this.#turn.close(this.#slot);
    this.#slot = undefined;
  }
}
