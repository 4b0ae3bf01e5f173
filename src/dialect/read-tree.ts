import { hasOwn, type JsonObject, type JsonValue } from '../json/value.ts';

const tag = /<(\/?)([^<>/\s]{1,128})>/y;
const deepest = 200;

interface Node {
  readonly name: string;
  text: string;
  readonly children: [string, JsonValue][];
}

/**
 * Reads a value that holds tags, each behind a prefix: a tag is a key, and `item` an item of a list. Undefined where
 * that would lose something: text beside tags, a key given twice, a tag that is not closed or too deep.
 */
export function readTree(text: string, prefix: string): JsonValue | undefined {
  const stack: Node[] = [{ name: '', text: '', children: [] }];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf(prefix, at);
    const top = stack.at(-1) as Node;
    top.text += text.slice(at, next < 0 ? text.length : next);
    if (next < 0) break;
    at = next + prefix.length;
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (!found) return undefined;
    at = tag.lastIndex;
    if (found[1] ? !leave(stack, found[2] as string) : stack.length >= deepest) return undefined;
    if (!found[1]) stack.push({ name: found[2] as string, text: '', children: [] });
  }
  return stack.length === 1 ? readNode(stack[0] as Node) : undefined;
}

function leave(stack: Node[], name: string): boolean {
  if (stack.length < 2 || stack.at(-1)?.name !== name) return false;
  const value = readNode(stack.pop() as Node);
  if (value !== undefined) stack.at(-1)?.children.push([name, value]);
  return value !== undefined;
}

/** A leaf is its text; `item` children make a list; all else is an object. */
function readNode({ text, children }: Node): JsonValue | undefined {
  if (children.length === 0) return text;
  if (/\S/.test(text)) return undefined;
  if (children.every(([name]) => name === 'item')) return children.map(([, value]) => value);
  const made: JsonObject = {};
  for (const [name, value] of children) {
    if (hasOwn(made, name)) return undefined;
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return made;
}
