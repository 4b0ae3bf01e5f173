import type { LoweringTarget } from '../lowering-target.ts';
import { type NameRule, propertyRules } from '../name-rules.ts';

/** What one target takes of a JSON Schema. */
export interface TargetRules {
  /** The words it takes. */
  readonly words: ReadonlySet<string>;
  /** Words that nobody knows are let be, and so are words that say nothing of the type they stand beside. */
  readonly open: boolean;
  /** The names of formats it takes; any where it is not said. */
  readonly formats?: ReadonlySet<string>;
  /** What it can't read in a pattern. */
  readonly notInPatterns?: RegExp;
  /** What may be listed as allowed values. */
  readonly enums: 'any' | 'scalars' | 'texts and numbers' | 'texts';
  /** References are kept, pointing at `$defs` of the root, or what they point at stands in their place. */
  readonly refs: 'kept' | 'inlined';
  /** `type` may be a list. */
  readonly typeLists: boolean;
  /** Every schema says its type, or is a union. */
  readonly typed: boolean;
  /** Beside `anyOf` and `$ref` nothing may stand that says something of the value. */
  readonly bare: boolean;
  /** Objects have no other keys than those declared. */
  readonly closed: boolean;
  /** Every property is required: what may be left out is null instead. */
  readonly allRequired: boolean;
  /** `required` names declared properties only. */
  readonly declared: boolean;
  /** `properties` stands on every object, or on none where it would be empty. */
  readonly properties: 'always' | 'never empty' | 'as given';
  /** Words that are refused at the root. */
  readonly notAtRoot?: readonly string[];
  /** What property names must be like. */
  readonly names?: NameRule;
  /** The largest `minItems`. */
  readonly minItems?: number;
  /** The largest length or number of items that may be asked for. */
  readonly largest?: number;
  /** How many objects and lists may stand within each other, and how many properties and listed values in all. */
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
/** Every word of JSON Schema; others are somebody's own. */
export const everyKeyword: ReadonlySet<string> = new Set([
  ...everything,
  ...list(
    '$ref $defs definitions $id $anchor $dynamicAnchor $dynamicRef $recursiveRef $recursiveAnchor $vocabulary nullable',
  ),
  ...list('additionalItems dependencies discriminator example xml externalDocs'),
]);

const commonFormats = 'date-time time date duration email hostname ipv4 ipv6 uuid';
const lookAround = /\(\?<?[=!]|\\[1-9]|\\k</;

/** What each target takes, as its documentation and its error messages have it. */
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
