import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import { decodeEntities } from '../../json/tolerant/chars.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema, TypeName } from '../types.ts';
import { type Coerced, type Context, made, type Place, under } from './context.ts';
import { failingAt } from './failing.ts';
import { isPlain, typesOf, type View, viewAt } from './layout.ts';

/** Coerces each item. Invalid ones stay unchanged, and none is dropped. */
export function coerceList(context: Context, value: readonly unknown[], view: View, place: Place): Coerced {
  const elements = elementsIn(context, value, view);
  if (elements) return made('wrapper', value, elements);
  const repairs: Repair[] = [];
  const problems: Problem[] = [];
  let out: unknown[] | undefined;
  const plain = place.wrapped || view.prefix.length > 0 ? undefined : viewAt(context, view.items)?.plain;
  value.forEach((item, i) => {
    // Most lists of scalars are long, and valid.
    if (isPlain(item, plain) && !context.marks[0]?.get(value, i)) return;
    const schema = i < view.prefix.length ? view.prefix[i] : view.items;
    const at = placeIn(context, value, i, schema ?? true, place, place.outside);
    const inner = context.coerce(context, item, schema ?? true, place.wrapped ? { ...at, wrapped: true } : at);
    if (inner.value !== item) {
      out ??= [...value];
      out[i] = inner.value;
    }
    if (inner.repairs.length) repairs.push(...under(i, inner.repairs));
    if (inner.problems.length) problems.push(...under(i, inner.problems));
    const several = itemsIn(context, item, inner.value, schema ?? true, place);
    if (several) {
      const problem = twofold(item, 'one item or as several', [inner.value], several);
      problems.push(place.wrapped ? problem : { ...problem, path: [i] });
    }
  });
  const wrapped = out?.filter((made, i) => isListOf(made, value[i])).length ?? 0;
  // Several items that each become a list of one may also be one list.
  if (wrapped > 1 && (wrapped < value.length || fitsAsOne(context, value, view, place))) return ambiguous(value, out);
  return { value: out ?? value, repairs, problems };
}

/** The items of a list that was XML, where each was an element `item`, if they are only valid without it. */
function elementsIn(context: Context, value: readonly unknown[], view: View): unknown[] | undefined {
  const { items, prefix } = view;
  const { interpreter } = context;
  if (items === undefined || prefix.length > 0 || viewAt(context, items)?.properties.has('item')) return undefined;
  const found: unknown[] = [];
  for (const element of value) {
    if (!isObject(element) || !isObject(element.item) || Object.keys(element).length !== 1) return undefined;
    if (interpreter.passes(element, items) || !interpreter.passes(element.item, items)) return undefined;
    found.push(element.item);
  }
  return found.length > 0 ? found : undefined;
}

/**
 * The words of a text, if each is an item by itself and not any text is (`read write` beside `read_write`). Text that
 * only differs from its item in case is one item, unless it has spaces and stands for the list.
 */
function itemsIn(
  context: Context,
  text: unknown,
  made: unknown,
  schema: JsonSchema,
  place: Place,
): unknown[] | undefined {
  if (typeof text !== 'string' || typeof made !== 'string') return undefined;
  const isSame = made === text || made.toLowerCase() === text.toLowerCase();
  if (isSame && !(place.wrapped && /\s/.test(text))) return undefined;
  const words = text.trim().split(place.wrapped ? /[\s-]+/ : /\s+/);
  const { interpreter } = context;
  if (words.length < 2 || interpreter.passes(`${text}\0`, schema)) return undefined;
  const items = words.map(
    (word, i) => context.coerce(context, word, schema, placeIn(context, words, i, schema, place)).value,
  );
  return items.every((item) => interpreter.passes(item, schema)) ? items : undefined;
}

/** Whether a list was created for this item, not parsed from it. */
const isListOf = (made: unknown, item: unknown): boolean =>
  Array.isArray(made) && made.length === 1 && !Array.isArray(item) && !/^\s*[[(<]/.test(String(item));

/** Whether the complete list would be valid as one item. */
function fitsAsOne(context: Context, value: readonly unknown[], { items, prefix }: View, place: Place): boolean {
  if (items === undefined || prefix.length > 0) return false;
  const whole = context.coerce(context, value, items, {
    ...place,
    container: undefined,
    key: undefined,
    wrapped: true,
  });
  return whole.problems.length === 0 && context.interpreter.passes(whole.value, items);
}

/** A flat list for a list of lists is ambiguous: several rows of one, or one row. */
const ambiguous = (value: readonly unknown[], rows: unknown): Coerced => ({
  value,
  repairs: [],
  problems: [twofold(value, 'several lists or as one', rows, [value])],
});

/** Two readings of a value. */
function twofold(received: unknown, what: string, ...readings: unknown[]): Problem {
  const [one, other] = readings.map((reading) => JSON.stringify(reading).slice(0, 60));
  const message = `can be read as ${what}`;
  return { path: [], code: 'ambiguous', received, message, suggestion: `Send ${one} or ${other}` };
}

/** The location of an item or field, and what its schema allows. */
export function placeIn(
  context: Context,
  container: object,
  key: string | number,
  schema: JsonSchema,
  { drop, failing }: Place,
  outside: readonly string[] = [],
): Place {
  const types = typesOf(context, schema);
  const within = failing && failingAt(failing, key);
  return {
    container,
    key,
    drop,
    failing: within,
    alone: types !== undefined && isTextOnly(types),
    text: types?.has('string') ?? true,
    outside,
  };
}

/** Whether only strings, or null, are allowed. */
export function isTextOnly(types: ReadonlySet<TypeName>): boolean {
  for (const type of types) if (type !== 'string' && type !== 'null') return false;
  return true;
}

/** An XML element: its name, and its text or children. */
interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: Element[];
}

const token = /<!\[CDATA\[()|<(\/?)([A-Za-z_][\w.-]*)\s*(\/?)>/g;
const comments = /^\s*<\?xml[^>]{0,200}\?>|<!--[^<]{0,2000}-->/g;

/** The elements of a text that consists of elements only; undefined otherwise, or if they don't nest. */
function readElements(text: string): Element[] | undefined {
  const root = { name: '', text: '', children: [] as Element[] };
  const open: { name: string; text: string; children: Element[] }[] = [root];
  let last = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const top = open.at(-1) as typeof root;
    top.text += decodeEntities(text.slice(last, found.index));
    if (found[1] !== undefined) {
      const end = text.indexOf(']]>', token.lastIndex);
      if (end === -1) return undefined;
      top.text += text.slice(token.lastIndex, end);
      token.lastIndex = end + 3;
    }
    last = token.lastIndex;
    const name = found[3];
    if (!name) continue;
    if (found[2]) {
      if (open.length < 2 || top.name !== name) return undefined;
      open.pop();
    } else {
      const element = { name, text: '', children: [] };
      top.children.push(element);
      if (!found[4]) open.push(element);
      if (open.length > 64) return undefined;
    }
  }
  if (open.length !== 1 || text.slice(last).trim() !== '' || root.text.trim() !== '') return undefined;
  return root.children.length ? root.children : undefined;
}

/**
 * Reads an XML list: elements of one name, with or without an element around them. Undefined for other text.
 *
 * @param isKey whether a name is a field of an item, which distinguishes a single item from the element around a list
 */
export function readXmlList(text: string, isKey: (name: string) => boolean): JsonValue[] | undefined {
  let elements = readElements(text.replace(comments, ''));
  if (!elements) return undefined;
  const [only] = elements;
  if (
    elements.length === 1 &&
    only &&
    only.children.length > 0 &&
    only.text.trim() === '' &&
    !only.children.some((child) => isKey(child.name))
  ) {
    elements = only.children;
  }
  const isNamed = (name: string): boolean =>
    genericItem.test(name) || (elements !== undefined && elements[0] !== only && only?.name.startsWith(name) === true);
  const { name, text: said, children } = elements[0] as Element;
  if (elements.some((element) => element.name !== name)) return undefined;
  // One element with several lines or commas may be one item, or the element around a list. Markup may be an item itself.
  if (elements.length === 1 && children.length === 0 && (/[,\n]/.test(said) || !isNamed(name))) return undefined;
  const items = elements.map(valueIn);
  return items.includes(undefined) ? undefined : (items as JsonValue[]);
}

/** Names of elements that only say that they are an item, as the singular of the element around them does. */
const genericItem = /^(?:item|element|entry|value)$/i;

/** Objects read from XML. One with a single key may stand for the list of its content. */
export const fromXml = new WeakSet<object>();

/** The value of an element: its text, or an object of its children. Repeated names become a list. */
function valueIn({ text, children }: Element): JsonValue | undefined {
  if (children.length === 0) return text;
  if (text.trim() !== '') return undefined;
  const value: Record<string, JsonValue> = {};
  for (const child of children) {
    const inner = valueIn(child);
    if (inner === undefined || child.name === '__proto__') return undefined;
    const known = Object.hasOwn(value, child.name) ? value[child.name] : undefined;
    if (Array.isArray(known)) known.push(inner);
    else value[child.name] = known === undefined ? inner : [known, inner];
  }
  fromXml.add(value);
  return value;
}
