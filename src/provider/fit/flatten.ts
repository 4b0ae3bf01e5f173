import { isObject, type Path } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { describeWord, withSentences } from './describe-word.ts';
import type { Lowering } from './lowering.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise } from './modernise.ts';
import { meantTypes } from './types-in.ts';

/**
 * A schema with what its `$ref` points at and the parts of its `allOf` laid into it, its children left as they are; false
 * where nothing may stand. What was followed is added to `followed`, so that whoever goes on into the children knows a
 * circle when it comes.
 */
export function flatten(given: unknown, at: Path, to: Lowering, followed: Set<SchemaObject>): SchemaObject | false {
  if (given === false) return false;
  if (!isObject(given)) {
    if (given !== true && given !== undefined) tell(to, at, 'schema', 'dropped', 'this is no schema');
    return {};
  }
  to.room.nodes--;
  const { $ref, ...beside } = modernise(given as SchemaObject, at, to);
  const referred = typeof $ref === 'string' ? follow($ref, given as SchemaObject, at, to, followed) : {};
  return referred && mergeAll(beside, referred, at, to, followed);
}

/** What a reference points at, flat itself; where it leads in a circle or too far, only its type. */
function follow(ref: string, from: SchemaObject, at: Path, to: Lowering, followed: Set<SchemaObject>) {
  const target = to.refs.target(ref, from);
  if (target === undefined) {
    tell(to, at, '$ref', 'dropped', `${JSON.stringify(ref)} points at nothing in the schema`);
    return {};
  }
  if (!isObject(target)) return flatten(target, at, to, followed);
  const circle = to.within.has(target) || followed.has(target);
  if (circle || to.room.inlined <= 0 || to.room.nodes <= 0) {
    const why = circle ? 'the schema holds itself, and can only be written out once' : 'written out, it is too large';
    tell(to, at, '$ref', 'described', why);
    return cut(ref, target, to);
  }
  followed.add(target);
  to.room.inlined--;
  if (to.rules.refs === 'inlined')
    tell(to, at, '$ref', 'rewritten', 'what it points at is written out: references are not followed');
  return flatten(target, at, to, followed);
}

/** What is left of a schema where it can't be written out. */
export function cut(ref: string, target: SchemaObject, to: Lowering): SchemaObject {
  if (to.rules.closed) to.covers = false;
  const types = meantTypes(target);
  const name = decodeURIComponent(
    ref
      .split('/')
      .at(-1)
      ?.replace(/%(?![\da-f]{2})/gi, '%25') ?? ref,
  );
  const form = name === '#' || name === '' ? 'Of the same form as the whole.' : `Of the form '${name}' again.`;
  const description = withSentences(target.description, [form]) ?? form;
  return { ...(types && { type: types.length === 1 && types[0] ? types[0] : types }), description };
}

/** Lays the parts of `allOf` into the schema around them, where they may not or need not stand apart. */
function mergeAll(
  beside: SchemaObject,
  referred: SchemaObject,
  at: Path,
  to: Lowering,
  followed: Set<SchemaObject>,
): SchemaObject | false {
  const kept = to.rules.words.has('allOf') && at.length > 0;
  const parts = !kept && Array.isArray(beside.allOf) ? beside.allOf : [];
  const { allOf: _, ...own } = beside;
  let merged = parts.length > 0 ? own : beside;
  const said: string[] = [];
  const lay = (part: SchemaObject): void => {
    merged = mergeSchemas(merged, part, (word, held) => {
      const sentence = describeWord(word, held);
      if (sentence) said.push(sentence);
      tell(to, at, word, 'described', 'two parts of the schema ask for it differently');
    });
  };
  lay(referred);
  for (const part of parts) {
    const flat = to.room.nodes > 0 ? flatten(part, at, to, followed) : {};
    if (flat === false) return false;
    lay(flat);
  }
  if (parts.length > 0) tell(to, at, 'allOf', 'rewritten', 'its parts are laid into one schema');
  const description = withSentences(merged.description, said);
  return description === undefined ? merged : { ...merged, description };
}

/** Puts a change on record. */
export function tell(
  to: Lowering,
  path: Path,
  word: string,
  kind: 'rewritten' | 'described' | 'dropped',
  why: string,
): void {
  to.changes.push({ path, word, kind, why });
}
