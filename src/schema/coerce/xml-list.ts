import { decodeEntities } from '../../json/decode-entities.ts';
import type { JsonValue } from '../../json/value.ts';

/** An element: its name and either its text or its children. */
interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: Element[];
}

const token = /<!\[CDATA\[()|<(\/?)([A-Za-z_][\w.-]*)\s*(\/?)>/g;
const comments = /^\s*<\?xml[^>]{0,200}\?>|<!--[^<]{0,2000}-->/g;

/** The elements of a text that is nothing but elements; undefined where it is not, or they do not nest. */
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
 * A list written as XML: elements of one name, with or without one around them. Undefined where the text is no such
 * list. `isKey` says which names are fields of an item, so that a lone item is told from the element around a list.
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
  const { name, text: said, children } = elements[0] as Element;
  if (elements.some((element) => element.name !== name)) return undefined;
  // One element around several lines or commas: one item, or the element around a list?
  if (elements.length === 1 && children.length === 0 && /[,\n]/.test(said)) return undefined;
  const items = elements.map(valueIn);
  return items.includes(undefined) ? undefined : (items as JsonValue[]);
}

/** Objects that were elements: one with a single name inside may stand for the list of what it holds. */
export const fromXml = new WeakSet<object>();

/** An element as a value: its text, or an object of its children; a name that repeats is a list. */
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
