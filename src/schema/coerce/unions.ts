import { clip } from '../../json/clip.ts';
import { markAt } from '../../json/reading.ts';
import { cached } from '../../json/text-cache.ts';
import { equal, hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { formsByTag } from '../validate/discriminator.ts';
import { type Coerced, type Context, type Place, same } from './context.ts';
import { typesOf, viewAt } from './layout.ts';
import { isTextOnly } from './lists.ts';
import { memberLike } from './scalars.ts';

/**
 * Coerces to one of several forms: the one its discriminator selects, otherwise the only one that is valid afterwards.
 */
export function coerceUnion(
  context: Context,
  value: unknown,
  node: SchemaObject,
  forms: readonly JsonSchema[],
  place: Place,
  passes: boolean,
): Coerced {
  if (passes) return tidy(context, value, forms, place);
  const types = typesOf(context, node);
  const within: Place = {
    ...place,
    alone: types !== undefined && isTextOnly(types),
    text: types?.has('string') ?? true,
  };
  const named = isObject(value) ? byDiscriminator(context, value, forms) : undefined;
  if (named) {
    // A key of another form may mean that this one isn't intended.
    const drop = place.drop && !hasOtherKey(context, value as JsonObject, named, forms);
    return context.coerce(context, value, named, { ...within, drop });
  }
  const readings: Coerced[] = [];
  for (const form of forms) {
    // A scalar as text counts as a reading here, so that another form isn't mistaken for the only one.
    const reading = context.coerce(context, value, form, { ...within, alone: true, drop: false });
    // Words that may be several items can't be a single one in another form.
    if (typeof value === 'string' && reading.problems[0]?.code === 'ambiguous') return reading;
    if (reading.problems.length || !context.interpreter.passes(reading.value, form)) continue;
    if (!readings.some((known) => equal(known.value, reading.value))) readings.push(reading);
  }
  const [only] = readings;
  // If parsing a list was enough, nothing more is changed.
  const plain = readings.filter((reading) => reading.repairs.length === 1 && reading.repairs[0]?.kind === 'list');
  if (readings.length > 1 && plain.length === 1 && plain[0] && isUnwrapped(value, plain[0].value)) return plain[0];
  if (!only) return forms.length === 2 && types?.has('null') ? plainForm(context, value, forms, within) : same(value);
  if (readings.length > 1) return ambiguous(value, readings);
  return madeText(only) && !within.alone ? same(value) : only;
}

/** Whether a scalar became text, which is only allowed if nothing but a string is. */
const madeText = ({ value, repairs }: Coerced): boolean =>
  typeof value === 'string' && repairs.some(({ kind, path }) => kind === 'type' && path.length === 0);

/** Next to null there is only one form, so its problems apply. */
function plainForm(context: Context, value: unknown, forms: readonly JsonSchema[], place: Place): Coerced {
  const form = forms.find((one) => !typesOf(context, one)?.has('null'));
  return form === undefined ? same(value) : context.coerce(context, value, form, place);
}

/** For a valid value, only corrects the spelling of keys, in the one form it matches. */
function tidy(context: Context, value: unknown, forms: readonly JsonSchema[], place: Place): Coerced {
  const { interpreter } = context;
  const tagged = formsByTag(value, forms, interpreter);
  const open = tagged ? tagged.map((at) => forms[at] as JsonSchema) : forms;
  const fitting = open.filter((form) => interpreter.passes(value, form));
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) return context.coerce(context, value, only, place);
  if (!context.marks.some(({ unsafe }) => unsafe)) return same(value);
  // The value may contain an unsafe integer, which no form may accept as text.
  const readings = fitting.map((form) => context.coerce(context, value, form, { ...place, drop: false }));
  return readings.find(({ problems }) => problems.length > 0) ?? same(value);
}

/** Whether the value has a key that its form lacks and another form declares. */
function hasOtherKey(context: Context, value: JsonObject, named: JsonSchema, forms: readonly JsonSchema[]): boolean {
  const declares = (form: JsonSchema, key: string) => viewAt(context, form)?.properties.has(key) === true;
  return Object.keys(value).some((key) => !declares(named, key) && forms.some((form) => declares(form, key)));
}

/** A key with fixed values in every form: all values, and the forms of each. */
interface Tag {
  readonly key: string;
  readonly members: readonly unknown[];
  readonly forms: ReadonlyMap<unknown, readonly JsonSchema[]>;
}

const tags = new WeakMap<object, WeakMap<readonly JsonSchema[], readonly Tag[]>>();

function tagsOf(context: Context, forms: readonly JsonSchema[]): readonly Tag[] {
  const own = cached(tags, context.interpreter, () => new WeakMap());
  const known = own.get(forms);
  if (known) return known;
  const views = forms.map((form) => viewAt(context, form));
  const found = [...(views[0]?.properties.keys() ?? [])].flatMap((key): Tag[] => {
    const byMember = new Map<unknown, JsonSchema[]>();
    for (const [at, view] of views.entries()) {
      const members = viewAt(context, view?.properties.get(key) ?? true)?.members;
      if (members === undefined) return [];
      for (const member of new Set(members)) {
        cached(byMember, member, () => []).push(forms[at] as JsonSchema);
      }
    }
    return [{ key, members: [...byMember.keys()], forms: byMember }];
  });
  own.set(forms, found);
  return found;
}

/** The form selected by a fixed value, if it is the only one. */
function byDiscriminator(context: Context, value: object, forms: readonly JsonSchema[]): JsonSchema | undefined {
  for (const tag of tagsOf(context, forms)) {
    if (!hasOwn(value, tag.key)) continue;
    const given = (value as Record<string, unknown>)[tag.key];
    const like = tag.forms.has(given)
      ? { member: given }
      : memberLike(markAt(value, tag.key)?.literal ?? given, tag.members);
    const named = like ? (tag.forms.get(like.member) ?? []) : [];
    if (named.length === 1) return named[0];
  }
  return undefined;
}

/** Two valid readings are a guess, which is shown but never applied. */
function ambiguous(value: unknown, readings: readonly Coerced[]): Coerced {
  const shown = readings.slice(0, 3).map((reading) => clip(JSON.stringify(reading.value), 60));
  return {
    value,
    repairs: [],
    problems: [
      {
        path: [],
        code: 'union',
        received: value,
        message: 'can be read in more than one of its allowed forms',
        suggestion: `Send ${shown.join(' or ')}`,
      },
    ],
  };
}

/** Whether the list was parsed from text, not created for a value. */
const isUnwrapped = (before: unknown, after: unknown): boolean =>
  typeof before === 'string' && /^\s*\[/.test(before) && Array.isArray(after);
