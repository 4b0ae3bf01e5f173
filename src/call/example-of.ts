import { hasOwn, isObject } from '../json/value.ts';
import { branchesOf } from '../schema/coerce/branches.ts';
import type { Layout } from '../schema/coerce/context.ts';
import { layoutOf } from '../schema/coerce/layout.ts';
import { type View, viewFor } from '../schema/coerce/view.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { exampleNumber, exampleString } from './example-of-scalar.ts';
import type { Faults } from './feedback-faults.ts';

const maxDepth = 12;
const mostMade = 400;
const mostItems = 10;

interface Place {
  /** What the model sent here, if anything. */
  readonly soFar: unknown;
  readonly faults: Faults | undefined;
  /** The field's name, for strings that stand for themselves. */
  readonly name: string;
  readonly layout: Layout;
  readonly depth: number;
  /** How many more values may be made: schemas that refer to themselves several times would never end. */
  readonly room: { left: number };
}

/**
 * A value as the schema wants it, made from its examples, defaults, allowed values and types. What the model sent
 * right is kept; `faults` says what was not.
 *
 * @example exampleOf({ type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] }) // { n: 3 }
 */
export function exampleOf(schema: JsonSchema, soFar?: unknown, faults?: Faults): unknown {
  const layout = layoutOf(schema);
  return build(schema, { soFar, faults, name: 'value', layout, depth: 0, room: { left: mostMade } });
}

function build(schema: JsonSchema | undefined, place: Place): unknown {
  const { soFar, faults, name, layout, depth, room } = place;
  if (soFar !== undefined && (!faults || (faults.here.length === 0 && faults.below.size === 0))) return soFar;
  const said = layout.interpreter.resolve(schema ?? true);
  const form = chosen(said, place);
  if (!isObject(said) || !isObject(form) || depth > maxDepth || room.left-- <= 0) return soFar ?? `<${name}>`;
  const view = viewFor(layout, form);
  const type = view.types?.[0] ?? 'string';
  const make = makers[type] as Maker;
  if (type === 'object' ? isObject(soFar) : type === 'array' && Array.isArray(soFar)) return make(place, view, form);
  const given = Array.isArray(said.examples) ? said.examples[0] : said.default;
  if (given !== undefined && given !== null) return given;
  if (view.members) return view.members.find((member) => member !== null) ?? null;
  return make({ ...place, soFar: undefined, faults: undefined }, view, wordsOf(layout, form));
}

type Maker = (place: Place, view: View, form: SchemaObject) => unknown;

const makers: Readonly<Record<string, Maker>> = {
  object: exampleObject,
  array: exampleList,
  string: ({ name }, _, form) => exampleString(form, name),
  number: (_, __, form) => exampleNumber(form),
  integer: (_, __, form) => exampleNumber(form),
  boolean: () => true,
  null: () => null,
};

function exampleObject(place: Place, { properties, required, closed, additional }: View): unknown {
  const sent: Record<string, unknown> = isObject(place.soFar) ? place.soFar : {};
  const example: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(sent), ...required])) {
    const faults = place.faults?.below.get(key);
    const isSent = hasOwn(sent, key);
    const isUnknown = faults?.here.some(({ code }) => code === 'unknown' || code === 'forbidden_key');
    if (isUnknown || key === '__proto__' || (isSent && closed && !properties.has(key))) continue;
    const soFar = isSent ? sent[key] : undefined;
    example[key] = build(properties.get(key) ?? additional, { ...inside(place), soFar, faults, name: key });
  }
  return example;
}

function exampleList(place: Place, { prefix, items }: View, { minItems = 1, maxItems }: SchemaObject): unknown {
  const sent = Array.isArray(place.soFar) ? place.soFar : [];
  const least = Math.min(mostItems, Math.max(prefix.length, minItems));
  const length = Math.min(Math.max(sent.length, least), maxItems ?? Number.POSITIVE_INFINITY);
  return Array.from({ length }, (_, i) =>
    build(prefix[i] ?? items, { ...inside(place), soFar: sent[i], faults: place.faults?.below.get(i) }),
  );
}

const inside = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

/** The schema's words with those its `allOf` adds. */
function wordsOf(layout: Layout, form: SchemaObject, depth = 0): SchemaObject {
  const parts = Array.isArray(form.allOf) && depth < maxDepth ? form.allOf : [];
  const more = parts.map((part) => layout.interpreter.resolve(part)).filter((part) => isObject(part));
  return Object.assign({}, ...more.map((part) => wordsOf(layout, part, depth + 1)), form);
}

/** The form of a union that the value sent comes nearest to: by its own constants, else the first that is not null. */
function chosen(schema: JsonSchema, place: Place): JsonSchema {
  const { layout, soFar, depth } = place;
  const branches = isObject(schema) && depth <= maxDepth ? branchesOf(layout, schema) : undefined;
  if (!branches) return schema;
  const forms = branches.map((form) => layout.interpreter.resolve(form)).filter((form) => isObject(form));
  const named = forms.find((form) => agrees(viewFor(layout, form), soFar));
  return chosen(named ?? forms.find(({ type }) => type !== 'null') ?? forms[0] ?? true, inside(place));
}

const agrees = ({ properties }: View, soFar: unknown): boolean =>
  isObject(soFar) &&
  [...properties].some(([key, said]) => isObject(said) && 'const' in said && said.const === soFar[key]);
