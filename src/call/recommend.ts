import type { Problem, ProblemCode } from '../json/problem.ts';
import type { Path } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaAt } from '../schema/schema-at.ts';
import { claimOf } from './feedback-claim.ts';
import { meantBy } from './feedback-distinct.ts';
import { preview, shorten } from './feedback-preview.ts';
import { general, subject } from './feedback-subject.ts';
import { suggested } from './feedback-suggested.ts';
import { formOf, withArticle } from './recommend-form.ts';
import { readingOf } from './recommend-reading.ts';

const most = 10;
const longest = 240;

type Row = (problem: Problem, schema: JsonSchema | undefined) => string;

const smallerPieces = 'Send it again in smaller pieces: several calls with less in each';

const rows: Partial<Record<ProblemCode, Row>> = {
  required: ({ path }, schema) => {
    const { field, each } = subject(path);
    const form = schema && formOf(schemaAt(schema, path), schema);
    return `${field || 'The value'} is required${each ? ` for ${each}` : ''}${form ? `: send ${form}` : ''}`;
  },
  type: ({ path, expected, received, suggestion }) => {
    const example = suggestion ? undefined : readingOf(expected, received);
    return `${place(path)} must be ${withArticle(expected ?? 'another type')}${example ? `, for example ${example}` : ''}`;
  },
  unknown: (problem, schema) => unknown(problem, schema),
  union: (problem, schema) => {
    const form = schema && formOf(schemaAt(schema, problem.path), schema);
    return `${place(problem.path)} ${form ? `must be ${form}` : wish(problem)}`;
  },
  syntax: (_, schema) => `Send the arguments as one JSON object${skeleton(schema)}`,
  truncated: ({ expected }) => (expected ? `End the arguments with ${expected}` : smallerPieces),
  size: () => smallerPieces,
  keys: () => smallerPieces,
  depth: () => 'Nest less deeply: send fewer objects and lists inside each other',
  duplicate_key: ({ path }) => `Give ${path.length > 0 ? place(path) : 'each key'} once`,
  forbidden_key: ({ path }) => `Leave out ${place(path)}`,
  unsafe_integer: ({ path }) => `${place(path)} must be between -9007199254740991 and 9007199254740991`,
  unknown_tool: ({ message }) => {
    const meant = meantBy(message);
    return meant ? `Call ${meant}` : 'Call one of the available tools by its exact name';
  },
  not_exact: ({ message }) => message,
  other: ({ message }) => message,
};

/**
 * What to do about each problem, made from the problems themselves. The same fault in several items of a list is
 * said once.
 *
 * @example recommend([{ path: ['edits', 0, 'path'], code: 'required', message: '…' }]) // ['path is required for each edit']
 */
export function recommend(problems: readonly Problem[], schema?: JsonSchema): string[] {
  const said = new Set<string>();
  const faults = new Set<string>();
  for (const problem of problems) {
    const fault = `${problem.code} ${general(problem.path)} ${problem.expected ?? ''}`;
    if (faults.has(fault)) continue;
    faults.add(fault);
    said.add(shorten(sentence(problem, schema), longest));
    if (said.size === most) break;
  }
  return [...said];
}

function sentence(problem: Problem, schema: JsonSchema | undefined): string {
  const row = rows[problem.code];
  const base = row ? row(problem, schema) : `${place(problem.path)} ${wish(problem)}`;
  return problem.code === 'unknown' ? base : suggested(base, problem);
}

function unknown({ path, message }: Problem, schema: JsonSchema | undefined): string {
  const meant = meantBy(message);
  if (meant !== undefined) return `Rename ${place(path)} to ${meant}`;
  const known = schemaAt(schema, path.slice(0, -1))?.properties;
  const names = Object.keys(known ?? {}).slice(0, most);
  return `Leave out ${place(path)}${names.length > 0 ? `; known here: ${names.join(', ')}` : ''}`;
}

/** The place as the start of a sentence: `limit`, `path of each edit`, `Each file`, `The arguments`. */
function place(path: Path): string {
  if (path.length === 0) return 'The arguments';
  const { field, each } = subject(path);
  if (!each) return field;
  return field ? `${field} of ${each}` : `E${each.slice(1)}`;
}

/** The claim without what was received, which the list of problems shows. */
const wish = (problem: Problem): string => claimOf(problem).replace(/[,;] got .*$/s, '');

function skeleton(schema: JsonSchema | undefined): string {
  const required = schemaAt(schema, [])?.required;
  if (!Array.isArray(required) || required.length === 0) return '';
  return ` with ${preview(required.slice(0, most), 120).slice(1, -1).replaceAll(',', ', ')}`;
}
