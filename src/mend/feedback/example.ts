import { hasOwn, isObject } from '../../json/value.ts';
import { branchesOf, type Layout, layoutOf, type View, viewFor } from '../../schema/coerce/layout.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { Interpreter } from '../../schema/validate/interpreter.ts';
import { shorten } from '../preview.ts';
import { readingOf, withArticle } from './recommendations.ts';
import type { Faults } from './wording.ts';

const maxDepth = 12;
const mostMade = 400;
const mostItems = 10;

interface Place {
  /** What the model sent here, if anything. */
  readonly soFar: unknown;
  readonly faults: Faults | undefined;
  /** Name of the field, for placeholders. */
  readonly name: string;
  readonly layout: Layout;
  readonly depth: number;
  /** Number of values left to create, because recursive schemas would never end. */
  readonly room: { left: number };
}

/**
 * An example for a schema, made from its examples, defaults, allowed values and types. Keeps what the model sent
 * correctly, according to `faults`.
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
  // For a list of objects, a single object becomes its item.
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
 * Replaces an invalid scalar: with its plain reading if it has one, otherwise with a placeholder. An example value from
 * the schema would be copied, and run as something unintended.
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

/** Whether there is no problem here or below, except perhaps a missing value that is under another key. */
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
    // Omits null for an optional property.
    if (isSent && sent[key] === null && faults && !required.has(key)) continue;
    if (isUnknown || key === '__proto__' || (isSent && closed && !properties.has(key))) continue;
    const soFar = isSent ? sent[key] : meant.get(key);
    example[key] = build(properties.get(key) ?? additional, { ...inside(place), soFar, faults, name: key });
  }
  return example;
}

/** Values under unknown keys, by the property that was probably intended. */
function respelled({ faults }: Place, sent: object, properties: View['properties']): Map<string, unknown> {
  const meant = new Map<string, unknown>();
  for (const [key, { here }] of faults?.below ?? []) {
    const unknown = here.find(({ code }) => code === 'unknown');
    const name = unknown?.meant?.[0];
    const held = (sent as Record<string, unknown>)[key];
    for (const field of unknown?.inside ?? [])
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

/** A schema's keywords, including those from `allOf`. */
function wordsOf(layout: Layout, form: SchemaObject): SchemaObject {
  const open = new Set<SchemaObject>([form]);
  for (const one of open) {
    if (!Array.isArray(one.allOf) || open.size > mostMade) continue;
    for (const part of one.allOf.map((held) => layout.interpreter.resolve(held))) if (isObject(part)) open.add(part);
  }
  return Object.assign({}, ...[...open].reverse());
}

/** The form of a union that is closest to the sent value: by its constants, otherwise the first that isn't null. */
function chosen(schema: JsonSchema, place: Place): JsonSchema {
  const { layout, soFar, depth } = place;
  const branches = isObject(schema) && depth <= maxDepth ? branchesOf(layout, schema) : undefined;
  if (!branches) return schema;
  const forms = branches.map((form) => layout.interpreter.resolve(form)).filter((form) => isObject(form));
  const named = forms.find((form) => agrees(viewFor(layout, form), soFar)) ?? sharing(layout, forms, soFar);
  return chosen(named ?? forms.find(({ type }) => type !== 'null') ?? forms[0] ?? true, inside(place));
}

/** The form that shares the most keys with the sent value. */
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

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/page',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** An example string for a schema: `<name>` if it accepts any. */
function exampleString(form: SchemaObject, name: string): string {
  const known = form.format && Object.hasOwn(formats, form.format) ? formats[form.format] : undefined;
  if (known) return known;
  const text = form.pattern ? `<${name} matching ${form.pattern}>` : `<${name}>`;
  const long = text.padEnd(Math.min(form.minLength ?? 0, 200), '.');
  return form.pattern ? long : long.slice(0, form.maxLength ?? long.length);
}

/** An example number for a schema: 1 if it accepts any. */
function exampleNumber(form: SchemaObject): number {
  const { multipleOf: step = 1 } = form;
  const number = (...words: unknown[]) => words.find((word) => typeof word === 'number');
  const low = number(form.minimum, form.exclusiveMinimum);
  const high = number(form.maximum, form.exclusiveMaximum);
  const candidates = [1, step, low, high, 0];
  if (low !== undefined) candidates.push(Math.floor(low / step + 1) * step);
  if (high !== undefined) candidates.push(Math.ceil(high / step - 1) * step);
  if (low !== undefined && high !== undefined) candidates.push((low + high) / 2);
  const rules = new Interpreter(form);
  return candidates.find((one) => one !== undefined && rules.passes(one)) ?? low ?? high ?? 1;
}

const longString = 100;
const someItems = 2;
const someKeys = 20;
const maxCondensedDepth = 8;

/** Shortens a sent value for an example: long text becomes `<name as you sent it>`. */
export function condensed(value: unknown, name = 'value', depth = 0): unknown {
  if (typeof value === 'string') return value.length > longString ? `<${name} as you sent it>` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxCondensedDepth) return `<${name} as you sent it>`;
  if (Array.isArray(value)) return value.slice(0, someItems).map((item) => condensed(item, name, depth + 1));
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).slice(0, someKeys);
  return Object.fromEntries(entries.map(([key, field]) => [key, condensed(field, key, depth + 1)]));
}
