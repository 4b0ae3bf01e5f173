import type { LoweringTarget } from '../lowering-target.ts';
import { type NameRule, propertyRules } from '../safe-names.ts';

/** What a target accepts of JSON Schema. */
export interface TargetRules {
  /** Supported keywords. */
  readonly words: ReadonlySet<string>;
  /** Whether unknown keywords, and keywords that don't apply to the schema's type, are ignored instead of rejected. */
  readonly open: boolean;
  /**
   * Supported formats.
   * @default any
   */
  readonly formats?: ReadonlySet<string>;
  /** Syntax that patterns must not use. */
  readonly notInPatterns?: RegExp;
  /** Values that `enum` may contain. */
  readonly enums: 'any' | 'scalars' | 'texts and numbers' | 'texts';
  /** Whether `$ref` may point to `$defs` of the root, or definitions are inlined. */
  readonly refs: 'kept' | 'inlined';
  /** Whether `type` may be a list. */
  readonly typeLists: boolean;
  /** Whether each schema needs a `type` or a union. */
  readonly typed: boolean;
  /** Whether `anyOf` and `$ref` exclude other constraints in the same schema. */
  readonly bare: boolean;
  /** Whether objects allow declared keys only. */
  readonly closed: boolean;
  /** Whether every property is required. Optional ones become nullable. */
  readonly allRequired: boolean;
  /** Whether `required` may name declared properties only. */
  readonly declared: boolean;
  /** Whether `properties` is required on every object, or must be omitted when empty. */
  readonly properties: 'always' | 'never empty' | 'as given';
  /** Keywords that are rejected at the root. */
  readonly notAtRoot?: readonly string[];
  /** Rule for property names. */
  readonly names?: NameRule;
  /** Largest `minItems`. */
  readonly minItems?: number;
  /** Largest length or item count. */
  readonly largest?: number;
  /** Limits for nesting depth, properties and enum values. */
  readonly most?: { readonly depth: number; readonly properties: number; readonly values: number };
}

const list = (text: string): readonly string[] => text.split(' ');
const set = (...texts: string[]): ReadonlySet<string> => new Set(texts.flatMap(list));

const core = 'type enum items anyOf properties required description title';
const numbers = 'minimum maximum exclusiveMinimum exclusiveMaximum';
const lengths = 'minLength maxLength minItems maxItems';
const everything = set(
  core,
  numbers,
  lengths,
  'const oneOf allOf not if then else multipleOf pattern format prefixItems contains minContains maxContains uniqueItems',
  'unevaluatedItems patternProperties additionalProperties propertyNames minProperties maxProperties dependentRequired',
  'dependentSchemas unevaluatedProperties default examples deprecated readOnly writeOnly $schema $comment',
  'contentEncoding contentMediaType contentSchema',
);
/** All JSON Schema keywords. Others are custom. */
export const everyKeyword: ReadonlySet<string> = new Set([
  ...everything,
  ...list(
    '$ref $defs definitions $id $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor $vocabulary nullable',
  ),
  ...list('additionalItems dependencies discriminator example xml externalDocs'),
]);

const commonFormats = 'date-time time date duration email hostname ipv4 ipv6 uuid';
const lookAround = /\(\?<?[=!]|\\[1-9]|\\k</;

/** The rules of each target, from its documentation and error messages. */
export const targetRules: Readonly<Record<LoweringTarget, TargetRules>> = {
  openai: {
    words: new Set([...everything, '$ref', '$defs']),
    open: true,
    enums: 'any',
    refs: 'kept',
    typeLists: true,
    typed: false,
    bare: false,
    closed: false,
    allRequired: false,
    declared: false,
    properties: 'always',
    notAtRoot: ['enum', 'const', 'not'],
  },
  'openai-strict': {
    words: set(core, numbers, 'const multipleOf pattern format minItems maxItems additionalProperties $ref $defs'),
    open: false,
    formats: set(commonFormats),
    notInPatterns: lookAround,
    enums: 'scalars',
    refs: 'kept',
    typeLists: true,
    typed: true,
    bare: true,
    closed: true,
    allRequired: true,
    declared: true,
    properties: 'always',
    most: { depth: 10, properties: 5000, values: 1000 },
  },
  anthropic: {
    words: everything,
    open: true,
    enums: 'any',
    refs: 'inlined',
    typeLists: true,
    typed: false,
    bare: false,
    closed: false,
    allRequired: false,
    declared: false,
    properties: 'as given',
    names: propertyRules.anthropic,
  },
  'anthropic-strict': {
    words: set(core, 'const pattern format minItems additionalProperties default'),
    open: false,
    formats: set(commonFormats, 'uri'),
    notInPatterns: new RegExp(`${lookAround.source}|\\\\b`, 'i'),
    enums: 'scalars',
    refs: 'inlined',
    typeLists: true,
    typed: true,
    bare: true,
    closed: true,
    allRequired: false,
    declared: true,
    properties: 'always',
    names: propertyRules.anthropic,
    minItems: 1,
  },
  gemini: {
    words: set(core, 'format minimum maximum minItems maxItems prefixItems additionalProperties'),
    open: false,
    formats: set('date-time date time'),
    enums: 'texts and numbers',
    refs: 'inlined',
    typeLists: true,
    typed: false,
    bare: true,
    closed: false,
    allRequired: false,
    declared: true,
    properties: 'never empty',
    names: propertyRules.gemini,
  },
  'gemini-openapi': {
    words: set(core, lengths, 'nullable format pattern minimum maximum minProperties maxProperties default'),
    open: false,
    formats: set('date-time int32 int64 float double'),
    notInPatterns: lookAround,
    enums: 'texts',
    refs: 'inlined',
    typeLists: false,
    typed: true,
    bare: true,
    closed: false,
    allRequired: false,
    declared: true,
    properties: 'never empty',
    names: propertyRules.gemini,
  },
  plain: {
    words: set(core, numbers, lengths, 'prefixItems format additionalProperties default'),
    open: false,
    formats: set(commonFormats),
    enums: 'any',
    refs: 'inlined',
    typeLists: true,
    typed: false,
    bare: true,
    closed: false,
    allRequired: false,
    declared: true,
    properties: 'always',
    largest: 1000,
  },
};
