/** What `run` gets for a schema: the validator's output type, or what a constant JSON Schema describes. */
export type InferOutput<S> = S extends { readonly '~standard': infer Standard }
  ? StandardOutput<Standard>
  : S extends { readonly _output: infer Out }
    ? Out
    : S extends object
      ? FromJsonSchema<S>
      : unknown;

type StandardOutput<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly output: infer Out }
    ? Out
    : unknown
  : unknown;

/**
 * The type a JSON Schema written as a constant describes: objects, lists, enums, constants, unions and plain types.
 * Words beyond that (`$ref`, `allOf`, `not`) give `unknown`, so that a type never promises more than the check.
 */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : S extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromJsonSchema<Branch>
      : S extends { readonly oneOf: readonly (infer Branch)[] }
        ? FromJsonSchema<Branch>
        : S extends { readonly type: infer Type }
          ? FromType<S, Type extends readonly (infer One)[] ? One : Type>
          : unknown;

type FromType<S, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ItemsOf<S>
          : Type extends 'object'
            ? ObjectOf<S>
            : unknown;

type ItemsOf<S> = S extends { readonly prefixItems: readonly unknown[] }
  ? unknown[]
  : S extends { readonly items: readonly unknown[] }
    ? unknown[]
    : S extends { readonly items: infer Items }
      ? FromJsonSchema<Items>[]
      : unknown[];

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & RequiredOf<S>]: FromJsonSchema<Properties[Key]> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredOf<S>>]?: FromJsonSchema<Properties[Key]>;
      }
    >
  : Record<string, unknown>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Flat<T> = { [Key in keyof T]: T[Key] };
