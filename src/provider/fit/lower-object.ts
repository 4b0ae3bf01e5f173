import { hasOwn, isObject, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/json-schema.ts';
import { describeWord } from './describe-word.ts';
import { tell } from './flatten.ts';
import type { Lowered } from './lowered.ts';
import type { Lowering } from './lowering.ts';
import { makeNullable } from './make-nullable.ts';
import { type SafeNames, safeNames } from './safe-names.ts';

/** What a schema says of an object's keys: which there are, which must be there, and what others may hold. */
export function lowerObject(flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const { rules } = to;
  const said: string[] = [];
  const declared = declaredIn(flat, at, to, said);
  const names = namesFor(declared, at, to);
  const required = new Set(flat.required);
  const nulls = new Set<string>();
  const properties: Record<string, SchemaObject> = Object.fromEntries(
    declared.map(([key, schema]) => {
      const lowered = to.lower(schema, [...at, 'properties', key]);
      if (!rules.allRequired || required.has(key)) return [names.safe(key), lowered];
      tell(
        to,
        [...at, 'properties', key],
        'required',
        'rewritten',
        'every property is required: null says it is left out',
      );
      if (!to.judge.passes(null, schema)) nulls.add(names.safe(key));
      return [names.safe(key), makeNullable(lowered, rules)];
    }),
  );
  to.judge.forget();
  const back = new Map([...names.changed].map(([original, safe]) => [safe, original]));
  if (nulls.size > 0 || back.size > 0) to.plans.set(properties, { nulls, names: back });
  const empty = declared.length === 0;
  const shown =
    rules.properties === 'always' || (!empty && rules.properties === 'never empty') || hasOwn(flat, 'properties');
  if (shown !== hasOwn(flat, 'properties') || (empty && shown && rules.properties === 'never empty'))
    tell(
      to,
      at,
      'properties',
      'rewritten',
      rules.properties === 'always' ? 'every object must say its properties' : 'it may not be empty',
    );
  const needed = requiredIn(flat, declared, names, at, to, said);
  return {
    words: {
      ...(shown && !(empty && rules.properties === 'never empty') && { properties }),
      ...((needed.length > 0 || rules.allRequired || flat.required?.length === 0) && { required: needed }),
      ...otherKeys(flat, empty, at, to, said),
    },
    said,
  };
}

/** The properties that may be there, as many as the target takes. */
function declaredIn(flat: SchemaObject, at: Path, to: Lowering, said: string[]): [string, JsonSchema][] {
  const all = Object.entries(isObject(flat.properties) ? flat.properties : {});
  const allowed = all.filter(([key, schema]) => {
    if (schema !== false) return true;
    said.push(`Must not have '${key}'.`);
    tell(to, [...at, 'properties', key], 'false', 'described', 'a property that must not be there can only be told');
    return false;
  });
  const kept = allowed.slice(0, Math.max(0, to.room.properties));
  to.room.properties -= kept.length;
  if (kept.length < allowed.length) {
    to.covers = false;
    const why = `there may be ${to.rules.most?.properties} properties in all; ${allowed.length - kept.length} are left out`;
    tell(to, at, 'properties', 'dropped', why);
  }
  return kept as [string, JsonSchema][];
}

function namesFor(declared: readonly [string, JsonSchema][], at: Path, to: Lowering): SafeNames {
  const rule = to.rules.names;
  const names = safeNames(
    rule ? declared.map(([key]) => key) : [],
    rule ?? { refused: /[^\s\S]/, start: /^/, longest: 0 },
  );
  for (const [key, safe] of names.changed)
    tell(
      to,
      [...at, 'properties', key],
      'properties',
      'rewritten',
      `the name is refused; it is '${safe}' there and back again in calls`,
    );
  return names;
}

/** The names that must be there: those that are declared, where no others may be named. */
function requiredIn(
  flat: SchemaObject,
  declared: readonly [string, JsonSchema][],
  names: SafeNames,
  at: Path,
  to: Lowering,
  said: string[],
): string[] {
  const keys = new Set(declared.map(([key]) => key));
  const asked = [...new Set(flat.required)];
  const undeclared = to.rules.declared ? asked.filter((key) => !keys.has(key)) : [];
  if (undeclared.length > 0) {
    said.push(describeWord('required', undeclared) ?? '');
    tell(
      to,
      at,
      'required',
      'described',
      `${undeclared.map((key) => `'${key}'`).join(', ')} is not among the properties`,
    );
    if (to.rules.closed) to.covers = false;
  }
  if (to.rules.allRequired) return [...keys].map(names.safe);
  return asked.filter((key) => !undeclared.includes(key)).map(names.safe);
}

/** What may stand under keys that are not declared. */
function otherKeys(flat: SchemaObject, empty: boolean, at: Path, to: Lowering, said: string[]): SchemaObject {
  const held = flat.additionalProperties;
  if (to.rules.closed) return closed(flat, empty, at, to, said);
  if (held === undefined) return {};
  if (to.rules.words.has('additionalProperties')) {
    if (typeof held === 'boolean') return { additionalProperties: held };
    return { additionalProperties: to.lower(held, [...at, 'additionalProperties']) };
  }
  const sentence = describeWord('additionalProperties', held);
  if (sentence) said.push(sentence);
  tell(to, at, 'additionalProperties', sentence ? 'described' : 'dropped', 'the word is refused');
  return {};
}

/** Where only declared keys may be written, an object for any keys can't be. */
function closed(flat: SchemaObject, empty: boolean, at: Path, to: Lowering, said: string[]): SchemaObject {
  const held = flat.additionalProperties;
  const free =
    isObject(held) || held === true || (empty && held !== false && at.length > 0) || hasOwn(flat, 'patternProperties');
  if (held !== false) {
    const why = free
      ? 'only declared keys can be written, and this object is for others'
      : 'it must be said that there are no other keys';
    tell(to, at, 'additionalProperties', free ? 'dropped' : 'rewritten', why);
  }
  if (free && held !== false) to.covers = false;
  if (isObject(held)) said.push(describeWord('additionalProperties', held) ?? '');
  return { additionalProperties: false };
}
