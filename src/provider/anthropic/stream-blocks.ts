import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
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

/** The words of a delta, by its type, and the parts they can belong to. */
const deltas = {
  text_delta: { key: 'text', part: 'text' },
  thinking_delta: { key: 'thinking', part: 'reasoning' },
  input_json_delta: { key: 'partial_json', part: 'call' },
  signature_delta: { key: 'signature', part: 'reasoning' },
  citations_delta: { key: 'citation', part: 'text' },
} as const;

const isKnown = (type: unknown): type is keyof typeof deltas => typeof type === 'string' && Object.hasOwn(deltas, type);

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
    if (!isObject(begun)) throw new WireError('content_block', 'must be an object');
    const wire = withWords(begun);
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
    const { type } = delta;
    if (!isKnown(type)) return this.#opaqueDelta(this.#open.get(index), delta);
    const { key, part } = deltas[type];
    const value = delta[key];
    const block = this.#blockFor(index, part);
    if (!block) return false;
    if (type === 'signature_delta') block.wire = { ...block.wire, signature: value ?? '' };
    else if (type === 'citations_delta') block.citations.push(value ?? null);
    else this.#grow(block, typeof value === 'string' ? value : inputText(value));
    return true;
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

  /** The block under the index, or else the last one such words fit; words and thoughts may come unannounced. */
  #blockFor(index: unknown, part: (typeof deltas)[keyof typeof deltas]['part']): Block | undefined {
    const named = this.#open.get(index);
    if (named && fits(named, part)) return named;
    const other = [...this.#open.values()].findLast((block) => fits(block, part));
    if (other || part === 'call') return other;
    this.start(index, part === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' });
    return this.#open.get(index);
  }

  #grow(block: Block, text: string): void {
    if (block.slot.part.type === 'opaque') block.json += text;
    else this.#turn.grow(block.slot, text);
    if (text !== '') block.held = '';
  }

  #opaqueDelta(block: Block | undefined, delta: JsonObject): boolean {
    if (delta.type !== 'compaction_delta' || block?.wire.type !== 'compaction') return false;
    const { type: _, ...values } = delta;
    block.wire = { ...block.wire, ...values };
    return true;
  }

  #close(block: Block): void {
    const { slot, wire, held, json, citations } = block;
    this.#turn.grow(slot, held);
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
