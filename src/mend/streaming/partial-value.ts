import type { Change } from '../../json/tolerant/state.ts';
import { equal, isObject, type JsonObject, type JsonValue, type Path, typeName } from '../../json/value.ts';
import { coercePart } from '../../schema/coerce/coerce.ts';
import { foldKey } from '../../schema/coerce/fold-key.ts';
import { type Layout, layoutOf, typesOf, viewFor, withForms } from '../../schema/coerce/layout.ts';
import { childSchema, mostPlaces } from '../../schema/lookup.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../../schema/types.ts';

type Container = JsonObject | JsonValue[];

/** A place of the schema, with what can be read there. */
interface Slot {
  readonly schema: JsonSchema;
  readonly forms: readonly SchemaObject[];
  /** Allowed types; undefined for any. */
  readonly types: ReadonlySet<TypeName> | undefined;
  /** Whether any string is allowed, so that it can be shown while it streams. */
  readonly takesText: boolean;
  readonly children: Map<string | number, Slot>;
}

/** Where a value goes: nowhere if its key isn't declared, or if its container isn't shown yet. */
interface Target {
  readonly slot: Slot;
  readonly parent: Frame | undefined;
  readonly key: string | number | undefined;
}

/** An open container of the source. */
interface Frame {
  readonly at: Target;
  readonly source: Container;
  /** Its typed counterpart; undefined if the schema has no such container here. */
  value: Container | undefined;
}

/** A string of the source that may not be complete. */
interface OpenText {
  readonly path: Path;
  readonly at: Target;
  readonly shown: boolean;
  text: string;
}

/**
 * A streaming value with the types of its schema: scalars are coerced when they are complete, a string is only shown
 * before its end where any string is allowed, keys have their declared spelling, and what doesn't fit is left out.
 */
export class PartialValue {
  readonly #root: JsonSchema;
  readonly #layout: Layout;
  readonly #top: Slot;
  readonly #immutable: boolean;
  readonly #frames: Frame[] = [];
  /** Containers created by this update, which may be changed in place. */
  readonly #fresh = new Set<Container>();
  #text: OpenText | undefined;
  #changes: Change[] = [];
  #value: JsonValue | undefined;

  constructor(schema: JsonSchema | undefined, immutable: boolean) {
    this.#root = schema ?? true;
    this.#layout = layoutOf(this.#root);
    this.#top = this.#slotOf(this.#root);
    this.#immutable = immutable;
  }

  /** The value so far. */
  get value(): JsonValue | undefined {
    return this.#value;
  }

  /**
   * Applies the changes of a chunk, and returns those of the typed value.
   *
   * @param open path of the source's open value: a string at another path is complete
   */
  apply(changes: readonly Change[], open: Path): readonly Change[] {
    this.#fresh.clear();
    this.#changes = [];
    for (const change of changes) this.#take(change);
    if (this.#text && !isSame(this.#text.path, open)) this.#endText();
    return this.#changes;
  }

  /** The final value. In immutable mode it shares what it has in common with the value so far. */
  settled(value: JsonValue): JsonValue {
    return this.#immutable ? shared(this.#value, value) : value;
  }

  #take(change: Change): void {
    const { path } = change;
    if (change.type === 'append') {
      if (this.#text) this.#grow(this.#text, change.text);
      return;
    }
    this.#endText();
    if (change.type === 'reset') {
      this.#frames.length = 0;
      this.#value = undefined;
      this.#changes.push(change);
    } else if (change.type === 'close') this.#close(path);
    else {
      this.#frames.length = path.length;
      const at = this.#targetOf(path);
      if (change.type === 'open') this.#open(at, change.value);
      else if (typeof change.value === 'string') this.#beginText(path, at, change.value);
      else this.#settle(at, change.value);
    }
  }

  #targetOf(path: Path): Target {
    const parent = this.#frames.at(-1);
    const step = path.at(-1);
    if (!parent || step === undefined) return { slot: this.#top, parent: undefined, key: undefined };
    const { slot } = parent.at;
    const key = !parent.value
      ? undefined
      : Array.isArray(parent.value)
        ? parent.value.length
        : this.#keyIn(slot, String(step));
    return { slot: key === undefined ? slot : this.#child(slot, key), parent, key };
  }

  #open(at: Target, source: Container): void {
    const list = Array.isArray(source);
    const shown = isTarget(at) && allows(at.slot, list ? 'array' : 'object');
    const value: Container | undefined = shown ? (list ? [] : {}) : undefined;
    const frame = { at, source, value };
    if (value) {
      this.#put(at, value);
      this.#fresh.add(value);
      this.#changes.push({ type: 'open', path: pathOf(at), value });
    }
    this.#frames.push(frame);
  }

  #close(path: Path): void {
    const frame = this.#frames[path.length];
    this.#frames.length = Math.min(this.#frames.length, path.length);
    if (!frame) return;
    if (frame.value) this.#changes.push({ type: 'close', path: pathOf(frame.at) });
    else this.#settle(frame.at, frame.source);
  }

  #beginText(path: Path, at: Target, text: string): void {
    const shown = isTarget(at) && at.slot.takesText;
    this.#text = { path, at, text, shown };
    if (shown) this.#set(at, text);
  }

  #grow(open: OpenText, text: string): void {
    open.text += text;
    if (!open.shown) return;
    this.#put(open.at, open.text);
    this.#changes.push({ type: 'append', path: pathOf(open.at), text });
  }

  #endText(): void {
    const open = this.#text;
    this.#text = undefined;
    if (open && !open.shown) this.#settle(open.at, open.text);
  }

  /** Sets a complete value if it has the right type, or gets it by coercion. */
  #settle(at: Target, source: JsonValue): void {
    if (!isTarget(at)) return;
    const { schema } = at.slot;
    const isTyped = fits(this.#layout, at.slot, source);
    const value = isTyped ? source : (coercePart(source, this.#root, schema) as JsonValue);
    if (isTyped || (value !== source && this.#layout.interpreter.passes(value, schema))) this.#set(at, value);
  }

  #set(at: Target, value: JsonValue): void {
    this.#put(at, value);
    this.#changes.push({ type: 'set', path: pathOf(at), value });
  }

  #put({ parent, key }: Target, value: JsonValue): void {
    if (!parent) this.#value = value;
    else (this.#ownOf(parent) as Record<string | number, JsonValue>)[key as string] = value;
  }

  /** The container to change: in immutable mode a copy, once per update, along the path from the root. */
  #ownOf(frame: Frame): Container {
    const value = frame.value as Container;
    if (!this.#immutable || this.#fresh.has(value)) return value;
    const copy: Container = Array.isArray(value) ? [...value] : { ...value };
    frame.value = copy;
    this.#fresh.add(copy);
    this.#put(frame.at, copy);
    return copy;
  }

  /** The declared spelling of a key; undefined if the schema doesn't allow it. */
  #keyIn({ forms }: Slot, key: string): string | undefined {
    if (key === '__proto__') return undefined;
    const views = forms.map((form) => viewFor(this.#layout, form));
    if (views.some(({ properties, patterns }) => properties.has(key) || patterns.some((one) => one.test(key))))
      return key;
    const declared = views.flatMap(({ properties }) => [...properties.keys()]);
    const alike = new Set(declared.filter((property) => foldKey(property) === foldKey(key)));
    if (alike.size === 1) return [...alike][0];
    const closed = views.filter((view) => view.types === undefined || view.types.includes('object'));
    return closed.length > 0 && closed.every((view) => view.closed) ? undefined : key;
  }

  #child(slot: Slot, key: string | number): Slot {
    // Items after the fixed ones share a schema.
    const step = typeof key === 'number' ? Math.min(key, this.#prefixOf(slot)) : key;
    const known = slot.children.get(step);
    if (known) return known;
    const schemas = slot.forms.map((form) => childSchema(this.#layout, form, step)).filter((one) => one !== undefined);
    const [first = true, ...more] = schemas;
    const child = this.#slotOf(more.length > 0 ? { anyOf: schemas } : first);
    slot.children.set(step, child);
    return child;
  }

  #prefixOf = ({ forms }: Slot): number =>
    Math.max(0, ...forms.map((form) => viewFor(this.#layout, form).prefix.length));

  #slotOf(schema: JsonSchema): Slot {
    const forms = withForms(this.#layout, [schema], mostPlaces);
    const views = forms.map((form) => viewFor(this.#layout, form));
    const types = typesOf(this.#layout, schema) ?? impliedTypes(views.map((view) => view.types));
    const isText = types === undefined || types.has('string');
    const fixed = views.some(({ members }) => members !== undefined);
    return { schema, forms, types, takesText: isText && !fixed, children: new Map() };
  }
}

/** A copy of `after` with the parts of `before` that are equal. */
function shared(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (before === undefined || equal(before, after)) return before ?? after;
  if (Array.isArray(before) && Array.isArray(after)) return after.map((item, index) => shared(before[index], item));
  if (!isObject(before) || !isObject(after)) return after;
  return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, shared(before[key], value)]));
}

/** Types that follow from keywords such as `properties`, if a schema has only one form. */
const impliedTypes = ([types, ...more]: (readonly TypeName[] | undefined)[]): ReadonlySet<TypeName> | undefined =>
  types && more.length === 0 ? new Set(types) : undefined;

const allows = ({ types }: Slot, type: string): boolean => types?.has(type as TypeName) ?? true;

/** Whether a complete value has an allowed type. Limits on it aren't checked, because it can still be shown. */
function fits(layout: Layout, slot: Slot, value: JsonValue): boolean {
  if (layout.interpreter.passes(value, slot.schema)) return true;
  if (typeof value === 'object' || slot.forms.some((form) => viewFor(layout, form).members)) return false;
  return allows(slot, typeName(value)) || (Number.isInteger(value) && allows(slot, 'integer'));
}

/** Whether a value can be placed: at the root, or in a container that is shown under a key that is allowed. */
const isTarget = ({ parent, key }: Target): boolean => !parent || (parent.value !== undefined && key !== undefined);

function pathOf({ parent, key }: Target): Path {
  const path: (string | number)[] = [];
  for (let at: Target | undefined = { parent, key } as Target; at?.parent; at = at.parent.at)
    path.unshift(at.key as string | number);
  return path;
}

const isSame = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);
