/** Keys in other letters, keys too many or missing, keys given twice. */
import { isObject, type JsonObject, type JsonValue, typeName } from '../../src/json/value.ts';
import type { JsonSchema, SchemaObject } from '../../src/schema/types.ts';
import type { Sample } from './definition.ts';
import type { Kind } from './kind.ts';
import { type Place, placesOf, replaced } from './places.ts';
import type { Random } from './random.ts';
import { anyLayout, pickToken, rewritten, tokensOf } from './tokens.ts';
import { asSent } from './with-value.ts';

const fold = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');
const camel = (key: string): string => key.replace(/[_-](\w)/g, (_, char: string) => char.toUpperCase());
const snake = (key: string): string => key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

const spellings = (key: string): string[] =>
  [
    camel(key),
    snake(key),
    key.toUpperCase(),
    key.replaceAll('_', '-'),
    key.replaceAll('_', ''),
    key[0]?.toUpperCase() + key.slice(1),
    `_${key}`,
  ].filter((one) => one !== key && fold(one) === fold(key));

const objects = ({ input, tool }: Sample, wanted: (place: Place, form: SchemaObject) => boolean): Place[] =>
  placesOf(input, tool.inputSchema).filter(
    (place) => isObject(place.value) && !place.inUnion && place.form.properties && wanted(place, place.form),
  );
const isClosed = (form: SchemaObject): boolean => form.additionalProperties === false;
const keysOf = (place: Place): string[] => Object.keys(place.value as JsonObject);
/** A place that is one of several object forms: what happens there is a matter of the union rules. */
const single = (place: Place): boolean => place.forms.filter((form) => form.properties).length === 1;

const renamed = (value: JsonObject, from: string, to: string): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key === from ? to : key, part]));

const editing =
  (
    wanted: (place: Place, form: SchemaObject) => boolean,
    edit: (place: Place, random: Random) => JsonObject | undefined,
  ): Kind['apply'] =>
  (sample, random) => {
    const places = objects(sample, wanted);
    if (places.length === 0) return undefined;
    const place = random.pick(places);
    const next = edit(place, random);
    return next === undefined ? undefined : { arguments: asSent(replaced(sample.input, place.path, next), random) };
  };

const respelt = (place: Place, random: Random): JsonObject | undefined => {
  const declared = place.form.properties ?? {};
  const keys = keysOf(place).filter((key) => Object.hasOwn(declared, key) && spellings(key).length > 0);
  if (keys.length === 0) return undefined;
  const key = random.pick(keys);
  return renamed(place.value as JsonObject, key, random.pick(spellings(key)));
};

/** Whether the value of an unknown key may be that of the only field that an inner object lacks, so that it is refused. */
function mayBeOnlyMissing({ path, form, value: object }: Place, value: JsonValue): boolean {
  const unused = Object.entries(form.properties ?? {}).filter(([key]) => !Object.hasOwn(object as JsonObject, key));
  const type = typeName(value);
  const takes = (schema: JsonSchema): boolean =>
    !isObject(schema) ||
    schema.type === undefined ||
    [schema.type].flat().some((one) => one === type || (type === 'number' && one === 'integer'));
  return path.length > 0 && unused.filter(([, schema]) => takes(schema)).length === 1;
}

const unrelated = ['qqqqqqqqqqqq', 'zzzzzzzzzzzzzz'];
const otherValue = (value: JsonValue): JsonValue =>
  typeof value === 'string'
    ? `${value}!`
    : typeof value === 'number'
      ? value === 1
        ? 2
        : 1
      : typeof value === 'boolean'
        ? !value
        : null;

export const keyKinds: readonly Kind[] = [
  { name: 'a key in other letters', expect: 'inferred', apply: editing((_, form) => isClosed(form), respelt) },
  {
    name: 'a key in other letters in an open object',
    expect: 'inferred',
    passesStrictly: true,
    apply: editing((place, form) => !isClosed(form) && single(place), respelt),
  },
  {
    name: 'all keys in other letters',
    expect: 'inferred',
    apply: ({ input, tool }, random) => {
      const form = placesOf(input, tool.inputSchema)[0]?.form;
      if (form === undefined || !isClosed(form)) return undefined;
      const style = random.pick([camel, snake, (key: string) => key.toUpperCase()]);
      const next = Object.fromEntries(Object.entries(input).map(([key, part]) => [style(key), part]));
      return JSON.stringify(next) === JSON.stringify(input) ? undefined : { arguments: asSent(next, random) };
    },
  },
  {
    // No form of a union passes by dropping a key, so only where there is one form.
    name: 'an unknown key in a closed object',
    expect: 'inferred',
    apply: editing(
      (place, form) => isClosed(form) && single(place) && place.forms.length === 1,
      (place, random) => {
        const value = random.pick<JsonValue>([1, 'x', null, [1], { a: 1 }]);
        const key = random.pick(unrelated);
        return mayBeOnlyMissing(place, value) ? undefined : { ...(place.value as JsonObject), [key]: value };
      },
    ),
  },
  {
    name: 'an unknown key in an open object stays',
    expect: 'ok',
    apply: (sample, random) => {
      const places = objects(sample, (place, form) => form.additionalProperties === undefined && single(place));
      if (places.length === 0) return undefined;
      const place = random.pick(places);
      const expected = replaced(sample.input, place.path, {
        ...(place.value as JsonObject),
        [random.pick(unrelated)]: 5,
      });
      return { arguments: asSent(expected, random), expected };
    },
  },
  {
    name: 'an unknown key that resembles an unused one',
    expect: 'refused',
    apply: editing(
      (_, form) => isClosed(form),
      (place, random) => {
        const unused = Object.keys(place.form.properties ?? {}).filter(
          (key) => key.length > 4 && !keysOf(place).includes(key),
        );
        if (unused.length === 0) return undefined;
        const key = random.pick(unused);
        const near = random.pick([
          `${key}_value`,
          `my_${key}`,
          `${key}_text`,
          ...(key.length > 6 ? [key.slice(0, 2) + key.slice(4)] : []),
        ]);
        const taken = Object.keys(place.form.properties ?? {}).some((one) => fold(one) === fold(near));
        return taken ? undefined : { ...(place.value as JsonObject), [near]: 'something' };
      },
    ),
  },
  {
    name: 'a key with a slip of the hand',
    expect: 'inferred',
    apply: editing(
      (place, form) => isClosed(form) && single(place) && place.forms.length === 1,
      (place, random) => {
        const declared = Object.keys(place.form.properties ?? {});
        const keys = keysOf(place).filter((key) => declared.includes(key) && /^[a-z]{6,}$/.test(key));
        if (keys.length === 0) return undefined;
        const key = random.pick(keys);
        const at = random.between(2, key.length - 2);
        const made = random.chance(0.5)
          ? key.slice(0, at) + key.slice(at + 1)
          : key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1);
        const near = declared.filter((one) => one !== key && one.slice(0, 2) === made.slice(0, 2));
        return made === key || near.length > 0 || (place.value as JsonObject)[key] === null
          ? undefined
          : renamed(place.value as JsonObject, key, made);
      },
    ),
  },
  {
    name: 'a required key missing',
    expect: 'refused',
    apply: editing(
      (place, form) => keysOf(place).some((key) => form.required?.includes(key)),
      (place, random) => {
        const { [random.pick(keysOf(place).filter((key) => place.form.required?.includes(key)))]: _, ...rest } =
          place.value as JsonObject;
        return rest;
      },
    ),
  },
  {
    name: 'a required key misspelt past recognition',
    expect: 'refused',
    apply: editing(
      (place, form) => keysOf(place).some((key) => form.required?.includes(key)),
      (place, random) =>
        renamed(
          place.value as JsonObject,
          random.pick(keysOf(place).filter((key) => place.form.required?.includes(key))),
          'zzqqzzqq',
        ),
    ),
  },
  {
    name: 'a key given in two spellings',
    expect: 'refused',
    passesStrictly: true,
    apply: editing(
      (place) => single(place),
      (place, random) => {
        const keys = keysOf(place).filter(
          (key) => Object.hasOwn(place.form.properties ?? {}, key) && spellings(key).length > 0,
        );
        if (keys.length === 0) return undefined;
        const key = random.pick(keys);
        const value = (place.value as JsonObject)[key] ?? null;
        if (typeof value === 'object') return undefined;
        return { ...(place.value as JsonObject), [random.pick(spellings(key))]: otherValue(value) };
      },
    ),
  },
  {
    name: 'a key twice with the same value',
    expect: 'lossless',
    passesStrictly: true,
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const at = pickToken(tokens, random, (token) => token.kind === 'key');
      const key = tokens[at ?? -1];
      if (key === undefined) return undefined;
      let value: JsonValue = input;
      for (const part of key.path) value = (value as Record<string | number, JsonValue>)[part] as JsonValue;
      return {
        arguments: rewritten(tokens, (token, index) =>
          index === at ? `${token.text}: ${JSON.stringify(value)}, ${token.text}` : undefined,
        ),
      };
    },
  },
  {
    name: 'a key twice with different values',
    expect: 'refused',
    passesStrictly: true,
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const at = pickToken(tokens, random, (token) => token.kind === 'key');
      const key = tokens[at ?? -1];
      if (key === undefined) return undefined;
      let value: JsonValue = input;
      for (const part of key.path) value = (value as Record<string | number, JsonValue>)[part] as JsonValue;
      const other = JSON.stringify(
        Array.isArray(value) ? [...value, 'more'] : value === null ? 'x' : otherValue(value),
      );
      return {
        arguments: rewritten(tokens, (token, index) =>
          index === at ? `${token.text}: ${other}, ${token.text}` : undefined,
        ),
      };
    },
  },
  {
    name: 'a __proto__ key',
    expect: 'refused',
    passesStrictly: true,
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const at = pickToken(tokens, random, (token) => token.kind === 'key');
      return at === undefined
        ? undefined
        : {
            arguments: rewritten(tokens, (token, index) =>
              index === at ? `"__proto__": {"admin": true}, ${token.text}` : undefined,
            ),
          };
    },
  },
  {
    name: 'a constructor key',
    expect: 'safe',
    passesStrictly: true,
    apply: ({ input, tool }) =>
      tool.inputSchema.additionalProperties === false && Object.keys(input).length > 0
        ? { arguments: JSON.stringify({ ...input, constructor: { prototype: { admin: true } } }) }
        : undefined,
  },
];
