import { keyOf } from './python-item.ts';
import { type Frame, type Machine, newItem, type Term } from './python-machine.ts';
import { addText } from './python-tokens.ts';

/** Takes a colon or an equals sign: what stands before it is a key, a parameter's type, or part of an expression. */
export function takeKey(m: Machine, frame: Frame, char: string): void {
  const start = m.at++;
  m.settled = false;
  const { item } = frame;
  if (char === ':' && item.lambda) {
    item.lambda = false;
    return;
  }
  if (char === '=' && frame.name !== undefined && isAnnotation(frame)) {
    frame.item = newItem(m.at);
    return;
  }
  const twice = char === '=' && m.text[m.at] === '=';
  const holds = frame.name !== undefined || frame.closer !== ')';
  const given = holds && !twice && m.deeper === 0 && frame.key === undefined ? keyOf(m, item) : undefined;
  // A number before a colon in a list is a slice, or a time of day.
  const key = frame.closer === ']' && isNumber(item.parts[0]) ? undefined : given;
  if (key === undefined) {
    if (twice) m.at++;
    if (char === ':' && frame.closer === ']') frame.text = true;
    addText(m, item, start);
  } else {
    frame.key = key;
    frame.item = newItem(m.at);
  }
}

const types = new Set([
  'int',
  'integer',
  'float',
  'number',
  'str',
  'string',
  'bool',
  'boolean',
  'list',
  'dict',
  'tuple',
]);

/** `f(days: int = 3)`: what was taken for the value is the parameter's type. */
function isAnnotation({ key, item }: Frame): boolean {
  const [part] = item.parts;
  const word = !item.text && item.parts.length === 1 && typeof part === 'object' && part.kind === 'word';
  return key !== undefined && word && types.has(part.word.toLowerCase());
}

const isNumber = (part: Term | string | undefined): boolean =>
  typeof part === 'object' && part.kind === 'literal' && typeof part.value === 'number';
