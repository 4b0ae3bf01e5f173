import { clip } from '../../../json/clip.ts';
import { isObject } from '../../../json/value.ts';

/** Longer values are not useful in a description. */
const longest = 600;

const json = (held: unknown): string => clip(JSON.stringify(held) ?? String(held), longest);
const names = (held: unknown): string =>
  Array.isArray(held) ? held.map((name) => `'${name}'`).join(', ') : json(held);
const values = (held: unknown): string => clip(Array.isArray(held) ? held.map(json).join(', ') : json(held), longest);
const number = (before: string, after = '') => {
  return (held: unknown): string => `${before} ${json(held)}${after}.`;
};

/** Describes a keyword's constraint. */
const sentences: Readonly<Record<string, (held: unknown) => string>> = {
  pattern: (held) => `Must match ${held}.`,
  format: (held) => `Format: ${held}.`,
  minLength: number('At least', ' characters'),
  maxLength: number('At most', ' characters'),
  minimum: number('At least'),
  maximum: number('At most'),
  exclusiveMinimum: number('More than'),
  exclusiveMaximum: number('Less than'),
  multipleOf: number('A multiple of'),
  minItems: number('At least', ' items'),
  maxItems: number('At most', ' items'),
  uniqueItems: () => 'Items must be unique.',
  contains: number('At least one item must match'),
  prefixItems: (held) => `Items in this order: ${values(held)}.`,
  minProperties: number('At least', ' keys'),
  maxProperties: number('At most', ' keys'),
  required: (held) => `Must have ${names(held)}.`,
  additionalProperties: (held) =>
    held === false ? 'No other keys.' : held === true ? 'Other keys are allowed.' : `Other keys hold ${json(held)}.`,
  patternProperties: (held) =>
    Object.entries(isObject(held) ? held : {})
      .map(([pattern, schema]) => `Keys that match ${pattern} hold ${json(schema)}.`)
      .join(' '),
  propertyNames: number('Keys must fit'),
  dependentRequired: (held) =>
    Object.entries(isObject(held) ? held : {})
      .map(([key, needed]) => `With '${key}' there must be ${names(needed)}.`)
      .join(' '),
  enum: (held) => `One of: ${values(held)}.`,
  const: number('Must be'),
  default: number('Default:'),
  examples: (held) => `For example: ${values(held)}.`,
  example: number('For example:'),
  deprecated: () => 'Deprecated.',
  readOnly: () => 'Read only.',
  writeOnly: () => 'Write only.',
  not: number('Must not fit'),
  anyOf: number('Must match one of'),
  oneOf: number('Must match exactly one of'),
  allOf: number('Must match all of'),
  if: number('If it fits'),
  else: number('otherwise it must match'),
};

/** Keywords without a constraint, which need no description. */
const silent = new Set(
  '$schema $id $anchor $dynamicAnchor $vocabulary $comment $defs definitions $ref discriminator xml externalDocs'.split(
    ' ',
  ),
);
const asksNothing: Readonly<Record<string, unknown>> = {
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  uniqueItems: false,
  additionalProperties: true,
  unevaluatedProperties: true,
  unevaluatedItems: true,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  nullable: false,
};

/** Describes a keyword in a sentence; undefined if it has no constraint. */
export function describeKeyword(word: string, held: unknown): string | undefined {
  if (silent.has(word) || held === null || held === undefined) return undefined;
  if (Object.hasOwn(asksNothing, word) && asksNothing[word] === held) return undefined;
  if (word === 'then') return `then it must match ${json(held)}.`;
  const tell = Object.hasOwn(sentences, word) ? sentences[word] : undefined;
  return tell ? tell(held) : `${word}: ${json(held)}.`;
}

/** Appends sentences to a description. */
export function withSentences(description: unknown, said: readonly string[]): string | undefined {
  const before = typeof description === 'string' ? description.trim() : '';
  // Skips sentences that the description already contains.
  const more = said.filter((sentence) => !before.includes(sentence));
  if (more.length === 0) return typeof description === 'string' ? description : undefined;
  const ended = before === '' || /[.!?:;…]$/.test(before) ? before : `${before}.`;
  return [ended, ...more].filter((part) => part !== '').join(' ');
}
