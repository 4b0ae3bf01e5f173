import type { LoweringTarget } from '../../src/provider/compat/lowering-target.ts';
import { lowerSchema } from '../../src/provider/compat/schema/lower-schema.ts';
import { targetRules } from '../../src/provider/compat/schema/target-rules.ts';
import type { JsonSchema, SchemaObject } from '../../src/schema/types.ts';

const text = (more: SchemaObject): SchemaObject => ({ type: 'string', ...more });
const number = (more: SchemaObject): SchemaObject => ({ type: 'number', ...more });
const list = (more: SchemaObject): SchemaObject => ({ type: 'array', items: { type: 'string' }, ...more });
const object = (more: SchemaObject): SchemaObject => ({
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  ...more,
});
// Under its own name it would read as a promise to the linter.
const follows = 'then';

/** One property for each row, with the word that row is about. */
const samples: readonly (readonly [row: string, word: string, schema: JsonSchema])[] = [
  ['`type` as a list', 'type', { type: ['string', 'integer'] }],
  ['no `type`', 'type', {}],
  ['`nullable`', 'nullable', text({ nullable: true })],
  ['`enum` of strings', 'enum', text({ enum: ['a', 'b'] })],
  ['`enum` of numbers', 'enum', number({ enum: [1, 2] })],
  ['`enum` of objects', 'enum', object({ enum: [{ a: 'x' }] })],
  ['`const`', 'const', text({ const: 'a' })],
  ['`pattern`', 'pattern', text({ pattern: '^a+$' })],
  ['`pattern` with lookaround', 'pattern', text({ pattern: '^(?!a)' })],
  ['`format: date-time`', 'format', text({ format: 'date-time' })],
  ['`format: email`', 'format', text({ format: 'email' })],
  ['`format: uri`', 'format', text({ format: 'uri' })],
  ['`minLength`, `maxLength`', 'minLength', text({ minLength: 2 })],
  ['`minimum`, `maximum`', 'minimum', number({ minimum: 2 })],
  ['`exclusiveMinimum` of an integer', 'exclusiveMinimum', { type: 'integer', exclusiveMinimum: 0 }],
  ['`exclusiveMinimum` of a number', 'exclusiveMinimum', number({ exclusiveMinimum: 0 })],
  ['`multipleOf`', 'multipleOf', number({ multipleOf: 5 })],
  ['`minItems: 2`', 'minItems', list({ minItems: 2 })],
  ['`maxItems`', 'maxItems', list({ maxItems: 2 })],
  ['`uniqueItems`', 'uniqueItems', list({ uniqueItems: true })],
  ['`prefixItems`', 'prefixItems', { type: 'array', prefixItems: [{ type: 'string' }] }],
  ['`contains`', 'contains', list({ contains: { const: 'a' } })],
  ['no `items`', 'items', { type: 'array' }],
  ['no `properties`', 'properties', { type: 'object', additionalProperties: false }],
  ['an optional property', 'required', { type: 'string' }],
  ['`required` without a property', 'required', object({ required: ['a', 'b'], additionalProperties: false })],
  ['`additionalProperties: false`', 'additionalProperties', object({ additionalProperties: false })],
  [
    '`additionalProperties` with a schema',
    'additionalProperties',
    object({ additionalProperties: { type: 'string' } }),
  ],
  ['`patternProperties`', 'patternProperties', object({ patternProperties: { '^x': { type: 'string' } } })],
  ['`propertyNames`', 'propertyNames', object({ propertyNames: { minLength: 2 } })],
  ['`minProperties`', 'minProperties', object({ minProperties: 1 })],
  ['`dependentRequired`', 'dependentRequired', object({ dependentRequired: { a: ['b'] } })],
  ['`anyOf`', 'anyOf', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
  ['`oneOf`', 'oneOf', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }],
  ['`allOf`', 'allOf', { allOf: [{ type: 'string' }, { title: 'A' }] }],
  ['`not`', 'not', text({ not: { const: 'a' } })],
  ['`if`, `then`, `else`', 'if', text({ if: { const: 'a' }, [follows]: { minLength: 1 } })],
  ['`$ref`', '$ref', { $ref: '#/$defs/text' }],
  ['a recursive `$ref`', '$ref', { $ref: '#/$defs/tree' }],
  ['`default`', 'default', text({ default: 'a' })],
  ['`examples`', 'examples', text({ examples: ['a'] })],
  ['`deprecated`', 'deprecated', text({ deprecated: true })],
];

const $defs = { text: { type: 'string' }, tree: object({ properties: { a: { $ref: '#/$defs/tree' } } }) } as const;

/** What becomes of each word for each target: found by lowering a schema with it. */
export function loweringTable(): string {
  const targets = Object.keys(targetRules) as LoweringTarget[];
  const rows = samples.map(([row, word, schema]) => {
    const optional = row === 'an optional property';
    const root: JsonSchema = {
      type: 'object',
      properties: { p: schema },
      required: optional ? [] : ['p'],
      additionalProperties: false,
      $defs,
    };
    const cells = targets.map((target) => {
      const kinds = lowerSchema(root, target)
        .changes.filter((change) => change.word === word && change.path.length > 0)
        .map(({ kind }) => kind);
      return (['dropped', 'described', 'rewritten'] as const).find((kind) => kinds.includes(kind)) ?? 'accepted';
    });
    return `| ${row} | ${cells.join(' | ')} |`;
  });
  return [`| Keyword | ${targets.join(' | ')} |`, `|${' --- |'.repeat(targets.length + 1)}`, ...rows].join('\n');
}
