import { isObject, type JsonObject, type JsonValue, parseJson } from '../../../json/value.ts';
import type { AssistantPart, TurnError, TurnEvent } from '../../../model/index.ts';
import { argumentsText, asReceived } from '../arguments.ts';
import { protocolError, WireError } from '../errors.ts';
import { type Slot, TurnAssembler, type TurnEnd } from '../turn-assembler.ts';
import type { StreamReader } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { readBlock } from './content.ts';
import { format } from './fields.ts';
import { finishOf } from './map-finish-reason.ts';
import { readError, readUsage, responseKinds, responsePassthrough } from './response.ts';

/** Reads the events of a stream. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  const turn = new TurnAssembler('anthropic', emit);
  const blocks = new StreamBlocks(turn);
  /** The message from the first event, updated by later events. */
  let message: JsonObject = {};
  let usage: JsonObject | undefined;
  let reasoned = false;
  /** Whether the first event had content. Only then its stop reason counts. */
  let atOnce = false;

  const tell = (fields: JsonObject, counted: JsonValue | undefined): void => {
    message = { ...message, ...fields };
    if (isObject(counted)) usage = { ...usage, ...counts(counted, usage) };
  };
  const stopped = (): boolean => reasoned || (atOnce && isReason(message.stop_reason));
  const ending = (): TurnEnd => ({
    ...(stopped() && { finish: finishOf(message.stop_reason, blocks.calls) }),
    ...(usage && { usage: readUsage(usage) }),
    passthrough: responsePassthrough(message, blocks.calls),
  });
  const finish = (): void => {
    blocks.stopAll();
    turn.finish(ending());
  };
  const fail = (error: TurnError): void => {
    blocks.release();
    turn.fail(error, ending());
  };

  const events = new Map<string, (frame: JsonObject) => void>(
    Object.entries({
      message_start({ message: begun }) {
        if (!isObject(begun)) return;
        const { content, usage: counted, ...fields } = begun;
        tell(fields, counted);
        const { id, model } = fields;
        const passthrough = responsePassthrough(fields, false);
        turn.start({ ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }), passthrough });
        // Some servers send the complete content in the first event.
        if (!Array.isArray(content)) return;
        atOnce = content.length > 0;
        for (const block of content) startWhole(blocks, block);
      },
      content_block_start({ index, content_block: block }) {
        atOnce = false;
        blocks.start(index, block);
      },
      content_block_delta(frame) {
        if (!blocks.delta(frame.index, mustBeObject(frame.delta, 'delta'))) turn.unknown(frame);
      },
      content_block_stop: ({ index }) => blocks.stop(index),
      message_delta({ type: _, delta, usage: counted, ...fields }) {
        const told = { ...fields, ...(isObject(delta) ? delta : {}) };
        reasoned ||= isReason(told.stop_reason);
        tell(told, counted);
      },
      message_stop: finish,
      ping: () => {},
      error: (frame) => fail(readError(0, frame)),
    } satisfies Record<string, (frame: JsonObject) => void>),
  );

  return {
    get pending() {
      return turn.pending;
    },
    frame(data, name) {
      if (turn.ended) return;
      if (!isObject(data)) {
        turn.unknown(data);
        return;
      }
      const type = typeof data.type === 'string' ? data.type : isObject(data.error) ? 'error' : (name ?? '');
      const read = events.get(type);
      try {
        if (read) read(data);
        else turn.unknown(data);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        fail(protocolError(`In ${type}: ${error.message}`));
      }
    },
    done: finish,
    end(error) {
      if (turn.ended) return;
      if (error) fail(error);
      else if (stopped()) finish();
      else fail(protocolError('The stream ended before the response was complete', true));
    },
  };
}

const isReason = (word: JsonValue | undefined): boolean => typeof word === 'string' && word !== '';

/** Counts are running totals. In later events, null or zero means unchanged. */
const counts = (counted: JsonObject, before: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(counted).filter(([key, value]) => (value !== null && value !== 0) || before?.[key] === undefined),
  );

function startWhole(blocks: StreamBlocks, block: JsonValue): void {
  blocks.start('whole', block);
  blocks.stop('whole');
}

/** An open block. */
interface Block {
  /** The block from its start event, updated by deltas. */
  wire: JsonObject;
  readonly slot: Slot;
  /** Input of a call from its start event; used only if no delta follows. */
  held: string;
  /** Input of a tool that the provider runs. */
  json: string;
  readonly citations: JsonValue[];
}

type Worded = 'text' | 'reasoning' | 'call';

/** The blocks of a stream. Indexes are only a hint, because compatible servers misuse them. */
class StreamBlocks {
  readonly #turn: TurnAssembler;
  readonly #open = new Map<unknown, Block>();
  /** Whether there was a call with a name. */
  calls = false;

  constructor(turn: TurnAssembler) {
    this.#turn = turn;
  }

  start(index: unknown, begun: JsonValue | undefined): void {
    const wire = withWords(mustBeObject(begun, 'content_block'));
    const before = this.#open.get(index);
    // A block that is announced twice continues. Another block at the same index ends it.
    if (before && wire.type === 'tool_use' && wire.id === before.wire.id && typeof wire.id === 'string') return;
    this.stop(index);
    const slot = this.#turn.open(firstPart(wire));
    const block: Block = { wire, slot, held: '', json: '', citations: [] };
    if (slot.part.type === 'call') {
      block.held = inputText(wire.input);
      this.calls ||= slot.index >= 0;
    }
    this.#open.set(index, block);
  }

  /** @returns whether the delta was recognized */
  delta(index: unknown, delta: JsonObject): boolean {
    // A switch with direct field access, because this runs for each token of a response.
    switch (delta.type) {
      case 'text_delta':
        return this.#grow(this.#blockFor(index, 'text'), delta.text);
      case 'input_json_delta':
        return this.#input(this.#find(index, 'call'), delta.partial_json);
      case 'thinking_delta':
        return this.#grow(this.#blockFor(index, 'reasoning'), delta.thinking);
      case 'signature_delta':
        return this.#set(this.#find(index, 'reasoning'), { signature: delta.signature ?? '' });
      case 'citations_delta':
        return this.#find(index, 'text')?.citations.push(delta.citation ?? null) !== undefined;
      case 'compaction_delta': {
        const { type: _, ...values } = delta;
        return this.#set(this.#open.get(index), values);
      }
      default:
        return false;
    }
  }

  stop(index: unknown): void {
    const block = this.#open.get(index);
    if (!block) return;
    this.#open.delete(index);
    this.#close(block);
  }

  /** Closes all open blocks at the end. */
  stopAll(): void {
    for (const block of this.#open.values()) this.#close(block);
    this.#open.clear();
  }

  /** Emits buffered input after the stream broke off, without finishing the blocks. */
  release(): void {
    for (const block of this.#open.values()) this.#turn.grow(block.slot, block.held);
  }

  /** The block at the index, or else the last block that this text fits. */
  #find(index: unknown, part: Worded): Block | undefined {
    const named = this.#open.get(index);
    if (named && fits(named, part)) return named;
    return [...this.#open.values()].findLast((block) => fits(block, part));
  }

  /** Text and reasoning can arrive unannounced, or at the index of an open call. */
  #blockFor(index: unknown, part: 'text' | 'reasoning'): Block | undefined {
    const found = this.#find(index, part);
    if (found) return found;
    const place = this.#open.has(index) ? `${part} beside ${index}` : index;
    this.start(place, part === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' });
    return this.#open.get(place);
  }

  /** Throws if no call is open, because a call that lost its arguments would run without them. */
  #input(block: Block | undefined, value: JsonValue | undefined): boolean {
    if (!block && inputText(value) !== '') throw new WireError('delta', 'has arguments, but no call is open');
    return this.#grow(block, value);
  }

  #grow(block: Block | undefined, value: JsonValue | undefined): boolean {
    if (!block) return false;
    const text = typeof value === 'string' ? value : inputText(value);
    if (text === '') return true;
    block.held = '';
    if (block.slot.part.type === 'opaque') block.json += text;
    else this.#turn.grow(block.slot, text);
    return true;
  }

  #set(block: Block | undefined, values: JsonObject): boolean {
    if (block) block.wire = { ...block.wire, ...values };
    return block !== undefined;
  }

  #close(block: Block): void {
    const { slot, wire, held, json, citations } = block;
    // A value that arrived at once may be truncated. It stays a value, and the end of the response decides.
    const value = asReceived(wire.input ?? null);
    if (held !== '' && slot.part.type === 'call' && isObject(value)) slot.part = { ...slot.part, arguments: value };
    else this.#turn.grow(slot, held);
    if (slot.part.type === 'reasoning') slot.part = readBlock(wire) as AssistantPart;
    else if (citations.length > 0)
      slot.part = readBlock({ ...wire, citations: cited(wire.citations, citations) }) as AssistantPart;
    else if (slot.part.type === 'opaque') slot.part = { ...slot.part, value: withInput(wire, json) };
    this.#turn.close(slot);
  }
}

const cited = (before: JsonValue | undefined, since: JsonValue[]): JsonValue[] =>
  Array.isArray(before) ? [...before, ...since] : since;

const fits = ({ slot, wire }: Block, part: string): boolean =>
  slot.part.type === part || (part === 'call' && slot.part.type === 'opaque' && 'input' in wire);

/** The part at the start of a block. A call's arguments arrive as text later. */
function firstPart(wire: JsonObject): AssistantPart {
  const part = readBlock(wire);
  if (part.type === 'call') return { ...part, arguments: '', id: typeof wire.id === 'string' ? wire.id : '' };
  if (part.type === 'reasoning' && !part.hidden) return { type: 'reasoning', text: part.text };
  return responseKinds.includes(part.type as never) ? (part as AssistantPart) : { type: 'opaque', format, value: wire };
}

/** Adds empty text that some servers omit. */
const withWords = (wire: JsonObject): JsonObject =>
  (wire.type === 'text' || wire.type === 'thinking') && typeof wire[wire.type] !== 'string'
    ? { ...wire, [wire.type]: '' }
    : wire;

/** The input of a call as text; empty for the empty object that every call starts with. */
function inputText(input: JsonValue | undefined): string {
  if (typeof input === 'string') return input;
  return isObject(input) && Object.keys(input).length > 0 ? argumentsText(asReceived(input)) : '';
}

function withInput(wire: JsonObject, json: string): JsonValue {
  if (json === '') return wire;
  try {
    return { ...wire, input: parseJson(json) };
  } catch {
    // Keeps truncated input as text.
    return { ...wire, input: json };
  }
}
