import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { AssistantPart, TurnError, TurnEvent } from '../../../model/index.ts';
import { protocolError, WireError } from '../errors.ts';
import { type Slot, TurnAssembler } from '../turn-assembler.ts';
import type { StreamReader } from '../types.ts';
import { mustBeList } from '../validate.ts';
import {
  appendPartial,
  beginPartial,
  brokenCall,
  finishPartial,
  isPartial,
  type PartialCall,
  readSignature,
} from './calls.ts';
import { readPart } from './content.ts';
import { proto } from './fields.ts';
import { readError, startOf } from './response.ts';
import { emptyMetadata, endOf, takeFrame } from './response-metadata.ts';

/**
 * Reads a stream. Each frame is a response that continues the previous one. There is no end marker, and some servers
 * send a finish reason in every frame, so the turn ends with the stream.
 */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  return new GeminiStream(new TurnAssembler('gemini', emit));
}

class GeminiStream implements StreamReader {
  readonly #turn: TurnAssembler;
  readonly #aside = emptyMetadata();
  /** The open text or reasoning part. */
  #slot: Slot | undefined;
  #partial: PartialCall | undefined;
  #begun = false;

  constructor(turn: TurnAssembler) {
    this.#turn = turn;
  }

  get pending(): boolean {
    return this.#turn.pending;
  }

  frame(data: JsonValue): void {
    try {
      // Some servers wrap each frame in a list.
      for (const one of Array.isArray(data) ? data : [data]) if (!this.#turn.ended) this.#read(proto(one, ''));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.end(protocolError(error.message));
    }
  }

  done(): void {
    this.#breakOff();
    this.#turn.finish(endOf(this.#aside));
  }

  end(error?: TurnError): void {
    if (this.#turn.ended) return;
    const said = this.#aside.word !== '' || this.#aside.blocked;
    if (!error && said) this.done();
    else this.#fail(error ?? protocolError('The stream ended before a finish reason', true));
  }

  #fail(error: TurnError): void {
    this.#breakOff();
    const { usage, passthrough } = endOf(this.#aside);
    this.#turn.fail(error, { usage, passthrough });
  }

  #read(wire: JsonObject): void {
    if (isObject(wire.error)) {
      this.#fail(readError(0, wire));
      return;
    }
    if (!this.#begun && (wire.candidates || wire.responseId)) {
      this.#begun = true;
      this.#turn.start(startOf(wire));
    }
    const found = takeFrame(this.#aside, wire, isFirst);
    if (this.#aside.others.length > 0)
      for (const other of this.#aside.others.splice(0)) this.#turn.unknown({ candidates: [other] });
    if (!found) return;
    const at = `${found.where}.parts`;
    for (const [index, part] of mustBeList(found.content.parts, at).entries()) this.#part(part, `${at}.${index}`);
  }

  #part(value: unknown, where: string): void {
    const wire = proto(value, where);
    if (isWords(wire)) {
      this.#words(wire, wire.text);
      return;
    }
    this.#closeWords();
    const call = isObject(wire.functionCall) ? proto(wire.functionCall, where) : undefined;
    if (call && isPartial(call, this.#partial !== undefined)) this.#piece(wire, call, where);
    else this.#turn.add(readPart('model', value, where) as AssistantPart);
  }

  /** Joins text of the same kind until a signature ends it. */
  #words(wire: JsonObject, text: string): void {
    const type = wire.thought === true ? 'reasoning' : 'text';
    if (this.#slot && this.#slot.part.type !== type) this.#closeWords();
    const { signature } = readSignature(wire);
    if (!this.#slot && text === '' && !signature) return;
    this.#slot ??= this.#turn.open({ type, text: '' });
    this.#turn.grow(this.#slot, text);
    if (!signature) return;
    this.#turn.close(this.#slot, { signature });
    this.#slot = undefined;
  }

  #closeWords(): void {
    if (this.#slot) this.#turn.close(this.#slot);
    this.#slot = undefined;
  }

  #piece(wire: JsonObject, call: JsonObject, where: string): void {
    if (call.name) this.#breakOff();
    this.#partial ??= beginPartial(wire, where);
    if (!appendPartial(this.#partial, wire, call, where)) return;
    this.#turn.add(finishPartial(this.#partial));
    this.#partial = undefined;
  }

  /** Emits an unfinished call as incomplete. */
  #breakOff(): void {
    if (this.#partial) this.#turn.open(brokenCall(this.#partial));
    this.#partial = undefined;
  }
}

const isFirst = ({ index }: JsonObject): boolean => index === undefined || index === null || index === 0;

/** Whether a part is plain text, which is the most common case. */
function isWords(wire: JsonObject): wire is JsonObject & { text: string } {
  if (typeof wire.text !== 'string') return false;
  for (const key in wire) if (key !== 'text' && key !== 'thought' && key !== 'thoughtSignature') return false;
  return true;
}
