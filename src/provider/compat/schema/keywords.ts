import { hasOwn, isObject, type Path } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { type SafeNames, safeNames } from '../safe-names.ts';
import { describeKeyword, withSentences } from './describe-keyword.ts';
import { recordChange } from './flatten.ts';
import { keepKeyword } from './keep-keyword.ts';
import { makeNullable } from './nullable.ts';
import { type Lowered, type Lowering, nothing } from './state.ts';
import { concerns, isOfTypes, typesIn } from './types-in.ts';

/** Keywords that are handled together, not one by one. */
const together = new Set(['type', 'description', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$defs', 'definitions']);
for (const word of ['properties', 'required', 'additionalProperties', 'items', 'prefixItems']) together.add(word);

/** Lowers each keyword of a flat schema: keeps it, replaces it, describes it, or drops it. */
export function lowerKeywords(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  const { rules } = to;
  const types = typesIn(flat);
  const given = typeWord(flat, at, to);
  const parts: Lowered[] = [lowerEnum(flat, at, to), ...unions(flat, at, to)];
  const alone: Lowered[] = [];
  const instead: Lowered[] = [];
  const means = (type: 'object' | 'array', ...words: string[]): boolean =>
    types ? types.includes(type) : words.some((word) => hasOwn(flat, word));
  if (means('object', 'properties', 'required', 'additionalProperties')) parts.push(lowerObject(flat, at, to));
  if (means('array', 'items', 'prefixItems')) parts.push(lowerArray(flat, at, to));
  for (const [word, held] of Object.entries(flat)) {
    if (together.has(word)) continue;
    if (!rules.open && types && !types.some((type) => concerns(word, type)))
      recordChange(to, at, word, 'dropped', `it does not apply to a value of type ${types.join(' or ')}`);
    else {
      const taken = keepKeyword(word, held, flat, at, to);
      (hasOwn(taken.words, word) ? alone : instead).push(taken);
    }
  }
  const all = [...alone, ...instead, ...parts];
  const description = withSentences(
    flat.description,
    all.flatMap((part) => part.said),
  );
  const about = description === undefined ? {} : { description };
  // The last value of a keyword wins, for example a replaced bound or the item count of a tuple. `Object.fromEntries`
  // treats a key such as `__proto__` as a normal key.
  const words = [given, about, ...all.map((part) => part.words)].flatMap((part) => Object.entries(part));
  return Object.fromEntries(words) as SchemaObject;
}

function typeWord(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  if (flat.type === undefined) return {};
  const types = typesIn(flat);
  const names = [flat.type].flat() as string[];
  const unknown = names.filter((name) => !types?.some((type) => type === name));
  for (const name of unknown) recordChange(to, at, 'type', 'dropped', `${JSON.stringify(name)} is not a JSON type`);
  if (!types) return {};
  return {
    type:
      unknown.length > 0 && types.length === 1 && types[0] ? types[0] : Array.isArray(flat.type) ? types : flat.type,
  };
}

/** Lowers unions for targets that allow other keywords next to them. */
function unions(flat: SchemaObject, at: Path, to: Lowering): Lowered[] {
  return (['anyOf', 'oneOf', 'allOf'] as const).flatMap((word): Lowered[] => {
    const forms = flat[word];
    if (!Array.isArray(forms)) return [];
    if (to.rules.bare || !to.rules.words.has(word)) {
      recordChange(to, at, word, 'described', 'it can only be described next to the other union');
      return [{ words: {}, said: [describeKeyword(word, forms) ?? ''] }];
    }
    const before = to.changes.length;
    const lowered = forms.map((form, i) => to.lower(form, [...at, word, i]));
    const weaker = to.changes.slice(before).some(({ kind }) => kind !== 'rewritten');
    if (word !== 'oneOf' || !weaker) return [{ words: { [word]: lowered }, said: [] }];
    // After a keyword was dropped, more than one form may match, so `oneOf` would reject valid values.
    recordChange(to, at, word, 'described', 'its forms can no longer be distinguished, so more than one may match');
    const said = ['Exactly one of the forms must match.'];
    return flat.anyOf ? [{ words: {}, said }] : [{ words: { anyOf: lowered }, said }];
  });
}

/** Lowers the keywords of arrays. */
function lowerArray(flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const { prefixItems: prefix, items } = flat;
  // `flatten` has already moved a list of schemas to `prefixItems`.
  const rest = items as JsonSchema | undefined;
  if (Array.isArray(prefix) && prefix.length > 0) return lowerTuple(flat, prefix, rest, at, to);
  if (rest === undefined) return unsaid(at, to);
  if (rest === false && !to.rules.open) {
    recordChange(to, at, 'items', 'rewritten', 'a list without items is expressed with maxItems');
    return { words: { ...unsaid(at, to).words, maxItems: 0 }, said: ['No items.'] };
  }
  if (typeof rest === 'boolean' && to.rules.open) return { words: { items: rest }, said: [] };
  return { words: { items: to.lower(rest, [...at, 'items']) }, said: [] };
}

function unsaid(at: Path, to: Lowering): Lowered {
  if (to.rules.properties === 'as given') return nothing;
  recordChange(to, at, 'items', 'rewritten', 'a list must define its items');
  return { words: { items: to.lower({}, [...at, 'items']) }, said: [] };
}

/** Lowers a tuple. If the target doesn't support tuples, each item may match any of its schemas. */
function lowerTuple(
  flat: SchemaObject,
  prefix: readonly JsonSchema[],
  rest: JsonSchema | undefined,
  at: Path,
  to: Lowering,
): Lowered {
  const forms = prefix.map((schema, index) => to.lower(schema, [...at, 'prefixItems', index]));
  if (to.rules.words.has('prefixItems')) {
    if (rest === undefined) return { words: { prefixItems: forms }, said: [] };
    const items = typeof rest === 'boolean' ? rest : to.lower(rest, [...at, 'items']);
    return { words: { prefixItems: forms, items }, said: [] };
  }
  recordChange(to, at, 'prefixItems', 'described', 'the keyword is rejected; each item may be any of them');
  const said = [describeKeyword('prefixItems', prefix) ?? ''];
  const others = rest === false ? [] : [rest ?? {}];
  const items = to.lower({ anyOf: [...prefix, ...others] }, [...at, 'items']);
  const most = Math.min(prefix.length, flat.maxItems ?? prefix.length);
  const limit = rest !== false ? {} : to.rules.words.has('maxItems') ? { maxItems: most } : undefined;
  if (limit === undefined) said.push(describeKeyword('maxItems', most) ?? '');
  return { words: { items, ...limit }, said };
}

/** Limit for the total length of a long list of values. */
const long = { values: 250, characters: 15_000 };

/** Lowers `enum` and `const`. */
function lowerEnum(flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const one = hasOwn(flat, 'const');
  if (!one && !Array.isArray(flat.enum)) return nothing;
  const word = one ? 'const' : 'enum';
  const given: unknown[] = one ? [flat.const] : (flat.enum ?? []);
  const members = possible(given, flat, at, to);
  const why = refusal(members, flat, to);
  if (why !== undefined) {
    // Values that contradict the type still help as a description.
    const meant = members.length > 0 ? members : given;
    const sentence = meant.length > 0 ? describeKeyword(word, one ? flat.const : meant) : undefined;
    recordChange(to, at, word, sentence ? 'described' : 'dropped', why);
    return { words: {}, said: sentence ? [sentence] : [] };
  }
  to.room.values -= members.length;
  if (one && to.rules.words.has('const')) return { words: { const: flat.const }, said: [] };
  if (one) recordChange(to, at, 'const', 'rewritten', 'expressed with enum');
  return { words: { enum: members }, said: [] };
}

/** Removes duplicates and values that contradict the type, for which strict parsers reject the whole schema. */
function possible(given: readonly unknown[], flat: SchemaObject, at: Path, to: Lowering): unknown[] {
  if (to.rules.open) return [...given];
  const types = typesIn(flat);
  const fitting = types ? given.filter((value) => isOfTypes(value, types)) : given;
  const members = [...new Map(fitting.map((value) => [JSON.stringify(value) ?? '', value])).values()];
  if (fitting.length < given.length)
    recordChange(to, at, 'enum', 'rewritten', `removed values that are not of type ${types?.join(' or ')}`);
  if (members.length < fitting.length) recordChange(to, at, 'enum', 'rewritten', 'duplicate values are removed');
  return members;
}

/** Why the target rejects the values; undefined if it doesn't. */
function refusal(members: readonly unknown[], flat: SchemaObject, { rules, room }: Lowering): string | undefined {
  if (members.length === 0) return 'a list of allowed values must not be empty';
  const composed = members.some((value) => typeof value === 'object' && value !== null);
  if (rules.enums === 'scalars' && composed) return 'only plain values may be listed';
  const listable = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  if (rules.enums === 'texts and numbers' && !members.every(listable)) return 'only strings and numbers may be listed';
  if (rules.enums === 'texts' && flat.type !== 'string') return 'only strings may be listed';
  if (rules.enums.startsWith('texts') && members.includes('')) return 'an empty string may not be listed';
  if (members.length > room.values) return `at most ${rules.most?.values} values may be listed in total`;
  const size = members.reduce<number>((sum, value) => sum + String(value).length, 0);
  if (rules.most && members.length > long.values && size > long.characters)
    return `a list of over ${long.values} values may have at most ${long.characters} characters`;
  return undefined;
}

/** Lowers the keywords of objects. */
function lowerObject(flat: SchemaObject, at: Path, to: Lowering): Lowered {
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
      recordChange(
        to,
        [...at, 'properties', key],
        'required',
        'rewritten',
        'every property is required; null means that it is missing',
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
    recordChange(
      to,
      at,
      'properties',
      'rewritten',
      rules.properties === 'always' ? 'every object must define its properties' : 'it may not be empty',
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

/** The declared properties, up to the target's limit. */
function declaredIn(flat: SchemaObject, at: Path, to: Lowering, said: string[]): [string, JsonSchema][] {
  const all = Object.entries(isObject(flat.properties) ? flat.properties : {});
  const allowed = all.filter(([key, schema]) => {
    if (schema !== false) return true;
    said.push(`Must not have '${key}'.`);
    recordChange(to, [...at, 'properties', key], 'false', 'described', 'a forbidden property can only be described');
    return false;
  });
  const kept = allowed.slice(0, Math.max(0, to.room.properties));
  to.room.properties -= kept.length;
  if (kept.length < allowed.length) {
    to.covers = false;
    const why = `at most ${to.rules.most?.properties} properties are allowed in total; ${allowed.length - kept.length} are left out`;
    recordChange(to, at, 'properties', 'dropped', why);
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
    recordChange(
      to,
      [...at, 'properties', key],
      'properties',
      'rewritten',
      `the name is rejected; sent as '${safe}', and restored in calls`,
    );
  return names;
}

/** The required properties, without undeclared ones if the target rejects those. */
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
    said.push(describeKeyword('required', undeclared) ?? '');
    recordChange(
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

/** Lowers `additionalProperties`. */
function otherKeys(flat: SchemaObject, empty: boolean, at: Path, to: Lowering, said: string[]): SchemaObject {
  const held = flat.additionalProperties;
  if (to.rules.closed) return closed(flat, empty, at, to, said);
  if (held === undefined) return {};
  if (to.rules.words.has('additionalProperties')) {
    if (typeof held === 'boolean') return { additionalProperties: held };
    return { additionalProperties: to.lower(held, [...at, 'additionalProperties']) };
  }
  const sentence = describeKeyword('additionalProperties', held);
  if (sentence) said.push(sentence);
  recordChange(to, at, 'additionalProperties', sentence ? 'described' : 'dropped', 'the keyword is rejected');
  return {};
}

/** Closes an object for targets that allow declared keys only, so that free-form objects can't be expressed. */
function closed(flat: SchemaObject, empty: boolean, at: Path, to: Lowering, said: string[]): SchemaObject {
  const held = flat.additionalProperties;
  const free =
    isObject(held) || held === true || (empty && held !== false && at.length > 0) || hasOwn(flat, 'patternProperties');
  if (held !== false) {
    const why = free
      ? 'only declared keys can be written, but this object allows others'
      : 'objects must not allow other keys';
    recordChange(to, at, 'additionalProperties', free ? 'dropped' : 'rewritten', why);
  }
  if (free && held !== false) to.covers = false;
  if (isObject(held)) said.push(describeKeyword('additionalProperties', held) ?? '');
  return { additionalProperties: false };
}
