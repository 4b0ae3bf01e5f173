/** Every place of a call with what its schema allows there, so that a damage knows whether it leaves one reading. */
import { isObject, type JsonValue, type Path } from '../../src/json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../../src/schema/types.ts';
import { valid } from './valid.ts';

export interface Place {
  readonly path: Path;
  readonly value: JsonValue;
  /** The forms the value may take: references followed, unions opened, lists of types split. */
  readonly forms: readonly SchemaObject[];
  /** The JSON types of these forms. */
  readonly types: ReadonlySet<TypeName>;
  /** The form the value has now. */
  readonly form: SchemaObject;
  readonly parent: 'root' | 'object' | 'map' | 'array';
  readonly required: boolean;
  /** Inside an object that is one of several forms without a constant to tell them apart. */
  readonly inUnion: boolean;
}

const everyType: readonly TypeName[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const typeOfValue = (value: unknown): TypeName =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : (typeof value as TypeName);

/** The schema that says nothing. */
export const anything: SchemaObject = {};
const follow = (schema: JsonSchema, root: SchemaObject): SchemaObject => {
  if (typeof schema === 'boolean') return anything;
  if (schema.$ref === undefined) return schema;
  const [, group, name] = schema.$ref.split('/');
  const defs = (group === 'definitions' ? root.definitions : root.$defs) ?? {};
  return follow(defs[name ?? ''] ?? anything, root);
};

const join = (schema: SchemaObject, root: SchemaObject): SchemaObject => {
  const { allOf, ...own } = schema;
  const parts = (allOf ?? []).map((part) => follow(part, root));
  return parts.length === 0
    ? schema
    : {
        ...own,
        properties: Object.assign({}, own.properties, ...parts.map((part) => part.properties)),
        required: [own, ...parts].flatMap((part) => part.required ?? []),
      };
};

const opened = new WeakMap<SchemaObject, WeakMap<SchemaObject, SchemaObject[]>>();

/** Opens references, unions and lists of types into single-typed forms; kept, so that each form is compiled once. */
export const formsOf = (schema: JsonSchema, root: SchemaObject): SchemaObject[] => {
  const followed = follow(schema, root);
  const kept = opened.get(root) ?? new WeakMap<SchemaObject, SchemaObject[]>();
  opened.set(root, kept);
  let forms = kept.get(followed);
  if (forms === undefined) {
    const one = join(followed, root);
    const union = one.anyOf ?? one.oneOf;
    if (union) forms = union.flatMap((branch) => formsOf(branch, root));
    else forms = Array.isArray(one.type) ? one.type.map((type) => ({ ...one, type })) : [one];
    kept.set(followed, forms);
  }
  return forms;
};

/** The types a single form allows. */
export const typesOf = (form: SchemaObject): TypeName[] => {
  if (typeof form.type === 'string') return [form.type];
  if ('const' in form) return [typeOfValue(form.const)];
  if (form.enum) return [...new Set(form.enum.map(typeOfValue))];
  return form.properties ? ['object'] : [...everyType];
};

const constants = (form: SchemaObject): string[] =>
  Object.entries(form.properties ?? {})
    .filter(([, part]) => typeof part === 'object' && ('const' in part || part.enum?.length === 1))
    .map(([key]) => key);

/** Lists every place of a valid value, the root first. */
export const placesOf = (value: JsonValue, root: SchemaObject): Place[] => {
  const places: Place[] = [];
  const visit = (
    now: JsonValue,
    schema: JsonSchema,
    path: Path,
    around: Pick<Place, 'parent' | 'required' | 'inUnion'>,
  ): void => {
    const forms = formsOf(schema, root);
    const form = (forms.length > 1 ? forms.find((one) => valid(now, one, root)) : undefined) ?? forms[0] ?? anything;
    places.push({ path, value: now, forms, types: new Set(forms.flatMap(typesOf)), form, ...around });
    const objects = forms.filter((one) => typesOf(one).includes('object'));
    const told = objects.length < 2 || constants(form).length > 0;
    const inUnion = around.inUnion || !told;
    if (Array.isArray(now)) {
      const tuple = form.prefixItems ?? (Array.isArray(form.items) ? form.items : undefined);
      const rest = Array.isArray(form.items) ? true : (form.items ?? true);
      now.forEach((item, at) => {
        visit(item, tuple?.[at] ?? rest, [...path, at], { parent: 'array', required: true, inUnion });
      });
    } else if (isObject(now)) {
      for (const [key, part] of Object.entries(now)) {
        const declared = Object.hasOwn(form.properties ?? {}, key) ? form.properties?.[key] : undefined;
        visit(part, declared ?? form.additionalProperties ?? true, [...path, key], {
          parent: declared === undefined ? 'map' : 'object',
          required: form.required?.includes(key) ?? false,
          inUnion,
        });
      }
    }
  };
  visit(value, root, [], { parent: 'root', required: true, inUnion: false });
  return places;
};

/** Whether the place takes exactly these types and no others (null aside, where `null` is not named). */
export const only = (place: Place, ...types: readonly TypeName[]): boolean =>
  [...place.types].every((type) => types.includes(type) || (type === 'null' && !types.includes('null'))) &&
  [...place.types].some((type) => types.includes(type));

/** A copy with the value at a path replaced, or removed where `next` is undefined. */
export const replaced = (value: JsonValue, path: Path, next: JsonValue | undefined): JsonValue => {
  const copy = structuredClone(value);
  if (path.length === 0) return next as JsonValue;
  let holder: JsonValue = copy;
  for (const key of path.slice(0, -1)) holder = (holder as Record<string | number, JsonValue>)[key] as JsonValue;
  const last = path.at(-1) as string | number;
  if (next === undefined) delete (holder as Record<string | number, JsonValue>)[last];
  else (holder as Record<string | number, JsonValue>)[last] = next;
  return copy;
};
