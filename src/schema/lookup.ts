import { hasOwn, isObject, type Path } from '../json/value.ts';
import { type Layout, layoutOf, viewFor, withForms } from './coerce/layout.ts';
import type { JsonSchema, SchemaObject } from './types.ts';

/** The properties that a schema declares itself, without those of branches and references. */
export const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> =>
  isObject(schema) && isObject(schema.properties) ? (schema.properties as Record<string, JsonSchema>) : {};

/** Maximum number of forms at a place. */
export const mostPlaces = 32;

/** The schema of the value at a path, through references and unions. */
export const schemaAt = (root: JsonSchema | undefined, path: Path): SchemaObject | undefined => {
  if (root === undefined) return undefined;
  const layout = layoutOf(root);
  let places = withForms(layout, [root], mostPlaces);
  for (const step of path)
    places = withForms(
      layout,
      places.map((place) => childSchema(layout, place, step)),
      mostPlaces,
    );
  return places[0];
};

/** The schema of a property or an item. */
export const childSchema = (layout: Layout, schema: SchemaObject, step: string | number): JsonSchema | undefined => {
  const { prefix, items, properties, additional } = viewFor(layout, schema);
  return typeof step === 'number' ? (prefix[step] ?? items) : (properties.get(step) ?? additional);
};

/** The value at a path, by own properties; undefined if there is none. */
export const valueAt = (value: unknown, path: Path): unknown => {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
};
