import type { Problem } from '../json/problem.ts';
import { isObject, type Path } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { preview } from './feedback-preview.ts';
import { schemaAt } from './feedback-schema-at.ts';
import { general } from './feedback-subject.ts';

const most = 8;
const width = 400;

/** What the schema says of the fields at fault, a line each; nothing of the others. */
export function schemaPart(schema: JsonSchema, problems: readonly Problem[]): string {
  const lines = new Map<string, string>();
  for (const { path, code } of problems) {
    // Of a field that is not known the schema says nothing: what surrounds it is what matters.
    const place = code === 'unknown' || code === 'forbidden_key' ? path.slice(0, -1) : path;
    const name = general(place).replaceAll('.[]', '[]') || 'Root object';
    if (lines.has(name)) continue;
    const said = schemaAt(schema, place);
    if (said) lines.set(name, `${name}${isRequired(schema, place) ? ' (required)' : ''}: ${preview(said, width)}`);
    if (lines.size === most) break;
  }
  return [...lines.values()].join('\n');
}

function isRequired(schema: JsonSchema, path: Path): boolean {
  const parent = path.length > 0 ? schemaAt(schema, path.slice(0, -1)) : undefined;
  return isObject(parent) && Array.isArray(parent.required) && parent.required.includes(path.at(-1) as string);
}
