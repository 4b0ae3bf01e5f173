import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import { closestKey } from '../../schema/closest-key.ts';
import { type JsonSchema, type SchemaObject, typeNames } from '../../schema/types.ts';
import { compilePattern } from '../../schema/validate/patterns.ts';
import { Refs } from '../../schema/validate/refs.ts';
import { type Fault, fault } from '../config-error.ts';
import { inPlace, type Place } from './schema-walk.ts';

const most = 100;
const types: ReadonlySet<string> = new Set(typeNames);
const insteadOfType = ['enum', 'const', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not'];
const aliases: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  list: 'array',
  tuple: 'array',
  none: 'null',
};

/** Checks the shape of a tool's parameters at any depth. */
export function parameterFaults(places: readonly Place[], root: JsonSchema): Fault[] {
  const refs = new Refs(root);
  const faults = rootFaults(root, refs);
  const declared = declaredNames(refs);
  for (const place of places) {
    if (faults.length >= most) break;
    const { schema, field } = place;
    // `rootFaults` checks the type of the root.
    if (place !== places[0]) faults.push(...typeFaults(schema, place));
    if (!isObject(schema)) continue;
    faults.push(...wordFaults(schema, field), ...patternFaults(schema, field));
    faults.push(...requiredFaults(schema, place, declared));
  }
  return faults.slice(0, most);
}

function rootFaults(root: JsonSchema, refs: Refs): Fault[] {
  let schema: JsonSchema | undefined = root;
  for (
    let step = 0;
    step < 10 && isObject(schema) && typeof schema.$ref === 'string' && !hasOwn(schema, 'type');
    step++
  ) {
    schema = refs.target(schema.$ref, schema as SchemaObject);
  }
  const type = isObject(schema) ? schema.type : undefined;
  if (type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object')) return [];
  const message =
    type === undefined ? 'the parameters have no type' : `the parameters have type ${JSON.stringify(type)}`;
  return [fault('parameters.type', message, "Make the root an object: type: 'object' with properties")];
}

export function typeFaults(schema: unknown, { field, typed }: Place): Fault[] {
  if (schema === false) return [];
  const where = `${field}.type`;
  if (schema !== true && !isObject(schema)) {
    return [fault(where, `'${field}' is not a schema`, "Describe its type, like { type: 'string' }")];
  }
  if (schema === true || !hasOwn(schema, 'type')) {
    if (!typed || insteadOfType.some((word) => hasOwn(Object(schema), word))) return [];
    const fix = 'Add a type, or one of enum, const, $ref, anyOf, oneOf, allOf';
    return [fault(where, `'${field}' has no type`, fix)];
  }
  const given: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const wrong = given.length === 0 ? [schema.type] : given.filter((type) => !types.has(type as string));
  return wrong.slice(0, 1).map((type) => {
    const like = typeof type === 'string' ? (own(aliases, type.toLowerCase()) ?? closestKey(type, types)) : undefined;
    const fix = like ? `Write '${like}'` : `Use one of: ${[...types].join(', ')}`;
    return fault(where, `'${field}' has type ${JSON.stringify(type)}, which is not a JSON type`, fix);
  });
}

function requiredFaults(schema: SchemaObject, { field, whole }: Place, declaredIn: DeclaredNames): Fault[] {
  const required: unknown = schema.required;
  if (required === undefined) return [];
  if (!Array.isArray(required)) {
    const fix = 'List the required names on the object that holds them: required: [...]';
    return [fault(`${field}.required`, `'required' is not a list`, fix)];
  }
  const { properties } = schema;
  const missing = required.filter((name) => !isObject(properties) || !hasOwn(properties, name));
  const declared = missing.length > 0 ? declaredIn(whole ?? schema) : 'any';
  if (declared === 'any') return [];
  return missing
    .filter((name) => !declared.has(name))
    .slice(0, most)
    .map((name) => {
      const like = typeof name === 'string' ? closestKey(name, declared) : undefined;
      const fix = like ? `Write '${like}'` : 'Add it to properties, or remove it from required';
      const message = `${JSON.stringify(name)} is required but not among the properties`;
      return fault(`${field}.required`, message, fix);
    });
}

const isList = (held: unknown): boolean => Array.isArray(held) && held.length > 0;
const shapes: readonly (readonly [string, (held: unknown) => boolean, string])[] = [
  ['properties', isObject, 'an object of schemas by name'],
  ['enum', isList, 'a list of at least one value'],
  ...['anyOf', 'oneOf', 'allOf'].map((word) => [word, isList, 'a list of at least one schema'] as const),
];

const wordFaults = (schema: SchemaObject, field: string): Fault[] =>
  shapes
    .filter(([word, fits]) => hasOwn(schema, word) && !fits(schema[word]))
    .map(([word, , wanted]) => fault(`${field}.${word}`, `'${word}' is not ${wanted}`, `Make it ${wanted}`));

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  hasOwn(table, key) ? table[key] : undefined;

const fix = 'Write it without lookahead, lookbehind and backreferences, or check that part in execute';

/** Maximum number of name patterns, because each key is tested with all of them. */
const mostPatterns = 100;

/** Finds patterns that RE2 doesn't support. Such a pattern is never run with another engine, because it could hang. */
function patternFaults(schema: SchemaObject, field: string): Fault[] {
  const { pattern, patternProperties } = schema;
  const patterns: [string, unknown][] = isObject(patternProperties)
    ? Object.keys(patternProperties).map((key) => [`${field}.patternProperties`, key])
    : [];
  if (patterns.length > mostPatterns) {
    const message = `${patterns.length} patternProperties, all tested for each key; at most ${mostPatterns} are allowed`;
    return [fault(`${field}.patternProperties`, message, 'Join them, or declare the keys as properties')];
  }
  if (pattern !== undefined) patterns.unshift([`${field}.pattern`, pattern]);
  return patterns
    .filter(([, source]) => typeof source !== 'string' || compilePattern(source) === undefined)
    .map(([where, source]) => fault(where, `the pattern ${shown(source)} can't be run safely`, fix));
}

const shown = (source: unknown): string => String(JSON.stringify(source)).slice(0, 80);

/** The property names that a schema declares; `any` if a pattern may declare them. */
export type DeclaredNames = (schema: SchemaObject) => (ReadonlySet<unknown> & Iterable<string>) | 'any';

/** Collects declared names, including those of branches and references for the same value, each once. */
export function declaredNames(refs: Refs): DeclaredNames {
  const known = new Map<SchemaObject, Set<string> | 'any'>();
  return (schema) => cached(known, schema, () => collect(schema, refs));
}

function collect(schema: SchemaObject, refs: Refs): Set<string> | 'any' {
  const names = new Set<string>();
  const open = new Set<SchemaObject>([schema]);
  for (const one of open) {
    if (isObject(one.patternProperties)) return 'any';
    if (isObject(one.properties)) for (const name of Object.keys(one.properties)) names.add(name);
    for (const next of inPlace(one, refs)) open.add(next);
  }
  return names;
}
