import type { Problem } from '../json/problem.ts';
import type { strips } from './strips.ts';

/** Names of JSON types. */
export type TypeName = (typeof typeNames)[number];

export const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

/** A schema of any draft: a boolean or an object. */
export type JsonSchema = boolean | SchemaObject;

/** The JSON Schema vocabulary (2020-12 and draft 7). Unknown keywords are kept. */
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

  /** Whether Zod strips unknown keys. Not part of the JSON. */
  [strips]?: boolean;
  [word: string]: unknown;
}

/** The result of a check: the validator's output (with defaults and transforms), or the problems. */
export type Checked<Out = unknown> =
  | { readonly ok: true; readonly value: Out }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** All failed paths, if there are more than problems reported. */
      readonly failing?: readonly Pick<Problem, 'path' | 'code'>[];
    };

/** A schema of any kind. */
export interface Schema<Out = unknown> {
  readonly kind: 'zod' | 'standard' | 'json' | 'none';
  /** The JSON Schema of the input; undefined if not available, and then nothing is coerced. */
  readonly json: JsonSchema | undefined;
  check(value: unknown): Checked<Out>;
  /** Only whether a value is valid, if that is cheaper. */
  passes?(value: unknown): boolean;
  /** True if a value is valid and has no undeclared keys. False says nothing. */
  exact?(value: unknown): boolean;
}
