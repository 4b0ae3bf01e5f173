import { type Checker, checkerFor } from './compile.ts';
import type { JsonSchema } from './json-schema.ts';

const kept = 500;
const longestText = 1024 * 1024;
/** Characters of all texts together: a few hundred huge schemas must not fill the memory. */
const mostText = 16 * longestText;

const byObject = new WeakMap<object, Checker>();
const byText = new Map<string, Checker>();
let textKept = 0;

/**
 * About how long a schema's text is, at least; each object is measured once, because one that parts share is written anew
 * for each, and what shares on every level has text without end. A schema that holds itself has none.
 */
function textLength(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value.length + 2 : 1;
  const measured = known.get(value);
  if (measured !== undefined) return measured;
  known.set(value, Number.POSITIVE_INFINITY);
  let length = 2;
  for (const key of Object.keys(value))
    length += textLength((value as Record<string, unknown>)[key], known) + (Array.isArray(value) ? 1 : key.length + 3);
  known.set(value, length);
  return length;
}

/** Schemas parsed anew for every request are known again by their text, in a bounded cache. */
const recalled = (schema: JsonSchema): Checker => {
  let text: string | undefined;
  try {
    if (textLength(schema, new Map()) <= longestText) text = JSON.stringify(schema);
  } catch {
    // A schema with a cycle of objects, or too deep for text, is known by its object alone.
  }
  if (text === undefined || text.length > longestText) return checkerFor(schema);
  const known = byText.get(text);
  const checker = known ?? checkerFor(JSON.parse(text));
  if (known === undefined) textKept += text.length;
  byText.delete(text);
  byText.set(text, checker);
  for (const oldest of byText.keys()) {
    if (byText.size <= kept && textKept <= mostText) break;
    byText.delete(oldest);
    textKept -= oldest.length;
  }
  return checker;
};

/** The checker of a schema, made once: by the schema object, else by its text. */
export const checkerOf = (schema: JsonSchema): Checker => {
  if (typeof schema !== 'object' || schema === null) return recalled(schema);
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const checker = recalled(schema);
  byObject.set(schema, checker);
  return checker;
};
