import { forbidden, type Problem } from '../../json/problem.ts';
import { literalOf, markAt, markRepeated } from '../../json/reading.ts';
import type { Repair } from '../../json/repair.ts';
import { nameInMarkup } from '../../json/tolerant/call-markup.ts';
import { equal, hasOwn, isObject, type JsonObject, typeName } from '../../json/value.ts';
import type { JsonSchema, TypeName } from '../types.ts';
import { wording } from '../validate/messages.ts';
import { type Coerced, type Context, changed, type Place, under } from './context.ts';
import { failingAt } from './failing.ts';
import { foldKey, wordsOf } from './fold-key.ts';
import { typesOf, type View, viewAt } from './layout.ts';
import { placeIn } from './lists.ts';
import { memberLike } from './scalars.ts';
import { endsIn, isNear, isSameOrSlip, isSameWord, isSlipOf, longest, resembles } from './similar-keys.ts';
import { isReserved, spelledAlike, wrappers } from './undeclared-keys.ts';

/** An object under construction: its final keys with the original ones. */
interface Draft {
  readonly names: Map<string, string>;
  readonly repairs: Repair[];
  readonly problems: Problem[];
  /** The properties that the value has and those that it doesn't have, and the number of its keys; determined once. */
  parts?: { readonly used: readonly string[]; readonly unused: readonly string[]; readonly size: number };
}

/** Resolves the keys first (spelling, duplicates, unknown ones), then coerces their values. */
export function coerceObject(context: Context, value: JsonObject, view: View, place: Place): Coerced {
  const keys = Object.keys(value);
  const repairs: Repair[] = [];
  const problems: Problem[] = [];
  const known = context.nesting === 'sure' && keys.every((key) => view.properties.has(key));
  const names = known ? undefined : settleKeys(context, { names: new Map(), repairs, problems }, value, view, place);
  const origins = names && new Map([...names].map(([name, from]) => [from, name]));
  const lacks = [...view.properties.keys()].filter((property) => !(names?.has(property) ?? hasOwn(value, property)));
  // If every bracket is sure, a key can only be one level too deep.
  const outside = context.nesting === 'sure' ? lacks : [...place.outside, ...lacks];
  // If a key is renamed or dropped, the object is rebuilt in the original order.
  let out: Record<string, unknown> | undefined = repairs.length + problems.length ? {} : undefined;
  for (const from of keys) {
    const key = origins ? origins.get(from) : from;
    if (key === undefined) continue;
    const given = value[from];
    const schema = schemaOf(view, key) ?? true;
    const written = given === null && context.marks[0]?.get(value, from)?.gap;
    if (!written && view.properties.has(key) && isSpareNull(context, given, key, schema, view, place)) {
      out ??= { ...value };
      delete out[key];
      repairs.push({ ...changed('null', null, undefined), path: [key] });
      continue;
    }
    const last = from === keys.at(-1) && context.nesting === 'inferred';
    const late = last ? [...(place.late ?? []), ...lacks] : undefined;
    const open = last && (place.open || !view.closed);
    const at = { ...placeIn(context, value, from, schema, place, outside), late, open };
    // The validator hasn't seen a value under a misspelled key, so all of it may be coerced.
    const inner = context.coerce(context, given, schema, from === key ? at : { ...at, failing: undefined });
    if (inner.value !== given) out ??= { ...value };
    if (out) out[key] = inner.value;
    if (inner.repairs.length) repairs.push(...under(key, inner.repairs));
    if (inner.problems.length) problems.push(...under(key, inner.problems));
  }
  // In an object that isn't valid as it stands, a key may belong to the object around it.
  const around = repairs.length && !view.closed ? new Set(place.outside.map(foldKey)) : undefined;
  const early = around && keys.find((key) => around.has(foldKey(key)) && !isDeclared(view, key));
  if (early !== undefined) problems.push({ ...unknown(early, value[early]), ...eitherPlace });
  return { value: out ?? value, repairs, problems };
}

/** Finds the name of each key. Dropped and duplicate ones have none. */
function settleKeys(context: Context, draft: Draft, value: JsonObject, view: View, place: Place): Draft['names'] {
  const keys = Object.keys(value);
  const isOwn = (key: string) => isDeclared(view, key) || !(hasShape(view) || isOutside(context, key, place));
  for (const key of keys) {
    if (!isOwn(key)) continue;
    draft.names.set(key, key);
    const isAnyones = place.open && key !== keys[0] && !isDeclared(view, key);
    if (isAnyones || place.late?.includes(key)) draft.problems.push({ ...unknown(key, value[key]), ...eitherPlace });
  }
  const early =
    context.nesting === 'early' ? keys.find((_, at) => mayBeInside(context, value, keys, at, view)) : undefined;
  if (early !== undefined) draft.problems.push({ ...unknown(early, value[early]), ...eitherPlace });
  for (const key of keys) if (!isOwn(key)) settleKey(context, draft, value, key, view, place);
  return draft.names;
}

/** Whether this key and all after it may belong to the previous object, which a superfluous bracket closed. */
function mayBeInside(context: Context, value: JsonObject, keys: readonly string[], at: number, view: View): boolean {
  const before = keys[at - 1];
  const inner = before === undefined ? undefined : value[before];
  if (before === undefined || !isObject(inner)) return false;
  const schema = schemaOf(view, before) ?? true;
  const within = viewAt(context, schema);
  const fits = (key: string): boolean =>
    !view.required.has(key) &&
    !hasOwn(inner, key) &&
    !(within?.closed && !isDeclared(within, key)) &&
    typeFits(context, value[key], within && schemaOf(within, key));
  const rest = keys.slice(at, at + 64);
  if (!rest.every(fits)) return false;
  const whole = { ...inner, ...Object.fromEntries(rest.map((key) => [key, value[key]])) };
  return !context.interpreter.passes(inner, schema) || context.interpreter.passes(whole, schema);
}

/** A null for an optional field that can't be null. */
function isSpareNull(
  context: Context,
  value: unknown,
  key: string,
  schema: JsonSchema,
  view: View,
  place: Place,
): boolean {
  if (value !== null || view.required.has(key) || context.interpreter.passes(null, schema)) return false;
  return !place.failing || failingAt(place.failing, key) !== place.failing.none;
}

const isDeclared = (view: View, key: string): boolean =>
  view.properties.has(key) || view.patterns.some((pattern) => pattern.test(key));

/** Whether a schema declares keys. A map without declared keys accepts any. */
const hasShape = (view: View): boolean => view.properties.size > 0 || view.closed;

function settleKey(context: Context, draft: Draft, value: JsonObject, key: string, view: View, place: Place) {
  if (isReserved(key))
    return refuse(draft, key, { path: [key], code: 'forbidden_key', received: value[key], message: forbidden });
  const folded = foldKey(nameInMarkup(key) ?? key);
  const likes = spelledAlike(view.properties).get(folded) ?? [];
  const [like] = likes;
  if (like !== undefined && likes.length === 1 && folded !== '') return respell(context, draft, value, key, like);
  if (isOutside(context, key, place) || (!['sure', 'kept'].includes(context.nesting) && view.properties.size > 0))
    return refuse(draft, key, {
      ...unknown(key, value[key]),
      // A key that is allowed here may still belong to another object.
      ...(context.nesting === 'inferred' && !view.closed && { message: eitherPlace.message }),
    });
  draft.parts ??= partsOf(value, view);
  const { used, unused, size } = draft.parts;
  // Beyond the comparison limit nothing is dropped, because the key may be meant for a field.
  context.comparisons -= unused.length + place.outside.length;
  const room = context.comparisons >= 0;
  const slips = room ? unused.filter((property) => isSlipOf(key, property)) : [];
  const [slip] = slips;
  const typo =
    slip !== undefined &&
    slips.length === 1 &&
    (view.closed || view.required.has(slip)) &&
    typeFits(context, value[key], view.properties.get(slip)) &&
    isOnlyNear(context, key, slip, view);
  if (typo && isSameWord(key, slip, view.required.has(slip))) return respell(context, draft, value, key, slip);
  const inside = room ? fieldsInside(draft, value, key, view) : [];
  if (!view.closed) {
    draft.names.set(key, key);
    if (isWhole(place) && inside.some((field) => view.required.has(field)) && context.hints.length < mostHints)
      context.hints.push(misplaced(key, value[key], inside));
    return;
  }
  // Text is UTF-8 anyway.
  if (context.writes && changesWhatHappens(key) && !/^utf-?8$/i.test(String(value[key])))
    return refuse(draft, key, unknown(key, value[key]));
  if (context.writes && isRefusal(key, value[key])) return refuse(draft, key, unknown(key, value[key]));
  if (inside.length > 0) return refuse(draft, key, misplaced(key, value[key], inside));
  const deeper =
    room && [...view.properties].some(([field, schema]) => lacksInside(context, value[field], key, schema));
  // A field that an object around it declares and lacks was written one level too deep.
  const outer = room && place.outside.some((other) => isSameOrSlip(key, other));
  const doubled = deeper || outer || (room && used.some((other) => isDouble(context, value, key, other)));
  const meant = room
    ? unused.filter(
        (property) => resembles(key, property) || isMemberOf(context, value[key], view.properties.get(property)),
      )
    : [];
  const hint = meant.length === 1 ? meant[0] : undefined;
  const isAll = isWhole(place) && size === 1;
  // A key with JSON punctuation is damaged, and may be any of the missing fields.
  const damaged = unused.length > 0 && /["\\{}[\],;=`\p{Cc}]|^[.:]|[.:]$/u.test(key);
  // A key without a name says nothing of its value, which would be lost.
  const nameless = !/[\p{L}\p{N}_$]/u.test(key) && !isEmpty(value[key]);
  const refused =
    !room ||
    doubled ||
    meant.length > 0 ||
    isAll ||
    damaged ||
    nameless ||
    isOnlyOne(context, value, key, view, place, draft.parts);
  // A key that may be misspelled or the opposite is never dropped.
  const hard = isAll || typo || !view.strips || !place.drop || context.nesting !== 'sure';
  if ((refused && hard) || !place.drop || context.nesting !== 'sure')
    return refuse(draft, key, unknown(key, value[key], hint));
  if (refused && context.hints.length < mostHints) context.hints.push(unknown(key, value[key], hint));
  draft.repairs.push({ ...changed('dropped', value[key], undefined), path: [key] });
}

/** Whether the only undeclared key of an inner object has a value for its only property of that type that is missing. */
function isOnlyOne(
  context: Context,
  value: JsonObject,
  key: string,
  { properties }: View,
  place: Place,
  { used, unused, size }: NonNullable<Draft['parts']>,
): boolean {
  if (isWhole(place) || used.length !== size - 1 || context.comparisons < 0) return false;
  const held = value[key];
  const number = typeof held === 'string' && held.trim() !== '' ? Number(held) : Number.NaN;
  const takes = (schema: JsonSchema = true): boolean =>
    context.interpreter.passes(held, schema) || (!Number.isNaN(number) && context.interpreter.passes(number, schema));
  return unused.filter((property) => takes(properties.get(property))).length === 1;
}

/** Which properties an object has. Not for each of its keys, because there may be thousands of both. */
function partsOf(value: JsonObject, { properties }: View): NonNullable<Draft['parts']> {
  const { used = [], unused = [] } = Object.groupBy(properties.keys(), (one) =>
    hasOwn(value, one) ? 'used' : 'unused',
  );
  return { used, unused, size: Object.keys(value).length };
}

/**
 * Missing fields of this object that are inside the value of an unknown key. For wrapper keys, also fields that are
 * given twice.
 */
function fieldsInside(draft: Draft, value: JsonObject, key: string, view: View): string[] {
  const held = value[key];
  const inner = Array.isArray(held) && held.length === 1 ? held[0] : held;
  const isText = typeof inner === 'string' && /^\s*\{/.test(inner);
  const names = isText
    ? [...inner.matchAll(keyInText)].map(([, , name]) => name as string)
    : isObject(inner)
      ? Object.keys(inner)
      : [];
  const found = new Set<string>();
  for (const name of names) {
    const [field, other] = view.properties.has(name)
      ? [name]
      : (spelledAlike(view.properties).get(foldKey(name)) ?? []);
    if (field === undefined || other !== undefined) continue;
    const given = draft.names.get(field);
    if (
      given === undefined
        ? !hasOwn(value, field)
        : wrappers.includes(key) && isObject(inner) && !sameAsWritten(value, given, inner, name)
    )
      found.add(field);
  }
  return [...found];
}

/** Whether values are equal, and numbers are written alike, because a text field gets them as written. */
const sameAsWritten = (one: JsonObject, key: string, other: JsonObject, name: string): boolean =>
  equal(one[key], other[name]) && literalOf(one[key], markAt(one, key)) === literalOf(other[name], markAt(other, name));

const keyInText = /(["'])([^"'\\]{1,128})\1\s*:/g;

const misplaced = (key: string, received: unknown, fields: readonly string[]): Problem => {
  const inside = fields.slice(0, 3);
  const list = inside.map((field) => `'${field}'`).join(', ');
  const problem = unknown(key, received);
  return {
    ...problem,
    inside,
    message: `${problem.message}, but ${list} ${inside.length > 1 ? 'are' : 'is'} inside it`,
    suggestion: `Send ${list} directly, not inside '${key}'`,
  };
};

/** Whether the key is declared and missing in the object of another field. */
function lacksInside(context: Context, held: unknown, key: string, schema: JsonSchema): boolean {
  if (context.comparisons-- < 0) return true;
  return !(isObject(held) && hasOwn(held, key)) && viewAt(context, schema)?.properties.has(key) === true;
}

/** Whether no other property is so close to the key that it may be meant. */
function isOnlyNear(context: Context, key: string, slip: string, { properties }: View): boolean {
  context.comparisons -= properties.size;
  if (context.comparisons < 0) return false;
  for (const property of properties.keys()) if (property !== slip && isNear(key, property)) return false;
  return true;
}

/**
 * Whether a key may be another spelling of a given property, with a different value. For a tool that writes, also if
 * the property is its last word.
 */
function isDouble(context: Context, value: JsonObject, key: string, other: string): boolean {
  if (context.comparisons-- < 0) return true;
  if (equal(value[key], value[other])) return false;
  return (
    isSameOrSlip(key, other) || (context.writes && endsIn(key, other) && typeof value[key] === typeof value[other])
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const mostHints = 50;

/** Whether this is the complete arguments. */
const isWhole = ({ container, wrapped }: Place): boolean => container === undefined && !wrapped;

/** Whether the property accepts the type of the value. */
function typeFits(context: Context, value: unknown, schema: JsonSchema = true): boolean {
  const types = typesOf(context, schema);
  const type = typeName(value) as TypeName;
  return types === undefined || types.has(type) || (type === 'number' && types.has('integer'));
}

/** Whether the value is one of this property's fixed values. */
function isMemberOf(context: Context, value: unknown, schema: JsonSchema | undefined): boolean {
  const members = viewAt(context, schema)?.members;
  return typeof value === 'string' && members !== undefined && memberLike(value, members) !== undefined;
}

/**
 * With an inferred bracket, an undeclared key may belong to another object. In a map, only if an outer object lacks it.
 */
function isOutside(context: Context, key: string, { outside }: Place): boolean {
  if (context.nesting === 'sure' || context.nesting === 'kept') return false;
  context.comparisons -= outside.length;
  return context.comparisons < 0 || outside.some((other) => isSameOrSlip(key, other));
}

/** A key equal to a property except for its spelling: renames it, or treats it as a duplicate. */
function respell(context: Context, draft: Draft, value: JsonObject, key: string, like: string): void {
  const taken = draft.names.get(like);
  if (taken === undefined) {
    draft.names.set(like, key);
    draft.repairs.push({ ...changed('key', key, like), path: [like] });
  } else if (equal(value[taken], value[key])) {
    markRepeated([value, taken], [value, key], (...at) => context.marks[0]?.set(...at));
    draft.repairs.push({ ...changed('duplicate', value[key], undefined), path: [key] });
  } else {
    draft.problems.push({
      path: [like],
      code: 'duplicate_key',
      received: [value[taken], value[key]],
      message: `is given twice with different values, as '${taken}' and '${key}'`,
    });
  }
}

const eitherPlace = {
  code: 'ambiguous',
  message: 'may belong to another object, because a bracket is missing or extra',
} as const;

/** Keeps the key, with a problem. */
function refuse(draft: Draft, key: string, problem: Problem): void {
  draft.names.set(key, key);
  draft.problems.push(problem);
}

const unknown = (key: string, received: unknown, want?: string): Problem => {
  const fault = { path: [key], code: 'unknown', want, received } as const;
  const { text: message, ...data } = wording(fault);
  const suggestion = want !== undefined && { suggestion: `Use '${want}'` };
  return { path: [key], code: 'unknown', received, ...data, message, ...suggestion };
};

const schemaOf = (view: View, key: string): JsonSchema | undefined =>
  view.properties.get(key) ?? view.patterns.find((pattern) => pattern.test(key))?.schema ?? view.additional;

/** Words that say how, when or whether something is done, in all their forms. */
const stems = [
  // With the ending of any form.
  '(?:dry ?run|append|forc|confirm|preview|simulat|validat|pretend|exclu[ds]|filter|over ?writ|recurs|cascad|undo|cancel|abort|(?:dis|en)abl|skip|approv|transaction|atomic|check|test|mock|sandbox|insert|prepend|schedul|delay|defer|expir|(?:en|de)cod|compress|encrypt|escap|verif|postpon|paus|suspend|a?wait|hold|review|authori[sz]|permi(?:t|ss)|consent|acknowledg|prevent|avoid|suppress|inhibit|stop|halt|void|trigger|condition|depend|requir|propos|supervis|reject|declin|disallow|revok|recur|repeat|rehears|refrain)(?:[lnpr]?(?:e[sd]?|ing)|s|ten|(?:l?at)?ions?|al(?:ly)?|ive(?:ly)?|ibly|eful|y|ied)?',
  'no ?op|what ?if|read ?only|only(?: ?if)?|if ?(?:not ?)?exists?|if ?(?:none ?)?match|unless|where|except(?:s|ed|ing)?|limit(?:s|ed)? ?to',
  '(?:do ?not|dont)\\w*|don t|not|never|without|if|when(?:ever)?|once|while|provided|assuming|contingent|subject to|prior to|forbid(?:den)?|den(?:y|ied)|withh(?:o|e)ld|veto(?:ed)?|depend(?:ent|enc(?:y|ies))|pre(?:conditions?|requisites?)',
  'ask(?:s|ed|ing)?|human|manual(?:ly)?|sign ?off|pending|tentative(?:ly)?|hypothetical(?:ly)?|dummy|fake|demo|later|tomorrow|tonight|then|effective|start(?:s|ing)?|begin(?:s|ning)?|due|deadline|timeout|ttl|frequency|interval|cron|every|trial|practice|private|public|hidden|visible|visibility|anonymous(?:ly)?',
  'back ?ups?|roll ?backs?|roll(?:ed|ing|s) back|ask ?(?:first|before)|drafts?|modes?',
  // Where, when and in what form.
  'lines?|line ?(?:no|num(?:ber)?s?)|positions?|offsets?|ranges?|before|after|until',
  'charset|base ?64|binary|gzip|cwd|work(?:ing)? ?dir(?:ectory)?|time ?zone|sudo|run ?as',
].join('|');
const happening = new RegExp(
  ` (?:no|skip|is|do|auto|allow)?(?:${stems})(?:only|mode|flag)?\\d* |^ (?:no|if) .|^ (?!creat|updat|modif|request|generat|current)(?:\\w+ )?(?:at|dates?|times?|days?|hours?|minutes?|seconds?|weeks?|months?) $`,
);

/** Words for what a call reports while it runs. Without it, it does the same. */
const reporting =
  / (?:verbos\w*|debug\w*|logg?(?:ing|s)?|trac(?:e|ing)|quiet|silent|pretty|colou?rs?|progress|stats?) /;

/** Whether the model turned something off that the tool doesn't know, and may do. */
const isRefusal = (key: string, value: unknown): boolean =>
  (value === false || /^(?:false|no|off|never)$/i.test(String(value))) &&
  (key.length > longest || !reporting.test(` ${wordsOf(key)} `));

/** Whether the key changes what happens, so that a tool that writes must not run without it. */
export const changesWhatHappens = (key: string): boolean =>
  key.length <= longest && happening.test(` ${wordsOf(key)} `);
