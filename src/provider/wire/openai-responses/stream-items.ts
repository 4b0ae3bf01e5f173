import { equal, isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { AssistantPart, CallPart, ReasoningPart } from '../../../model/index.ts';
import { argumentsObject } from '../arguments.ts';
import { present } from '../passthrough-fields.ts';
import { isNameable, type Slot, type TurnAssembler } from '../turn-assembler.ts';
import { asPassthrough, format, ownFields, textOr } from './fields.ts';
import { itemFields, itemType, readCall, readItem, readMessagePart } from './items.ts';

const kinds: Readonly<Record<string, ItemKind>> = {
  __proto__: null as never,
  message: 'message',
  reasoning: 'reasoning',
  function_call: 'call',
};

const makers: Readonly<Record<ItemKind, (assembly: TurnAssembler, wire: JsonObject) => StreamItem>> = {
  message: streamMessage,
  reasoning: streamReasoning,
  call: (assembly, wire) => new StreamCall(assembly, wire),
  opaque: streamOpaque,
};

/** Kind of an item by its type. */
const kindOf = (wire: JsonObject): ItemKind => kinds[itemType(wire)] ?? 'opaque';

/** The items of a stream. Ids, indexes and the order of events can each be missing or wrong, so all three are used. */
export class StreamItems {
  readonly #assembly: TurnAssembler;
  readonly #all: StreamItem[] = [];
  readonly #byId = new Map<string, StreamItem>();
  readonly #byCallId = new Map<string, StreamItem>();
  readonly #byIndex = new Map<number, StreamItem>();
  readonly #last = new Map<ItemKind, StreamItem>();
  /** The item of the last event, since consecutive events usually belong to the same item. */
  #recent: StreamItem | undefined;
  #recentId: JsonValue | undefined;

  constructor(assembly: TurnAssembler) {
    this.#assembly = assembly;
  }

  /** Adds an item. Adding it twice has no effect. */
  add(wire: JsonObject, index: JsonValue | undefined): StreamItem {
    const known = this.#known(wire);
    if (known && !known.done) return known;
    const kind = kindOf(wire);
    const item = makers[kind](this.#assembly, wire);
    this.#recent = undefined;
    this.#all.push(item);
    if (typeof wire.id === 'string' && wire.id !== '') this.#byId.set(wire.id, item);
    if (kind === 'call' && typeof wire.call_id === 'string') this.#byCallId.set(wire.call_id, item);
    if (typeof index === 'number') this.#byIndex.set(index, item);
    this.#last.set(kind, item);
    return item;
  }

  /** The item of an event. Adds it if it was never announced. */
  find(event: JsonObject, kind: ItemKind): StreamItem {
    const { item_id: id, output_index: index } = event;
    if (id !== undefined && id === this.#recentId && this.#recent?.kind === kind) return this.#recent;
    const found = this.#find(id, index, kind);
    this.#recentId = id;
    this.#recent = found;
    return found;
  }

  #find(id: JsonValue | undefined, index: JsonValue | undefined, kind: ItemKind): StreamItem {
    const named = typeof id === 'string' && id !== '';
    const own = named ? this.#byId.get(id) : undefined;
    if (own?.kind === kind) return own;
    const near =
      (typeof index === 'number' ? this.#open(this.#byIndex.get(index), kind) : undefined) ?? this.#lastOpen(kind);
    // Servers change the id of an item within a stream, so ids only distinguish calls that were not announced.
    const other = kind === 'call' && named && textOr(near?.wire.id, '') !== '' && !isNameable(nameOf(near?.wire));
    if (near && !other) return near;
    const type = kind === 'call' ? 'function_call' : kind;
    return this.add(named ? { type, id } : { type }, index);
  }

  /** Finishes an item with its complete form. */
  settle(wire: JsonObject, index: JsonValue | undefined): void {
    const kind = kindOf(wire);
    const placed = typeof index === 'number' ? this.#open(this.#byIndex.get(index), kind) : undefined;
    const near = [placed, this.#lastOpen(kind)].find((item) => item && (alike(item.wire, wire) || retold(item, wire)));
    this.#finish(this.#known(wire) ?? near ?? this.add(wire, index), wire);
  }

  /** Finishes all items from the complete output at the end of the stream, and adds those that weren't streamed. */
  settleAll(output: readonly JsonValue[]): void {
    const left = output.filter(isObject);
    const free = new Set(this.#all);
    const unknown = left.filter((wire) => {
      const item = this.#known(wire);
      if (!item || !free.delete(item)) return true;
      this.#finish(item, wire);
      return false;
    });
    for (const wire of unknown) {
      const fits = (one: StreamItem): boolean =>
        one.kind === kindOf(wire) && (alike(one.wire, wire) || retold(one, wire));
      const item = firstOf(free, fits);
      if (item) free.delete(item);
      this.#finish(item ?? this.add(wire, undefined), wire);
    }
  }

  /** Closes open items at the end of the stream. */
  closeAll(): void {
    for (const item of this.#all) if (!item.done) item.close();
  }

  #finish(item: StreamItem, wire: JsonObject): void {
    if (item.done) return;
    item.done = true;
    item.settle(wire);
  }

  /** The item with this id, unless it is a call with a different call id. */
  #known(wire: JsonObject): StreamItem | undefined {
    const kind = kindOf(wire);
    const byId = typeof wire.id === 'string' ? this.#byId.get(wire.id) : undefined;
    if (kind !== 'call') return byId?.kind === kind ? byId : undefined;
    if (byId?.kind === kind && sameCall(byId.wire, wire)) return byId;
    return typeof wire.call_id === 'string' ? this.#byCallId.get(wire.call_id) : undefined;
  }

  #open(item: StreamItem | undefined, kind: ItemKind): StreamItem | undefined {
    return item?.kind === kind && !item.done ? item : undefined;
  }

  #lastOpen(kind: ItemKind): StreamItem | undefined {
    return this.#open(this.#last.get(kind), kind);
  }
}

const sameCall = (one: JsonObject, other: JsonObject): boolean =>
  typeof one.call_id !== 'string' || typeof other.call_id !== 'string' || one.call_id === other.call_id;

/** Whether two objects without a common id may be the same item: calls by name and call id, server tools by type. */
function alike(one: JsonObject, other: JsonObject): boolean {
  const kind = kindOf(other);
  if (kind === 'opaque') return one.type === other.type;
  if (kind !== 'call') return true;
  const unnamed = typeof one.name !== 'string' || one.name === '';
  return unnamed ? sameCall(one, other) : one.name === other.name && sameCall(one, other);
}

const nameOf = (wire: JsonObject | undefined): string => textOr(wire?.name, '');

/**
 * Whether a call is repeated with another id, as some servers do at its end or at the end of the response. It must run
 * once.
 */
function retold({ kind, said }: StreamItem, wire: JsonObject): boolean {
  if (kind !== 'call' || !said || nameOf(wire) === '' || said.name !== nameOf(wire)) return false;
  return equal(argumentsObject(said.arguments) ?? said.arguments, argumentsObject(wire.arguments) ?? wire.arguments);
}

function firstOf<T>(all: Iterable<T>, fits: (one: T) => boolean): T | undefined {
  for (const one of all) if (fits(one)) return one;
  return undefined;
}

/** Streams an item of a server tool, which stays opaque in its last form. */
function streamOpaque(assembly: TurnAssembler, first: JsonObject): StreamItem {
  const slot = assembly.open({ type: 'opaque', format, value: first });
  return {
    kind: 'opaque',
    wire: first,
    done: false,
    begin() {},
    grow() {},
    whole() {},
    settle: (wire) => complete(assembly, slot, { type: 'opaque', format, value: wire }),
    close: () => assembly.close(slot),
  };
}

/** Kinds of items that have stream events. */
export type ItemKind = 'message' | 'reasoning' | 'call' | 'opaque';

/** Which text of an item an event contains. */
export type PieceOf = 'text' | 'refusal' | 'summary' | 'content' | 'arguments';

/** An item of the output while it streams. */
interface StreamItem {
  readonly kind: ItemKind;
  /** Its last known form. */
  wire: JsonObject;
  /** Whether its complete form has arrived. */
  done: boolean;
  /** A call as far as it has arrived. */
  readonly said?: { readonly name: string; readonly arguments: unknown };
  /** Starts a part of its content. */
  begin(part: JsonObject, index: number): void;
  /** Adds a delta. */
  grow(of: PieceOf, index: number, text: string): void;
  /** Sets the complete text, whether it was streamed or not. */
  whole(of: PieceOf, index: number, text: string): void;
  /** Sets the final form of the item. */
  settle(wire: JsonObject): void;
  /** Ends the item. */
  close(): void;
}

/** The identifying fields of an item, for a final form without them. */
const named = ({ id, call_id, name }: JsonObject): JsonObject => present({ id, call_id, name });

/** Emits the rest of the complete text. If it doesn't continue the streamed text, the streamed text wins. */
function catchUp(assembly: TurnAssembler, slot: Slot, text: string): void {
  if (text.length > slot.text.length && text.startsWith(slot.text)) assembly.grow(slot, text.slice(slot.text.length));
}

/** Closes a part with its final form, which overrides the streamed one unless it is empty. */
function complete(assembly: TurnAssembler, slot: Slot, whole: AssistantPart): void {
  if (whole.type === 'call') {
    const { arguments: given, passthrough } = whole;
    if (typeof given === 'string') catchUp(assembly, slot, given);
    assembly.close(slot, { arguments: given === '' ? slot.text : given, ...(passthrough && { passthrough }) });
    return;
  }
  if (!('text' in whole)) {
    assembly.close(slot, whole);
    return;
  }
  catchUp(assembly, slot, whole.text);
  const { hidden, ...rest } = { hidden: undefined, ...whole };
  assembly.close(slot, { ...rest, text: whole.text || slot.text, ...(hidden && slot.text === '' && { hidden }) });
}

/** A call while it streams. It starts once its name is known; earlier arguments are buffered. */
class StreamCall implements StreamItem {
  readonly kind = 'call';
  readonly #assembly: TurnAssembler;
  wire: JsonObject;
  done = false;
  #slot: Slot | undefined;
  #held = '';

  constructor(assembly: TurnAssembler, first: JsonObject) {
    this.#assembly = assembly;
    this.wire = first;
    const part = readCall(first);
    if (part.name !== '') this.#open(part);
  }

  get said(): { name: string; arguments: unknown } {
    const { name, arguments: given } = readCall(this.wire);
    const part = this.#slot?.part;
    const whole = part?.type === 'call' && !this.#slot?.open ? part.arguments : this.#slot?.text || this.#held;
    return { name, arguments: whole === '' ? given : whole };
  }

  /** The name can arrive late. */
  begin({ name, call_id: callId }: JsonObject): void {
    if (this.#slot || typeof name !== 'string' || name === '') return;
    this.wire = { ...this.wire, name, ...(typeof callId === 'string' && { call_id: callId }) };
    this.#open(readCall(this.wire));
  }

  grow(_: PieceOf, __: number, text: string): void {
    if (this.#slot) this.#assembly.grow(this.#slot, text);
    else this.#held += text;
  }

  whole(_: PieceOf, __: number, text: string): void {
    if (this.#slot) catchUp(this.#assembly, this.#slot, text);
    else if (text !== '') this.#held = text;
  }

  settle(wire: JsonObject): void {
    const part = readCall(isNamed(wire) ? wire : { ...named(this.wire), ...wire });
    complete(this.#assembly, this.#open(part), part);
  }

  close(): void {
    if (this.#slot?.open === false) return;
    // Arguments from the start of the item are used if no others arrived.
    const part = readCall(this.wire);
    const { text } = this.#open(part);
    complete(this.#assembly, this.#open(part), text ? { ...part, arguments: text } : part);
  }

  #open(part: CallPart): Slot {
    if (this.#slot) return this.#slot;
    this.#slot = this.#assembly.open({ ...part, arguments: '' });
    this.#assembly.grow(this.#slot, this.#held);
    return this.#slot;
  }
}

/** Whether an object has all the identifying fields of a call. */
const isNamed = ({ id, name, call_id: callId }: JsonObject): boolean =>
  id !== undefined && typeof name === 'string' && name !== '' && typeof callId === 'string';

/** Empty parts of a message. */
const empty: Readonly<Record<string, JsonObject>> = {
  text: { type: 'output_text', text: '' },
  refusal: { type: 'refusal', refusal: '' },
};

/** A message while it streams. Its parts can have events of their own, or only those of the item. */
function streamMessage(assembly: TurnAssembler, first: JsonObject): StreamItem {
  const slots: Slot[] = [];
  const places = new Map<number, Slot>();
  const ended = new Set<Slot>();

  const open = (part: JsonObject, index: number): Slot => {
    const slot = assembly.open(readMessagePart(part, slots.length === 0 ? itemFields(item.wire) : undefined));
    slots.push(slot);
    places.set(index, slot);
    return slot;
  };
  /** The part that a text belongs to, even if indexes are wrong or its start is missing. */
  const slotOf = (of: PieceOf, index: number): Slot => {
    const placed = places.get(index);
    if (placed?.part.type === of) return placed;
    const last = slots.at(-1);
    if (last?.part.type === of && !ended.has(last)) return last;
    return open(empty[of] ?? {}, index);
  };

  const item: StreamItem = {
    kind: 'message',
    wire: first,
    done: false,
    begin(part, index) {
      if (places.has(index)) return;
      const type = part.type === 'refusal' ? 'refusal' : 'text';
      const known = part.type === 'refusal' || typeof part.text === 'string';
      open(known ? { ...part, ...empty[type], type: part.type ?? 'output_text' } : part, index);
    },
    grow(of, index, text) {
      assembly.grow(slotOf(of, index), text);
    },
    whole(of, index, text) {
      const slot = slotOf(of, index);
      catchUp(assembly, slot, text);
      ended.add(slot);
    },
    settle(wire) {
      item.wire = { ...item.wire, ...wire };
      tell(wire);
      item.close();
    },
    close() {
      if (slots.every(({ text }) => text === '')) tell(item.wire);
      slots.forEach((slot, index) => {
        const fields = ownFields(slot.part as { passthrough?: never }) ?? {};
        assembly.close(slot, index === 0 ? asPassthrough({ ...fields, item: itemFields(item.wire) }) : undefined);
      });
    },
  };

  /** Applies the parts of the final item; without any, the streamed parts stay. */
  function tell(wire: JsonObject): void {
    if (slots.length > 0 && !saysMore(wire)) return;
    for (const [index, part] of readItem(wire, '').entries()) settlePart(part, slots[index]);
  }
  function settlePart(part: AssistantPart, slot?: Slot): void {
    if (slot && slot.part.type !== part.type) {
      assembly.close(slot);
      assembly.add(part);
      return;
    }
    const begun = slot ?? assembly.open('text' in part ? { ...part, text: '' } : part);
    if (!slot) slots.push(begun);
    complete(assembly, begun, part);
  }
  // Content in the first event starts its parts immediately. Its text counts if no other arrives.
  if (Array.isArray(first.content)) {
    for (const [index, part] of first.content.entries()) if (isObject(part)) item.begin(part, index);
  }
  return item;
}

/** Whether an item has content. */
const saysMore = ({ content }: JsonObject): boolean =>
  Array.isArray(content) ? content.length > 0 : typeof content === 'string';

/** A reasoning item while it streams: summaries or full reasoning, whichever arrives first, as one part. */
function streamReasoning(assembly: TurnAssembler, first: JsonObject): StreamItem {
  let slot: Slot | undefined;
  let source: PieceOf | undefined;
  let index = -1;
  let from = 0;
  const read = (wire: JsonObject): ReasoningPart =>
    readItem({ summary: [], ...wire, type: 'reasoning' }, '')[0] as ReasoningPart;
  const open = (of?: PieceOf): Slot => {
    if (slot) return slot;
    const { id } = read(item.wire);
    // A stream writer needs to know the kind of text before it arrives.
    slot = assembly.open({
      type: 'reasoning',
      text: '',
      ...present({ id }),
      ...(of === 'content' && asPassthrough({ content: [] })),
    });
    return slot;
  };
  /** Switches to this text. Returns false if it is of the other kind, which the final item contains. */
  const turnTo = (of: PieceOf, at: number): boolean => {
    source ??= of;
    if (of !== source) return false;
    const { text } = open(of);
    if (at === index) return true;
    if (text !== '') assembly.grow(open(), '\n\n');
    index = at;
    from = open().text.length;
    return true;
  };
  const item: StreamItem = {
    kind: 'reasoning',
    wire: first,
    done: false,
    begin() {},
    grow(of, at, text) {
      if (text !== '' && turnTo(of, at)) assembly.grow(open(), text);
    },
    whole(of, at, text) {
      if (text === '' || at < index || !turnTo(of, at)) return;
      const said = open().text.slice(from);
      if (text.startsWith(said)) assembly.grow(open(), text.slice(said.length));
    },
    settle(wire) {
      const said = { ...named(item.wire), ...wire };
      const thought = source === 'content' && !Array.isArray(said.content) ? open().text : '';
      const content = thought === '' ? {} : { content: [{ type: 'reasoning_text', text: thought }] };
      complete(assembly, open(), read({ ...said, ...content }));
    },
    close() {
      if (slot?.open !== false) item.settle(item.wire);
    },
  };
  return item;
}
