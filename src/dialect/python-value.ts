import type { JsonValue } from '../json/value.ts';
import type { Frame, Machine, Term } from './python-machine.ts';

const constructors = ['list', 'tuple', 'set', 'frozenset'];

/** What a closed bracket is for the expression it stands in; a call is text, but for those that only build a value. */
export function termFor(m: Machine, frame: Frame): Term {
  const { name, positional, named } = frame;
  if (frame.text) return { kind: 'text' };
  if (name === undefined) {
    const mixed = Object.keys(named).length > 0 && positional.length > 0 && frame.closer !== ']';
    return mixed ? { kind: 'text' } : { kind: 'literal', value: bracketValue(m, frame) };
  }
  const [only] = positional;
  if (name === 'dict' && positional.length === 0) return { kind: 'literal', value: named };
  if (!constructors.includes(name) || Object.keys(named).length > 0 || positional.length > 1) return { kind: 'text' };
  if (only === undefined) return { kind: 'literal', value: [] };
  return Array.isArray(only) ? { kind: 'literal', value: only } : { kind: 'text' };
}

/** The value of a bracket that is no call. */
export function bracketValue(m: Machine, { closer, positional, named, commas, text, start }: Frame): JsonValue {
  if (text) return m.text.slice(start, m.at);
  const dict = closer === '}' && (Object.keys(named).length > 0 || positional.length === 0);
  if (dict) return named;
  // `['f', 'a': 1]`: what has keys stands behind what has none.
  if (closer === ']' && Object.keys(named).length > 0) return [...positional, named];
  const [only] = positional;
  return closer === ')' && commas === 0 && only !== undefined ? only : positional;
}
