import { equal } from '../../json/equal.ts';
import { hasOwn, isObject, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/json-schema.ts';
import { describeWord, withSentences } from './describe-word.ts';
import { flatten, tell } from './flatten.ts';
import type { Lowering } from './lowering.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { typesIn } from './types-in.ts';

/** Unions of more forms than this are told in one sentence, form by form, to nobody's good. */
const mostForms = 100;

/**
 * The root as one object: a union there is refused everywhere, so the properties of all its forms stand side by side,
 * those are required that each form requires, and which go together is told in the description.
 */
export function mergeRoot(root: SchemaObject, to: Lowering, followed: Set<SchemaObject>): SchemaObject {
  let merged = root;
  for (const word of ['anyOf', 'oneOf'] as const) {
    const { [word]: given, ...base } = merged;
    if (!Array.isArray(given)) continue;
    const forms = formsOf(given, [word], to, followed, 0);
    tell(to, [], word, 'described', 'the root must be one object: which properties go together is told');
    merged = unite(base, forms, word);
  }
  return merged;
}

/** The forms of a union, those of unions inside it too, that an object can have. */
function formsOf(
  given: readonly unknown[],
  at: Path,
  to: Lowering,
  followed: Set<SchemaObject>,
  depth: number,
): SchemaObject[] {
  return given.slice(0, mostForms).flatMap((form, index): SchemaObject[] => {
    const own = new Set(followed);
    const flat = flatten(form, [...at, index], to, own);
    for (const target of own) followed.add(target);
    if (flat === false || typesIn(flat)?.includes('object') === false) return [];
    const inner = flat.anyOf ?? flat.oneOf;
    if (!Array.isArray(inner) || depth > 3) return [flat];
    const { anyOf: _, oneOf: __, ...base } = flat;
    return formsOf(inner, [...at, index, 'anyOf'], to, followed, depth + 1).map((one) =>
      mergeSchemas(one, base, () => {}),
    );
  });
}

function unite(base: SchemaObject, forms: readonly SchemaObject[], word: string): SchemaObject {
  const keys = new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})));
  const properties = [...keys].map((key) => {
    const held = forms.flatMap(({ properties: own }) => (own && hasOwn(own, key) ? [own[key] as JsonSchema] : []));
    const known = base.properties && hasOwn(base.properties, key) ? base.properties[key] : undefined;
    const any = oneOf(held);
    return [key, known === undefined || equal(known, any) ? any : { allOf: [known, any] }] as const;
  });
  const shared = forms.map((form) => new Set(form.required));
  const required = [...(shared[0] ?? [])].filter((key) => shared.every((names) => names.has(key)));
  const areClosed = forms.length > 0 && forms.every((form) => form.additionalProperties === false);
  const about = withSentences(
    base.description,
    [formsText(forms, word)].filter((text) => text !== ''),
  );
  const needed = [...new Set([...(base.required ?? []), ...required])];
  return {
    ...base,
    type: 'object',
    properties: { ...base.properties, ...Object.fromEntries(properties) },
    ...(needed.length > 0 && { required: needed }),
    ...(areClosed && base.additionalProperties === undefined && { additionalProperties: false }),
    ...(about !== undefined && { description: about }),
  };
}

/** One schema for a property that forms describe each in their own way. */
function oneOf(held: readonly JsonSchema[]): JsonSchema {
  const different = held.filter((one, index) => !held.slice(0, index).some((other) => equal(one, other)));
  const [only] = different;
  if (only !== undefined && different.length === 1) return only;
  const members = different.map((one) => listed(one));
  if (members.includes(undefined)) return { anyOf: different };
  const [first] = different.filter(isObject) as SchemaObject[];
  const { const: _, enum: __, ...about } = first ?? {};
  return { ...about, enum: [...new Set(members.flat())] };
}

const listing = new Set(['const', 'enum', 'type', 'title', 'description', 'default']);

/** The values a schema lists, where it says hardly more. */
function listed(schema: JsonSchema): readonly unknown[] | undefined {
  if (!isObject(schema) || !Object.keys(schema).every((word) => listing.has(word))) return undefined;
  if (hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** Which properties go together, for a reader. */
function formsText(forms: readonly SchemaObject[], word: string): string {
  const texts = forms.map(formText).filter((text) => text !== '');
  if (texts.length < 2) return texts.length === 1 ? `Must have ${texts[0]}.` : '';
  return `${word === 'oneOf' ? 'Exactly one' : 'At least one'} of these forms must fit: ${texts.join('; or ')}.`;
}

function formText(form: SchemaObject): string {
  const fixed = Object.entries(form.properties ?? {}).flatMap(([key, schema]) =>
    isObject(schema) && hasOwn(schema, 'const') ? [`'${key}' is ${JSON.stringify(schema.const)}`] : [],
  );
  const constant = (key: string): boolean => fixed.some((text) => text.startsWith(`'${key}' is `));
  const needed = (form.required ?? []).filter((key) => !constant(key)).map((key) => `'${key}'`);
  const optional = Object.keys(form.properties ?? {})
    .filter((key) => !constant(key) && !form.required?.includes(key))
    .map((key) => `'${key}'`);
  const others = Object.entries(form).flatMap(([word, held]) =>
    told.has(word) ? (describeWord(word, held) ?? []) : [],
  );
  return [
    ...fixed,
    ...(needed.length > 0 ? [`has ${needed.join(', ')}`] : []),
    ...(optional.length > 0 ? [`may have ${optional.join(', ')}`] : []),
    ...others,
  ].join(', ');
}

const told = new Set([
  'minProperties',
  'maxProperties',
  'not',
  'propertyNames',
  'dependentRequired',
  'patternProperties',
]);
