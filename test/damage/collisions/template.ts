import type { Dialect } from '../../../src/dialect/types.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import type { SchemaObject } from '../../../src/schema/types.ts';
import type { Random } from '../random.ts';
import { type Content, contentOf, familyOf } from './contents.ts';

export interface Template {
  readonly name: string;
  /** The schema the code under test gets. */
  readonly schema: unknown;
  /** The same as JSON Schema: what may stand where. */
  readonly json: SchemaObject;
  readonly effect: 'read' | 'write' | 'destructive';
  /** A tool's arguments for `mend()`, structured output for `mendValue()`, or a text with a call for `readCalls()`. */
  readonly way: 'call' | 'value' | 'text';
  /** For texts: the dialect that the call is written in, how the text is read, and the tool. */
  readonly text?: {
    readonly row: Dialect;
    readonly reading: 'named' | 'auto' | 'prompted';
    readonly tool: string;
  };
  /** Originals that differ in one place. */
  family(random: Random): JsonValue[];
}

/** The same arguments with each of the values at one key; `undefined` leaves the key out. */
export const vary = (
  base: Record<string, JsonValue>,
  key: string,
  values: readonly (JsonValue | undefined)[],
): JsonValue[] =>
  values.map((value) => {
    const { [key]: _, ...rest } = base;
    if (value === undefined) return rest;
    return Object.fromEntries(Object.entries({ ...base, [key]: value }));
  });

export const maybe = (random: Random, key: string, value: JsonValue): Record<string, JsonValue> =>
  random.chance(0.5) ? { [key]: value } : {};

/** Lists of text that look like each other once the list is lost. */
export const listsOf = (random: Random, ...kinds: readonly Content[]): JsonValue[] => {
  const [one = 'a', two = 'b', three = 'c'] = [
    contentOf(random, 'word'),
    contentOf(random, ...kinds),
    contentOf(random, 'word', 'id'),
  ];
  const separator = random.pick([', ', ',', '; ', ';', ' | ', ' and ', ' & ', ' • ', '、', '，', '\n', '\t']);
  return [
    [one, two],
    [`${one}${separator}${two}`],
    [two],
    [one, two, three],
    [],
    [`- ${one}`],
    familyOf(random, ...kinds),
  ];
};

/** A tool's arguments. */
export const tool = (
  name: string,
  effect: Template['effect'],
  json: SchemaObject,
  family: (random: Random) => JsonValue[],
  schema: unknown = json,
): Template => ({ name, effect, json, schema, way: 'call', family });
/** Structured output. */
export const output = (name: string, json: SchemaObject, family: (random: Random) => JsonValue[]): Template => ({
  name,
  effect: 'read',
  json,
  schema: json,
  way: 'value',
  family,
});
