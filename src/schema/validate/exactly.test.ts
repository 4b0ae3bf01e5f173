import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { hasForeignKey } from '../coerce/undeclared-keys.ts';
import { schemaOf } from '../schema.ts';
import type { JsonSchema } from '../types.ts';
import { exactly } from './compile.ts';

const node: JsonSchema = { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#/$defs/node' } } };

describe('exactly', () => {
  it.each<[string, JsonSchema, unknown, boolean]>([
    ['a declared key', { type: 'object', properties: { a: { type: 'string' } } }, { a: 'x' }, true],
    ['a key nobody declared', { type: 'object', properties: { a: { type: 'string' } } }, { a: 'x', b: 1 }, false],
    ['a wrong type', { type: 'object', properties: { a: { type: 'string' } } }, { a: 1 }, false],
    ['a reference', { ...node, $defs: { node } }, { n: 1, next: { n: 2, next: { n: 3 } } }, true],
    ['a key nobody declared behind a reference', { ...node, $defs: { node } }, { n: 1, next: { n: 2, m: 3 } }, false],
    ['a form', { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'null' }] }, { a: 1 }, true],
    ['a key of no form', { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'null' }] }, { b: 1 }, false],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, { x: 1, y: 2 }, true],
    ['words it does not know', { oneOf: [{ type: 'string' }] }, 'x', false],
    ['a required name that every object inherits', { type: 'object', required: ['toString'] }, {}, false],
    ['a word wrongly written', { type: 'object', required: 5, properties: 7 } as unknown as JsonSchema, {}, false],
  ])('%s', (_, schema, value, expected) => expect(exactly(schema)(value)).toBe(expected));

  it('F9 passes nothing that the schema itself refuses or that has something to tidy', () => {
    const leaf = fc.constantFrom<JsonSchema>({ type: 'string' }, { type: 'integer' }, {}, { type: ['number', 'null'] });
    const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record(
          {
            type: fc.constant('object' as const),
            properties: fc.dictionary(fc.constantFrom('a', 'b', 'a_b'), tie('schema')),
            additionalProperties: tie('schema'),
          },
          { requiredKeys: ['type'] },
        ),
      ),
    }));
    const value = fc.object({
      key: fc.constantFrom('a', 'b', 'aB', 'c'),
      maxDepth: 3,
      values: [fc.integer(), fc.string()],
    });
    fc.assert(
      fc.property(schema, value, (one, given) => {
        if (!exactly(one)(given)) return;
        expect(schemaOf(one).check(given).ok).toBe(true);
        expect(hasForeignKey(given, one)).toBe(false);
      }),
      { numRuns: runs(400) },
    );
  });
});
