import { equal, isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
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
 * Reads a stream: each frame is an answer of its own that goes on with the one before. The wire has no end mark, and some
 * servers give a finish reason with every frame, so the turn ends when the bytes do.
 */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  return new GeminiStream(new TurnAssembler('gemini', emit));
}

class GeminiStream implements StreamReader {
  readonly #turn: TurnAssembler;
  readonly #aside = emptyMetadata();
  /** The text or thought that more words may join. */
  #slot: Slot | undefined;
  #partial: PartialCall | undefined;
  #begun = false;
  readonly #calls = new Map<string, AssistantPart>();

  constructor(turn: TurnAssembler) {
    this.#turn = turn;
  }

  frame(data: JsonValue): void {
    try {
      // Some servers put each frame into a list.
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
    else this.#whole(readPart('model', value, where));
  }

  /** A call that is told again, by the id it was given, is not made again. */
  #whole(part: AssistantPart): void {
    if (part.type === 'call' && part.id !== '') {
      if (equal(this.#calls.get(part.id), part)) return;
      this.#calls.set(part.id, part);
    }
    this.#turn.add(part);
  }

  /** Words of one kind belong together until a signature ends them. */
  #words(wire: JsonObject, text: string): void {
    const type = wire.thought === true ? 'reasoning' : 'text';
    if (this.#slot && this.#slot.part.type !== type) this.#closeWords();
    const { seal } = readSignature(wire);
    if (!this.#slot && text === '' && !seal) return;
    this.#slot ??= this.#turn.open({ type, text: '' });
    this.#turn.grow(this.#slot, text);
    if (!seal) return;
    this.#turn.close(this.#slot, { seal });
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

  /** A call that will not go on is shown as far as it came. */
  #breakOff(): void {
    if (this.#partial) this.#turn.open(brokenCall(this.#partial));
    this.#partial = undefined;
  }
}

const isFirst = ({ index }: JsonObject): boolean => index === undefined || index === null || index === 0;

/** Plain words, which are most of what comes; parts that say more are read as they are. */
function isWords(wire: JsonObject): wire is JsonObject & { text: string } {
  if (typeof wire.text !== 'string') return false;
  for (const key in wire) if (key !== 'text' && key !== 'thought' && key !== 'thoughtSignature') return false;
  return true;
}
