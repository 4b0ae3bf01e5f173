import type { JsonObject, JsonValue } from '../json/value.ts';

const tag = /<(\/?)([^<>/\s]{1,128})>/y;
const deepest = 200;

interface Node {
  readonly name: string;
  text: string;
  readonly children: [string, JsonValue][];
}

/** Reads a value that holds tags, each behind a prefix: a tag is a key, and `item` an item of a list. */
export function readTree(text: string, prefix: string): JsonValue {
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
    if (!found) continue;
    at = tag.lastIndex;
    if (!found[1] && stack.length < deepest) stack.push({ name: found[2] as string, text: '', children: [] });
    else if (found[1]) leave(stack, found[2] as string);
  }
  while (stack.length > 1) leave(stack, (stack.at(-1) as Node).name);
  return readNode(stack[0] as Node);
}

function leave(stack: Node[], name: string): void {
  if (stack.length < 2 || stack.at(-1)?.name !== name) return;
  const node = stack.pop() as Node;
  stack.at(-1)?.children.push([node.name, readNode(node)]);
}

/** A leaf is its text; `item` children make a list; all else is an object. */
function readNode({ text, children }: Node): JsonValue {
  if (children.length === 0) return text;
  if (children.every(([name]) => name === 'item')) return children.map(([, value]) => value);
  const made: JsonObject = {};
  for (const [name, value] of children)
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  return made;
}
