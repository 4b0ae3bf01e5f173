import { type Checker, checkerFor } from './compile.ts';
import type { JsonSchema } from './json-schema.ts';

const kept = 500;
const longestText = 1024 * 1024;

const byObject = new WeakMap<object, Checker>();
const byText = new Map<string, Checker>();

/** Schemas parsed anew for every request are known again by their text, in a bounded cache. */
const recalled = (schema: JsonSchema): Checker => {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch {
    // A schema with a cycle of objects, or too deep for text, is known by its object alone.
  }
  if (text === undefined || text.length > longestText) return checkerFor(schema);
  const checker = byText.get(text) ?? checkerFor(JSON.parse(text));
  byText.delete(text);
  byText.set(text, checker);
  if (byText.size > kept) {
    for (const oldest of byText.keys()) {
      byText.delete(oldest);
      break;
    }
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
