import { equal } from '../../json/equal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../../json/value.ts';
import { argumentsObject } from '../carry.ts';
import { isNameable } from '../is-nameable.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { textOr } from './expect.ts';
import { format } from './format.ts';
import { itemType } from './read-item.ts';
import { StreamCall } from './stream-call.ts';
import { complete, type ItemKind, type StreamItem } from './stream-item.ts';
import { streamMessage } from './stream-message.ts';
import { streamReasoning } from './stream-reasoning.ts';

const kinds: Readonly<Record<string, ItemKind>> = {
  __proto__: null as never,
  message: 'message',
  reasoning: 'reasoning',
  function_call: 'call',
};

const makers: Readonly<Record<ItemKind, (assembly: TurnAssembly, wire: JsonObject) => StreamItem>> = {
  message: streamMessage,
  reasoning: streamReasoning,
  call: (assembly, wire) => new StreamCall(assembly, wire),
  opaque: streamOpaque,
};

/** The kind of an item, by its type. */
export const kindOf = (wire: JsonObject): ItemKind => kinds[itemType(wire)] ?? 'opaque';

/** The items of one stream. Ids, indexes and the order of events may each be missing or wrong; the others then tell. */
export class StreamItems {
  readonly #assembly: TurnAssembly;
  readonly #all: StreamItem[] = [];
  readonly #byId = new Map<string, StreamItem>();
  readonly #byCallId = new Map<string, StreamItem>();
  readonly #byIndex = new Map<number, StreamItem>();
  readonly #last = new Map<ItemKind, StreamItem>();
  /** The item the last event spoke of: most speak of the same as the one before. */
  #recent: StreamItem | undefined;
  #recentId: JsonValue | undefined;

  constructor(assembly: TurnAssembly) {
    this.#assembly = assembly;
  }

  /** An item begins; told twice, it is the same. */
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

  /** The item an event speaks of; one that was never announced begins now. */
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
    // Servers change an item's id as it goes; only where nothing was announced do ids alone tell calls apart.
    const other = kind === 'call' && named && textOr(near?.wire.id, '') !== '' && !isNameable(nameOf(near?.wire));
    if (near && !other) return near;
    const type = kind === 'call' ? 'function_call' : kind;
    return this.add(named ? { type, id } : { type }, index);
  }

  /** An item is told whole. */
  settle(wire: JsonObject, index: JsonValue | undefined): void {
    const kind = kindOf(wire);
    const placed = typeof index === 'number' ? this.#open(this.#byIndex.get(index), kind) : undefined;
    const near = [placed, this.#lastOpen(kind)].find((item) => item && (alike(item.wire, wire) || retold(item, wire)));
    this.#finish(this.#known(wire) ?? near ?? this.add(wire, index), wire);
  }

  /** The whole output, as the end of the stream tells it: what was streamed is settled, what was not comes now. */
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

  /** Nothing more will come: what is still open stands as it is. */
  closeAll(): void {
    for (const item of this.#all) if (!item.done) item.close();
  }

  #finish(item: StreamItem, wire: JsonObject): void {
    if (item.done) return;
    item.done = true;
    item.settle(wire);
  }

  /** The item of this id; of a call, not one that answers to another call id. */
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

/** Whether two tellings without a common id may be of one item: calls by name and call id, server tools by type. */
function alike(one: JsonObject, other: JsonObject): boolean {
  const kind = kindOf(other);
  if (kind === 'opaque') return one.type === other.type;
  if (kind !== 'call') return true;
  const unnamed = typeof one.name !== 'string' || one.name === '';
  return unnamed ? sameCall(one, other) : one.name === other.name && sameCall(one, other);
}

const nameOf = (wire: JsonObject | undefined): string => textOr(wire?.name, '');

/** Whether a call is told once more under another id, as some servers do at its end or the answer's: it is called once. */
function retold({ kind, said }: StreamItem, wire: JsonObject): boolean {
  if (kind !== 'call' || !said || nameOf(wire) === '' || said.name !== nameOf(wire)) return false;
  return equal(argumentsObject(said.arguments) ?? said.arguments, argumentsObject(wire.arguments) ?? wire.arguments);
}

function firstOf<T>(all: Iterable<T>, fits: (one: T) => boolean): T | undefined {
  for (const one of all) if (fits(one)) return one;
  return undefined;
}

/** An item of a server's own tool: kept whole, as it was told last. */
function streamOpaque(assembly: TurnAssembly, first: JsonObject): StreamItem {
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
