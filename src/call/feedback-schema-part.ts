import type { Problem } from '../json/problem.ts';
import { isObject, type Path } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { schemaAt } from '../schema/schema-at.ts';
import { preview, shorten } from './feedback-preview.ts';
import { general } from './feedback-subject.ts';

const most = 8;
const width = 400;

/** What the schema says of the fields at fault, a line each; nothing of the others. */
export function schemaPart(schema: JsonSchema, problems: readonly Problem[]): string {
  const lines = new Map<string, string>();
  for (const { path, code, expected } of problems) {
    // Of a field that is not known the schema says nothing; the names that are known stand beside it.
    const isUnknown = code === 'unknown' || code === 'forbidden_key';
    const place = isUnknown ? path.slice(0, -1) : path;
    const name = general(place).replaceAll('.[]', '[]') || 'Root object';
    const said = schemaAt(schema, place);
    if (lines.has(name) || !said) continue;
    // One form of a union has one of the values that its forms allow together.
    const choice = 'const' in said && expected?.includes(', ') ? `one of: ${shorten(expected, width)}` : undefined;
    const words = isUnknown ? `fields ${known(said)}` : (choice ?? preview(said, width));
    lines.set(name, `${name}${isRequired(schema, place) ? ' (required)' : ''}: ${words}`);
    if (lines.size === most) break;
  }
  return [...lines.values()].join('\n');
}

const known = ({ properties }: SchemaObject): string => shorten(Object.keys(properties ?? {}).join(', '), width);

function isRequired(schema: JsonSchema, path: Path): boolean {
  const parent = path.length > 0 ? schemaAt(schema, path.slice(0, -1)) : undefined;
  return isObject(parent) && Array.isArray(parent.required) && parent.required.includes(path.at(-1) as string);
}
