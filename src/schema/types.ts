import type { Problem } from '../json/problem.ts';

/** The names of JSON types, as `type` takes them. */
export type TypeName = (typeof typeNames)[number];

export const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

/** A schema of any draft: `true`, `false` or an object of keywords. */
export type JsonSchema = boolean | SchemaObject;

/** The JSON Schema vocabulary (2020-12 and draft-07) that a tool's input may use. Unknown words are kept. */
export interface SchemaObject {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $anchor?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
  $comment?: string;

  type?: TypeName | TypeName[];
  enum?: unknown[];
  const?: unknown;

  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;

  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number | boolean;
  exclusiveMaximum?: number | boolean;
  multipleOf?: number;

  items?: JsonSchema | JsonSchema[];
  prefixItems?: JsonSchema[];
  additionalItems?: JsonSchema;
  contains?: JsonSchema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  unevaluatedItems?: JsonSchema;

  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, JsonSchema>;
  dependencies?: Record<string, JsonSchema | string[]>;
  unevaluatedProperties?: JsonSchema;

  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };

  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  deprecated?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  nullable?: boolean;

  [word: string]: unknown;
}

/** What a check says: the validator's own output (defaults, transforms applied), or every problem. */
export type Checked<Out = unknown> =
  | { readonly ok: true; readonly value: Out }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Every place that failed, where there are more than are told. */
      readonly failing?: readonly Pick<Problem, 'path' | 'code'>[];
    };

/** One face of every kind of schema. */
export interface Schema<Out = unknown> {
  readonly kind: 'zod' | 'standard' | 'json' | 'none';
  /** The JSON Schema of what goes in; absent where it can't be had, and then nothing is coerced. */
  readonly json: JsonSchema | undefined;
  check(value: unknown): Checked<Out>;
  /** The yes or no alone, where that is cheaper. */
  passes?(value: unknown): boolean;
  /** True where a value passes and surely holds no key that is not declared; false says nothing. */
  exact?(value: unknown): boolean;
}
