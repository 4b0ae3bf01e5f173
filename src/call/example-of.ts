import { hasOwn, isObject } from '../json/value.ts';
import { branchesOf } from '../schema/coerce/branches.ts';
import type { Layout } from '../schema/coerce/context.ts';
import { layoutOf } from '../schema/coerce/layout.ts';
import { type View, viewFor } from '../schema/coerce/view.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { exampleNumber, exampleString } from './example-of-scalar.ts';
import { meantBy, misplacedIn } from './feedback-distinct.ts';
import type { Faults } from './feedback-faults.ts';
import { shorten } from './feedback-preview.ts';
import { withArticle } from './recommend-form.ts';
import { readingOf } from './recommend-reading.ts';

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
  if (soFar !== undefined && isSound(faults)) return soFar;
  const said = layout.interpreter.resolve(schema ?? true);
  const form = chosen(said, place);
  if (!isObject(said) || !isObject(form) || depth > maxDepth || room.left-- <= 0) return soFar ?? `<${name}>`;
  const view = viewFor(layout, form);
  const type = view.types?.[0] ?? 'string';
  const make = makers[type] as Maker;
  if (type === 'object' ? isObject(soFar) : type === 'array' && Array.isArray(soFar)) return make(place, view, form);
  // One object for a list of objects is its one item.
  if (type === 'array' && isObject(soFar)) {
    const one: Place = { ...place, soFar: [soFar], faults: faults && { here: [], below: faults.below } };
    return make(one, view, form);
  }
  const sent = asSent(place, view, said);
  if (sent !== undefined) return sent;
  const given = Array.isArray(said.examples) ? said.examples[0] : said.default;
  if (given !== undefined && given !== null) return given;
  if (view.members) return view.members.find((member) => member !== null) ?? null;
  return make({ ...place, soFar: undefined, faults: undefined }, view, wordsOf(layout, form));
}

/**
 * In place of a scalar that was sent wrong: its plain reading where it has one, else a place to fill in. A value of the
 * schema's own would be copied, and run as something that nobody meant.
 */
function asSent({ soFar, faults, name, layout }: Place, { types }: View, said: SchemaObject): unknown {
  const choice = faults?.here.find(({ code }) => code === 'enum' || code === 'const')?.expected;
  if (soFar === undefined) return undefined;
  if (choice?.includes(', ')) return `<one of: ${shorten(choice, 120)}>`;
  if (soFar === null) return undefined;
  const type = types?.[0] ?? '';
  const reading = readingOf(type, soFar);
  const value: unknown = reading === undefined ? undefined : JSON.parse(reading);
  if (value !== undefined && layout.interpreter.passes(value, said)) return value;
  if (type === 'string' && typeof said.format === 'string') return `<${name}: a valid ${said.format}>`;
  if (type !== 'number' && type !== 'integer' && type !== 'boolean') return undefined;
  const bounds = [said.minimum, said.maximum].filter((bound) => typeof bound === 'number');
  const [nearest] = bounds.sort((a, b) => Math.abs(a - Number(soFar)) - Math.abs(b - Number(soFar)));
  const isNear = Number.isInteger(soFar) && nearest !== undefined && layout.interpreter.passes(nearest, said);
  return isNear ? nearest : `<${name}: ${withArticle(type)}>`;
}

/** Nothing wrong here or below, but perhaps a `required` whose value stands under another key. */
const isSound = (faults: Faults | undefined): boolean =>
  !faults || (faults.below.size === 0 && faults.here.every(({ code }) => code === 'required'));

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
  const meant = respelled(place, sent, properties);
  for (const key of new Set([...Object.keys(sent), ...required, ...meant.keys()])) {
    const faults = place.faults?.below.get(key);
    const isSent = hasOwn(sent, key);
    const isUnknown = faults?.here.some(({ code }) => code === 'unknown' || code === 'forbidden_key');
    // A null for what may be left out is left out.
    if (isSent && sent[key] === null && faults && !required.has(key)) continue;
    if (isUnknown || key === '__proto__' || (isSent && closed && !properties.has(key))) continue;
    const soFar = isSent ? sent[key] : meant.get(key);
    example[key] = build(properties.get(key) ?? additional, { ...inside(place), soFar, faults, name: key });
  }
  return example;
}

/** What stands under keys that are not known, by the property that each was probably meant to be. */
function respelled({ faults }: Place, sent: object, properties: View['properties']): Map<string, unknown> {
  const meant = new Map<string, unknown>();
  for (const [key, { here }] of faults?.below ?? []) {
    const unknown = here.find(({ code }) => code === 'unknown');
    const name = unknown && meantBy(unknown.message)?.slice(1, -1);
    const held = (sent as Record<string, unknown>)[key];
    for (const field of unknown && isObject(held) ? misplacedIn(unknown.message) : [])
      if (isObject(held) && hasOwn(held, field) && properties.has(field)) meant.set(field, held[field]);
    if (name === undefined || !hasOwn(sent, key) || hasOwn(sent, name) || !properties.has(name)) continue;
    meant.set(name, (sent as Record<string, unknown>)[key]);
  }
  return meant;
}

function exampleList(place: Place, { prefix, items }: View, { minItems = 1, maxItems }: SchemaObject): unknown {
  const repeats = place.faults?.here.some(({ code }) => code === 'uniqueItems');
  const given: unknown[] = Array.isArray(place.soFar) ? place.soFar : [];
  const sent = repeats ? [...new Map(given.map((item) => [JSON.stringify(item), item])).values()] : given;
  const least = Math.min(mostItems, Math.max(prefix.length, minItems));
  const length = Math.min(Math.max(sent.length, least), maxItems ?? Number.POSITIVE_INFINITY);
  return Array.from({ length }, (_, i) =>
    build(prefix[i] ?? items, { ...inside(place), soFar: sent[i], faults: place.faults?.below.get(i) }),
  );
}

const inside = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

/** The schema's words with those its `allOf` adds. */
function wordsOf(layout: Layout, form: SchemaObject): SchemaObject {
  const open = new Set<SchemaObject>([form]);
  for (const one of open) {
    if (!Array.isArray(one.allOf) || open.size > mostMade) continue;
    for (const part of one.allOf.map((held) => layout.interpreter.resolve(held))) if (isObject(part)) open.add(part);
  }
  return Object.assign({}, ...[...open].reverse());
}

/** The form of a union that the value sent comes nearest to: by its own constants, else the first that is not null. */
function chosen(schema: JsonSchema, place: Place): JsonSchema {
  const { layout, soFar, depth } = place;
  const branches = isObject(schema) && depth <= maxDepth ? branchesOf(layout, schema) : undefined;
  if (!branches) return schema;
  const forms = branches.map((form) => layout.interpreter.resolve(form)).filter((form) => isObject(form));
  const named = forms.find((form) => agrees(viewFor(layout, form), soFar)) ?? sharing(layout, forms, soFar);
  return chosen(named ?? forms.find(({ type }) => type !== 'null') ?? forms[0] ?? true, inside(place));
}

/** The one form that has most of the keys that were sent. */
function sharing(layout: Layout, forms: readonly SchemaObject[], soFar: unknown): SchemaObject | undefined {
  if (!isObject(soFar)) return undefined;
  const keys = Object.keys(soFar).slice(0, mostKeys);
  const shared = forms.map((form) => keys.filter((key) => viewFor(layout, form).properties.has(key)).length);
  const most = Math.max(0, ...shared);
  return most > 0 && shared.filter((one) => one === most).length === 1 ? forms[shared.indexOf(most)] : undefined;
}

const mostKeys = 20;

const agrees = ({ properties }: View, soFar: unknown): boolean =>
  isObject(soFar) &&
  [...properties].some(([key, said]) => isObject(said) && 'const' in said && said.const === soFar[key]);
