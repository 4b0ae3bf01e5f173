import type { Path, Problem } from '../../src/index.ts';
import type { RunEvent } from '../../src/log/events.ts';
import type { ToolSpec } from '../../src/model/index.ts';

/** The tool definition in the log, if it was recorded. */
export function schemaIn(events: readonly RunEvent[], name: string): ToolSpec | undefined {
  for (const event of events) {
    const found = event.type === 'run.started' ? event.specs?.find((spec) => spec?.name === name) : undefined;
    if (found) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that give a field a type, or leave it to another schema. `toolmend check` reports fields without them. */
const typing = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not'];
const [deepest, most] = [20, 50];

/** A hint for each field without a type that received an array or object as JSON text, which stays text. */
export function missingTypes(input: unknown, schema: unknown): Problem[] {
  const hints: Problem[] = [];
  const visit = (value: unknown, field: unknown, path: Path): void => {
    if (hints.length >= most || path.length > deepest) return;
    const type = typeof value === 'string' && path.length > 0 && isUntyped(field) ? typeInText(value) : undefined;
    if (type) hints.push({ path, code: 'type', message, received: value, suggestion: `"type": "${type}"` });
    if (!isObject(field)) return;
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(item, field.items, [...path, at]);
    if (!isObject(value) || !isObject(field.properties)) return;
    for (const [key, held] of Object.entries(field.properties))
      if (Object.hasOwn(value, key)) visit(value[key], held, [...path, key]);
  };
  visit(input, schema, []);
  return hints;
}

const message = "This field has no type in the tool's schema, so its JSON stays text. Add a type to the schema.";

const isUntyped = (field: unknown): boolean =>
  field === true || (isObject(field) && !typing.some((word) => Object.hasOwn(field, word)));

/** The type of an array or object in text; undefined for other text. */
function typeInText(text: string): 'array' | 'object' | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return Array.isArray(JSON.parse(text)) ? 'array' : 'object';
  } catch {
    return undefined;
  }
}
