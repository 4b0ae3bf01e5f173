import { type Checker, checkerFor } from './compile.ts';
import type { JsonSchema } from './json-schema.ts';

const kept = 500;
const longestText = 1024 * 1024;
/** Characters of all texts together: a few hundred huge schemas must not fill the memory. */
const mostText = 16 * longestText;

const byObject = new WeakMap<object, Checker>();
const byText = new Map<string, Checker>();
let textKept = 0;

/** Schemas parsed anew for every request are known again by their text, in a bounded cache. */
const recalled = (schema: JsonSchema): Checker => {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
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
