/** The types that schemas describe. */

/** The output type of a schema's validator, or the type of a constant JSON Schema. */
export type InferOutput<S> = S extends { readonly '~standard': infer Standard }
  ? StandardOutput<Standard>
  : S extends { readonly _output: infer Out }
    ? Out
    : S extends object
      ? FromJsonSchema<S>
      : unknown;

/** What a model sends for a schema: its input type, before defaults and transforms. */
export type InferInput<S> = S extends { readonly '~standard': infer Standard }
  ? StandardInput<Standard>
  : S extends { readonly _input: infer In }
    ? In
    : S extends object
      ? FromJsonSchema<S>
      : unknown;

/**
 * A value of type `T` that may still be incomplete: fields and items can be missing at any depth.
 *
 * @example DeepPartial<{ tags: string[]; owner: { id: number } }> // { tags?: string[]; owner?: { id?: number } }
 */
export type DeepPartial<T> = T extends string | number | boolean | bigint | null | undefined | symbol
  ? T
  : T extends readonly unknown[]
    ? PartialList<T>
    : T extends Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...args: never) => unknown)
      ? T
      : T extends object
        ? { [Key in keyof T]?: DeepPartial<T[Key]> }
        : T;

/** A list grows at its end, so only the fixed places of a tuple can be missing. */
type PartialList<T extends readonly unknown[]> = number extends T['length']
  ? { [Key in keyof T]: DeepPartial<T[Key]> }
  : Partial<{ [Key in keyof T]: DeepPartial<T[Key]> }>;

type StandardInput<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly input: infer In }
    ? In
    : unknown
  : unknown;

type StandardOutput<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly output: infer Out }
    ? Out
    : unknown
  : unknown;

/**
 * The type that a constant JSON Schema describes: objects, lists, tuples, enums, constants, unions, references within
 * the schema and plain types. Other keywords (`allOf`, `not`) give `unknown`, so that a type never promises more than
 * validation guarantees.
 */
type FromJsonSchema<S> = FromSchema<S, S, []>;

/**
 * @typeParam Root the schema that references start from
 * @typeParam Hops the references followed so far without a property or an item between them, which may never end
 */
type FromSchema<S, Root, Hops extends unknown[]> =
  | FromKeywords<S, S extends { readonly $id: string } ? S : Root, Hops>
  | (S extends { readonly nullable: true } ? null : never);

type FromKeywords<S, Root, Hops extends unknown[]> = S extends false
  ? never
  : S extends { readonly $ref: infer Ref }
    ? FromRef<Ref, Root, Hops>
    : S extends { readonly const: infer Value }
      ? Mutable<Value>
      : S extends { readonly enum: readonly (infer Member)[] }
        ? Mutable<Member>
        : S extends { readonly anyOf: readonly (infer Branch)[] }
          ? FromSchema<Branch, Root, Hops>
          : S extends { readonly oneOf: readonly (infer Branch)[] }
            ? FromSchema<Branch, Root, Hops>
            : S extends { readonly type: infer Type }
              ? FromType<S, Type extends readonly (infer One)[] ? One : Type, Root>
              : unknown;

/** References that lead from one to the next more often than this may form a circle. */
type MostHops = 8;

type FromRef<Ref, Root, Hops extends unknown[]> = Hops['length'] extends MostHops
  ? unknown
  : Ref extends '#'
    ? FromSchema<Root, Root, [...Hops, Ref]>
    : Ref extends `#/${infer Pointer}`
      ? FromTarget<At<Root, Pointer>, Root, [...Hops, Ref]>
      : unknown;

/** A schema that isn't there is refused when the tool is added. */
type FromTarget<Target, Root, Hops extends unknown[]> = [Target] extends [never]
  ? unknown
  : FromSchema<Target, Root, Hops>;

/** The part of a schema at a JSON pointer; `never` if there is none, or if its keys are escaped. */
type At<S, Pointer extends string> = Pointer extends `${infer Key}/${infer Rest}`
  ? Key extends keyof S
    ? At<S[Key], Rest>
    : never
  : Pointer extends keyof S
    ? S[Pointer]
    : never;

type FromType<S, Type, Root> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ItemsOf<S, Root>
          : Type extends 'object'
            ? ObjectOf<S, Root>
            : unknown;

type ItemsOf<S, Root> = S extends { readonly prefixItems: infer Places extends readonly unknown[] }
  ? TupleOf<S, Places, S extends { readonly items: infer Others } ? Others : true, Root>
  : S extends { readonly items: infer Places extends readonly unknown[] }
    ? TupleOf<S, Places, S extends { readonly additionalItems: infer Others } ? Others : true, Root>
    : S extends { readonly items: infer Items }
      ? FromSchema<Items, Root, []>[]
      : unknown[];

/** Only `minItems` makes the places of a tuple required, and only `maxItems` or `items: false` ends it. */
type TupleOf<S, Places extends readonly unknown[], Others, Root> = [
  ...PlacesOf<Places, Root, S extends { readonly minItems: infer Min } ? Min : 0>,
  ...(S extends { readonly maxItems: Places['length'] }
    ? []
    : [Others] extends [false]
      ? []
      : FromSchema<Others, Root, []>[]),
];

type PlacesOf<Places extends readonly unknown[], Root, Min, Done extends unknown[] = []> = Done['length'] extends Min
  ? [...Done, ...Partial<AllOf<Places, Root>>]
  : Places extends readonly [infer First, ...infer More]
    ? PlacesOf<More, Root, Min, [...Done, FromSchema<First, Root, []>]>
    : Done;

type AllOf<Places extends readonly unknown[], Root> = {
  -readonly [Key in keyof Places]: FromSchema<Places[Key], Root, []>;
};

type ObjectOf<S, Root> = S extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Key in keyof Properties & RequiredOf<S>]: FromSchema<Properties[Key], Root, []> } & {
        -readonly [Key in Exclude<keyof Properties, RequiredOf<S>>]?: FromSchema<Properties[Key], Root, []>;
      } & OtherKeys<S, Properties, Root>
    >
  : { [key: string]: IndexOf<S, Root> };

/** An index signature also covers the declared keys, so it is the union of all types. */
type OtherKeys<S, Properties, Root> = S extends { readonly additionalProperties: object }
  ? { [key: string]: IndexOf<S, Root> | FromSchema<Properties[keyof Properties], Root, []> }
  : unknown;

/** The type of undeclared keys. Keys that match a pattern have a type of their own. */
type IndexOf<S, Root> = S extends { readonly patternProperties: infer Patterns }
  ? S extends { readonly additionalProperties: infer Others }
    ? FromSchema<Others | Patterns[keyof Patterns], Root, []>
    : unknown
  : S extends { readonly additionalProperties: infer Others }
    ? FromSchema<Others, Root, []>
    : unknown;

type RequiredOf<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Flat<T> = { [Key in keyof T]: T[Key] };

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T;
