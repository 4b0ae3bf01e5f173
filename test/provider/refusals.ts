/**
 * What each provider refuses in a schema of tool arguments, stated apart from the code that lowers: from documentation and
 * error messages, one rule at a time.
 */
import { Refs } from '../../src/schema/validate/refs.ts';

type Node = Record<string, unknown>;
type Rule = (
  node: Node,
  place: { readonly path: string; readonly depth: number; readonly root: Node },
) => string | false;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const has = (node: Node, word: string): boolean => Object.hasOwn(node, word);
const types = (node: Node): unknown[] => [node.type].flat().filter((type) => type !== undefined);
const isOf = (value: unknown, type: unknown): boolean =>
  type === 'null'
    ? value === null
    : type === 'array'
      ? Array.isArray(value)
      : type === 'object'
        ? isNode(value)
        : type === 'integer'
          ? Number.isInteger(value)
          : typeof value === type;

const known = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const numbers = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

const wellFormed: Rule = (node, { root }) => {
  if (types(node).some((type) => !known.includes(String(type)))) return `type ${node.type}`;
  for (const word of numbers) if (has(node, word) && typeof node[word] !== 'number') return `${word} is no number`;
  for (const word of ['enum', 'anyOf', 'oneOf', 'allOf'])
    if (has(node, word) && !(Array.isArray(node[word]) && node[word].length > 0)) return `${word} is no list`;
  if (has(node, 'required') && !(Array.isArray(node.required) && node.required.every((one) => typeof one === 'string')))
    return 'required is no list of names';
  if (has(node, 'properties') && !isNode(node.properties)) return 'properties is no object';
  if (has(node, 'items') && Array.isArray(node.items)) return 'items is a list';
  if (has(node, 'description') && typeof node.description !== 'string') return 'description is no text';
  if (typeof node.$ref === 'string' && new Refs(root as never).target(node.$ref, node as never) === undefined)
    return 'a reference to nothing';
  return false;
};
const rootIsObject: Rule = (node, { path }) => path === '' && node.type !== 'object' && 'the root is no object';
const noRoot =
  (...words: string[]): Rule =>
  (node, { path }) =>
    path === '' && words.some((word) => has(node, word)) && 'a union at the root';
const only = (text: string): Rule => {
  const words = text.split(' ');
  return (node) =>
    Object.keys(node)
      .filter((word) => !words.includes(word))
      .map((word) => `the word ${word}`)[0] ?? false;
};
const saysItems: Rule = (node) =>
  types(node).includes('array') && !has(node, 'items') && !has(node, 'prefixItems') && 'a list without items';
const saysProperties: Rule = (node) =>
  types(node).includes('object') && !has(node, 'properties') && 'an object without properties';
const saysType: Rule = (node) => !has(node, 'type') && !has(node, 'anyOf') && !has(node, '$ref') && 'no type';
const noRefs: Rule = (node) => has(node, '$ref') && 'a reference';
const formats =
  (text: string): Rule =>
  (node) =>
    has(node, 'format') && !text.split(' ').includes(String(node.format)) && `the format ${node.format}`;
const noLook: Rule = (node) => /\(\?<?[=!]|\\[1-9]/.test(String(node.pattern ?? '')) && 'a pattern that looks around';
const closed: Rule = (node) =>
  types(node).includes('object') && node.additionalProperties !== false && 'an open object';
const allRequired: Rule = (node) =>
  isNode(node.properties) &&
  JSON.stringify(Object.keys(node.properties).sort()) !==
    JSON.stringify([...((node.required as string[]) ?? [])].sort()) &&
  'properties that are not required';
const declared: Rule = (node) => {
  const names = isNode(node.properties) ? Object.keys(node.properties) : [];
  return (
    Array.isArray(node.required) && node.required.some((name) => !names.includes(name)) && 'required names no property'
  );
};
const enums =
  (allowed: (value: unknown) => boolean): Rule =>
  (node) =>
    Array.isArray(node.enum) && !node.enum.every(allowed) && 'a listed value';
const enumFitsType: Rule = (node) =>
  Array.isArray(node.enum) &&
  types(node).length > 0 &&
  node.enum.some((value) => !types(node).some((type) => isOf(value, type))) &&
  'a listed value that its type forbids';
const alone =
  (word: string, ...beside: string[]): Rule =>
  (node) =>
    has(node, word) && Object.keys(node).some((one) => one !== word && !beside.includes(one)) && `words beside ${word}`;
const names =
  (pattern: RegExp): Rule =>
  (node) =>
    isNode(node.properties) && Object.keys(node.properties).some((name) => !pattern.test(name)) && 'a property name';
const deep =
  (most: number): Rule =>
  (_, { depth }) =>
    depth > most && 'too deep';
const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const common = 'type enum items anyOf properties required description title';
const strictFormats = 'date-time time date duration email hostname ipv4 ipv6 uuid';

const rules: Readonly<Record<string, readonly Rule[]>> = {
  openai: [wellFormed, rootIsObject, noRoot('anyOf', 'oneOf', 'allOf', 'enum', 'not'), saysItems, saysProperties],
  'openai-strict': [
    wellFormed,
    rootIsObject,
    noRoot('anyOf'),
    only(
      `${common} const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties $ref $defs`,
    ),
    saysItems,
    saysType,
    closed,
    allRequired,
    enums(isScalar),
    enumFitsType,
    alone('$ref'),
    formats(strictFormats),
    noLook,
    deep(10),
  ],
  anthropic: [wellFormed, rootIsObject, noRoot('anyOf', 'oneOf', 'allOf'), noRefs, names(/^[a-zA-Z0-9_.-]{1,64}$/)],
  'anthropic-strict': [
    wellFormed,
    rootIsObject,
    noRoot('anyOf', 'oneOf', 'allOf'),
    only(`${common} const pattern format minItems additionalProperties default`),
    saysType,
    closed,
    declared,
    enums(isScalar),
    noRefs,
    formats(`${strictFormats} uri`),
    noLook,
    (node) => Number(node.minItems ?? 0) > 1 && 'minItems over 1',
    names(/^[a-zA-Z0-9_.-]{1,64}$/),
  ],
  gemini: [
    wellFormed,
    rootIsObject,
    noRoot('anyOf', 'oneOf'),
    only(`${common} format minimum maximum minItems maxItems prefixItems additionalProperties`),
    declared,
    enums((value) => (typeof value === 'string' && value !== '') || typeof value === 'number'),
    noRefs,
    names(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
  ],
  'gemini-openapi': [
    wellFormed,
    rootIsObject,
    noRoot('anyOf'),
    only(
      `${common} nullable format pattern minimum maximum minItems maxItems minLength maxLength minProperties maxProperties default`,
    ),
    declared,
    (node) => Array.isArray(node.type) && 'a list of types',
    (node) => has(node, 'enum') && node.type !== 'string' && 'an enum of no texts',
    enums((value) => typeof value === 'string' && value !== ''),
    saysItems,
    saysType,
    alone('anyOf', 'description', 'title', 'default'),
    (node) => isNode(node.properties) && Object.keys(node.properties).length === 0 && 'empty properties',
    formats('date-time int32 int64 float double'),
    noLook,
    names(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
  ],
  plain: [
    wellFormed,
    rootIsObject,
    noRoot('anyOf', 'oneOf', 'allOf'),
    only(
      `${common} prefixItems format minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems additionalProperties default`,
    ),
    saysItems,
    noRefs,
    formats(strictFormats),
    (node) =>
      ['minLength', 'maxLength', 'minItems', 'maxItems'].some((word) => Number(node[word] ?? 0) > 1000) &&
      'a number too large for a grammar',
  ],
};

/** Everything a provider would refuse in a schema; the same rules that a request would fail on. */
export function refusals(schema: unknown, target: string): string[] {
  if (!isNode(schema)) return ['no schema'];
  const found: string[] = [];
  const walk = (node: unknown, path: string, depth: number): void => {
    if (!isNode(node)) return;
    for (const rule of rules[target] ?? []) {
      const fault = rule(node, { path, depth, root: schema });
      if (fault) found.push(`${path || 'root'}: ${fault}`);
    }
    if (isNode(node.properties))
      for (const [key, sub] of Object.entries(node.properties))
        walk(sub, `${path}.${key}`, depth + (isNode(sub) && (sub.properties || sub.items) ? 1 : 0));
    for (const word of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
      if (Array.isArray(node[word]))
        for (const [i, sub] of (node[word] as unknown[]).entries()) walk(sub, `${path}.${word}.${i}`, depth);
    for (const word of ['items', 'additionalProperties']) walk(node[word], `${path}.${word}`, depth + 1);
    if (isNode(node.$defs)) for (const [key, sub] of Object.entries(node.$defs)) walk(sub, `${path}.$defs.${key}`, 1);
  };
  walk(schema, '', 1);
  return found;
}
