/** Schemas of tools that broke people's requests, each in its smallest form: who met it, and what was refused. */
export interface BrokenSchema {
  /** What is odd about it, as a sentence's end. */
  readonly about: string;
  readonly name?: string;
  readonly schema: unknown;
}

// Under its own name it would read as a promise to the linter.
const follows = 'then';
const text = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

export const brokenSchemas: readonly BrokenSchema[] = [
  {
    about: 'C11 required names that are no properties',
    schema: object({ query: text }, { required: ['query', 'maxResults'] }),
  },
  {
    about: 'C14 a pattern that only the tool itself checks',
    schema: object(
      { id: { type: 'string', pattern: '^(?!tmp-)[a-z]+-\\d+$', description: 'The id' } },
      { required: ['id'] },
    ),
  },
  {
    about: 'one of two properties needed, said with anyOf at the root',
    schema: object({ route: text, file: text }, { anyOf: [{ required: ['route'] }, { required: ['file'] }] }),
  },
  {
    about: 'exactly one of three, said with oneOf at the root',
    schema: object(
      { yaml: text, files: { type: 'array', items: text }, dir: text },
      { oneOf: [{ required: ['yaml'] }, { required: ['files'] }, { required: ['dir'] }] },
    ),
  },
  {
    about: "zod's discriminated union as the root",
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      oneOf: [
        object(
          { type: { const: 's3', type: 'string' }, bucket: text },
          { required: ['type', 'bucket'], additionalProperties: false },
        ),
        object(
          { type: { const: 'web', type: 'string' }, baseUrl: { type: 'string', format: 'uri' } },
          { required: ['type', 'baseUrl'], additionalProperties: false },
        ),
      ],
    },
  },
  {
    about: 'allOf at the root, as OpenAPI inheritance has it',
    schema: {
      allOf: [
        { $ref: '#/definitions/Base' },
        object({ amount: { type: 'number', minimum: 0 } }, { required: ['amount'] }),
      ],
      definitions: { Base: object({ account: text }, { required: ['account'] }) },
    },
  },
  { about: 'a root without a type', schema: { properties: { command: text } } },
  { about: 'no parameters at all, and no properties', schema: { type: 'object' } },
  { about: 'no parameters, with empty properties', schema: object({}, { required: [] }) },
  { about: 'properties as an empty list, from PHP', schema: { type: 'object', properties: [], required: [] } },
  {
    about: 'null for words that were not set',
    schema: object({ a: { type: 'string', enum: null, description: null } }, { required: null }),
  },
  { about: 'an array without items', schema: object({ values: { type: 'array', items: { type: 'array' } } }) },
  {
    about: 'a tuple, as draft-07 writes it',
    schema: object({
      range: { type: 'array', items: [{ type: 'integer' }, { type: 'integer' }], minItems: 2, additionalItems: false },
    }),
  },
  {
    about: 'a tuple, as zod 4 writes it',
    schema: object(
      { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false } },
      { required: ['point'] },
    ),
  },
  {
    about: "pydantic's Optional",
    schema: object({ domain: { anyOf: [text, { type: 'null' }], default: null, title: 'Domain' } }),
  },
  {
    about: "pydantic's Optional of two types",
    schema: object({ bar: { anyOf: [text, { type: 'integer' }, { type: 'null' }] } }, { required: ['bar'] }),
  },
  {
    about: 'several types in a list',
    schema: object({ value: { type: ['string', 'number', 'boolean'], description: 'Any scalar' } }),
  },
  {
    about: "langchain's callbacks: a union with a schema that says nothing",
    schema: object({ callbacks: { anyOf: [{ items: {}, type: 'array' }, {}, { type: 'null' }] } }),
  },
  {
    about: 'an exclusive bound, as zod writes positive()',
    schema: object({ max: { type: 'integer', exclusiveMinimum: 0 } }),
  },
  {
    about: 'an exclusive bound of draft-04',
    schema: object({ ratio: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1 } }),
  },
  {
    about: 'const, as zod writes a literal',
    schema: object({ mode: { const: 'fast' }, level: { const: 3 } }, { required: ['mode'] }),
  },
  { about: 'an enum of numbers', schema: object({ minutes: { type: 'integer', enum: [60, 1440, 4320, 10080] } }) },
  { about: 'an enum without a type', schema: object({ unit: { enum: ['km', 'miles'] } }) },
  {
    about: 'an enum with null in it',
    schema: object({ order: { type: ['string', 'null'], enum: ['asc', 'desc', null] } }),
  },
  { about: 'an enum with an empty text', schema: object({ suffix: { type: 'string', enum: ['', 'px', 'em'] } }) },
  { about: 'an empty enum', schema: object({ branch: { type: 'string', enum: [] } }) },
  {
    about: 'a null branch that copied the enum',
    schema: object({
      a: {
        anyOf: [
          { type: 'string', enum: ['A', 'B'] },
          { type: 'null', enum: ['A', 'B'] },
        ],
      },
    }),
  },
  {
    about: 'an enum on the list and not on its items',
    schema: object({ days: { type: 'array', items: { type: 'integer' }, enum: [0, 1, 2] } }),
  },
  {
    about: 'format uri, as an MCP server for web pages has it',
    schema: object({ url: { type: 'string', format: 'uri' } }, { required: ['url'] }),
  },
  {
    about: 'a format of OpenAPI on a number',
    schema: object({ id: { type: 'integer', format: 'int64' }, at: { type: 'string', format: 'date-time' } }),
  },
  {
    about: 'propertyNames, as zod writes a record',
    schema: object({ headers: { type: 'object', propertyNames: text, additionalProperties: text } }),
  },
  {
    about: 'patternProperties for free keys',
    schema: object({ env: { type: 'object', patternProperties: { '^[A-Z_]+$': text } } }),
  },
  {
    about: 'additionalProperties deep inside',
    schema: object(
      { files: { type: 'array', items: object({ path: text }, { additionalProperties: false }) } },
      { additionalProperties: false },
    ),
  },
  { about: 'a free-form object', schema: object({ metadata: { type: 'object', additionalProperties: true } }) },
  { about: 'anything at all', schema: object({ value: {}, other: true }) },
  {
    about: 'recursion through an array',
    schema: object(
      { filter: { $ref: '#/$defs/Filter', description: 'The root of the filter' } },
      {
        $defs: {
          Filter: object({
            field: text,
            and: { type: 'array', items: { $ref: '#/$defs/Filter', description: 'A part' } },
          }),
        },
      },
    ),
  },
  {
    about: 'recursion to the root',
    schema: object({ name: text, children: { type: 'array', items: { $ref: '#' } } }, { required: ['name'] }),
  },
  {
    about: 'two definitions that hold each other',
    schema: object(
      { left: { $ref: '#/definitions/A' } },
      { definitions: { A: object({ b: { $ref: '#/definitions/B' } }), B: object({ a: { $ref: '#/definitions/A' } }) } },
    ),
  },
  { about: 'a reference that leads out', schema: object({ doc: { $ref: 'https://example.com/schemas/doc.json' } }) },
  {
    about: 'a reference to nothing, after a client took $defs away',
    schema: object({ status: { $ref: '#/$defs/Status' } }),
  },
  {
    about: 'an enum behind a reference with a default beside it',
    schema: object(
      { status: { $ref: '#/$defs/Status', default: 'open' } },
      { $defs: { Status: { type: 'string', enum: ['open', 'closed'], title: 'Status' } } },
    ),
  },
  {
    about: 'names of REST query parameters',
    schema: object(
      { 'filter[bundleId]': text, $top: { type: 'integer' }, '@type': text, 'Account Number': text },
      { required: ['$top'] },
    ),
  },
  { about: 'a property name of 80 characters', schema: object({ [`a${'b'.repeat(79)}`]: text }) },
  {
    about: 'a tool name of 80 characters',
    name: `mcp__a_server_with_a_long_name__${'do_something_'.repeat(4)}`,
    schema: object({ a: text }),
  },
  { about: 'a tool name with dots and spaces', name: 'files.read all', schema: object({ a: text }) },
  { about: 'a tool name in Chinese', name: '天气查询', schema: object({ city: text }) },
  {
    about: 'if, then and else',
    schema: object(
      { kind: text, size: { type: 'number' } },
      { if: { properties: { kind: { const: 'box' } } }, [follows]: { required: ['size'] } },
    ),
  },
  { about: 'dependencies of draft-07', schema: object({ a: text, b: text }, { dependencies: { a: ['b'] } }) },
  { about: 'not, to forbid a key', schema: object({ a: text }, { not: { required: ['b'] } }) },
  {
    about: 'uniqueItems and lengths',
    schema: object({
      tags: {
        type: 'array',
        items: { type: 'string', minLength: 2, maxLength: 30 },
        uniqueItems: true,
        minItems: 2,
        maxItems: 5,
      },
    }),
  },
  { about: 'a maxLength that no grammar holds', schema: object({ note: { type: 'string', maxLength: 50_000 } }) },
  { about: 'multipleOf', schema: object({ price: { type: 'number', multipleOf: 0.01 } }) },
  {
    about: 'nullable, as OpenAPI 3.0 writes it',
    schema: object(
      { a: { type: 'string', nullable: true }, b: { nullable: true, allOf: [{ $ref: '#/$defs/B' }] } },
      { $defs: { B: object({ c: text }) } },
    ),
  },
  {
    about: 'types that are none',
    schema: object({ a: { type: 'str' }, b: { type: 'dict' }, c: { type: ['string', 'file'] } }),
  },
  { about: 'required as a flag on the property', schema: object({ a: { type: 'string', required: true } }) },
  {
    about: "a vendor's own words",
    schema: object({ a: { type: 'string', 'x-order': 1, markdownDescription: '**A**', example: 'x' } }),
  },
  { about: 'a property that must not be there', schema: object({ a: text, old: false }) },
  {
    about: 'allOf inside, of a reference and a description',
    schema: object(
      { a: { allOf: [{ $ref: '#/$defs/A' }], description: 'An A' } },
      { $defs: { A: object({ x: text }, { required: ['x'] }) } },
    ),
  },
  {
    about: 'a union beside properties',
    schema: object({
      target: {
        type: 'object',
        properties: { id: text },
        anyOf: [{ properties: { x: { type: 'number' } }, required: ['x'] }, { required: ['id'] }],
      },
    }),
  },
  {
    about: 'nested twelve deep',
    schema: Array.from({ length: 12 }).reduce<object>((inner) => object({ inner }), object({ end: text })),
  },
  {
    about: 'a key named __proto__',
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","pattern":"^a"},"constructor":{"const":1}}}',
    ),
  },
];
