import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import { mustBeObject } from '../must-be.ts';
import type { Slot, TurnAssembly } from '../turn-assembly.ts';
import { WireError } from '../wire-error.ts';
import { format } from './pen.ts';
import { readBlock } from './read-block.ts';
import { answerKinds } from './read-response.ts';

/** A block that is being written. */
interface Block {
  /** As it began, with what deltas set since. */
  wire: JsonObject;
  readonly slot: Slot;
  /** A call's input that came whole with its beginning: it counts only if no delta follows. */
  held: string;
  /** The input of a tool that the provider runs. */
  json: string;
  readonly citations: JsonValue[];
}

type Worded = 'text' | 'reasoning' | 'call';

/** The blocks of one stream: which are open, and what became of them. Indexes are a hint, for imitators misuse them. */
export class StreamBlocks {
  readonly #turn: TurnAssembly;
  readonly #open = new Map<unknown, Block>();
  /** Whether a call was made that names something. */
  calls = false;

  constructor(turn: TurnAssembly) {
    this.#turn = turn;
  }

  start(index: unknown, begun: JsonValue | undefined): void {
    const wire = withWords(mustBeObject(begun, 'content_block'));
    const before = this.#open.get(index);
    // A block that is announced twice goes on; another one under the same index ends the first.
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

  /** @returns whether the delta was understood */
  delta(index: unknown, delta: JsonObject): boolean {
    // A switch and plain fields, because this runs once for each word of an answer.
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

  /** No more will come: what is open is closed as it stands. */
  stopAll(): void {
    for (const block of this.#open.values()) this.#close(block);
    this.#open.clear();
  }

  /** The stream broke off: what was held back is shown, and nothing is called whole. */
  release(): void {
    for (const block of this.#open.values()) this.#turn.grow(block.slot, block.held);
  }

  /** The block under the index, or else the last one such words fit. */
  #find(index: unknown, part: Worded): Block | undefined {
    const named = this.#open.get(index);
    if (named && fits(named, part)) return named;
    return [...this.#open.values()].findLast((block) => fits(block, part));
  }

  /** Words and thoughts may come unannounced, and under the index of a call that goes on. */
  #blockFor(index: unknown, part: 'text' | 'reasoning'): Block | undefined {
    const found = this.#find(index, part);
    if (found) return found;
    const place = this.#open.has(index) ? `${part} beside ${index}` : index;
    this.start(place, part === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' });
    return this.#open.get(place);
  }

  /** A call whose arguments go astray would run without them. */
  #input(block: Block | undefined, value: JsonValue | undefined): boolean {
    if (!block && inputText(value) !== '') throw new WireError('delta', 'brings arguments, and no call is open');
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
    // A value that came at once may be the beginning of one: it stays a value, and the end of the answer tells.
    if (held !== '' && slot.part.type === 'call' && isObject(wire.input))
      slot.part = { ...slot.part, arguments: wire.input };
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

/** What is known of a part when its block begins. A call's arguments are the text that follows. */
function firstPart(wire: JsonObject): AssistantPart {
  const part = readBlock(wire);
  if (part.type === 'call') return { ...part, arguments: '', id: typeof wire.id === 'string' ? wire.id : '' };
  if (part.type === 'reasoning' && !part.hidden) return { type: 'reasoning', text: part.text };
  return answerKinds.includes(part.type as never) ? (part as AssistantPart) : { type: 'opaque', format, value: wire };
}

/** Some leave the empty words out. */
const withWords = (wire: JsonObject): JsonObject =>
  (wire.type === 'text' || wire.type === 'thinking') && typeof wire[wire.type] !== 'string'
    ? { ...wire, [wire.type]: '' }
    : wire;

/** The input of a call as text, where it is more than the empty object every call begins with. */
function inputText(input: JsonValue | undefined): string {
  if (typeof input === 'string') return input;
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

function withInput(wire: JsonObject, json: string): JsonValue {
  if (json === '') return wire;
  try {
    return { ...wire, input: JSON.parse(json) };
  } catch {
    // What was cut off is kept as the text it is.
    return { ...wire, input: json };
  }
}
