import { hasOwn, type Path } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { describeWord, withSentences } from './describe-word.ts';
import { tell } from './flatten.ts';
import { lowerArray } from './lower-array.ts';
import { lowerEnum } from './lower-enum.ts';
import { lowerObject } from './lower-object.ts';
import type { Lowered } from './lowered.ts';
import type { Lowering } from './lowering.ts';
import { takenAs } from './taken-as.ts';
import { concerns, typesIn } from './types-in.ts';

/** Words that are looked at together, by the part that knows them. */
const together = new Set(['type', 'description', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$defs', 'definitions']);
for (const word of ['properties', 'required', 'additionalProperties', 'items', 'prefixItems']) together.add(word);

/** A flat schema, word by word: kept, said in another word, moved into the description, or left out. */
export function lowerWords(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
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
      tell(to, at, word, 'dropped', `it says nothing of a value of type ${types.join(' or ')}`);
    else {
      const taken = takenAs(word, held, flat, at, to);
      (hasOwn(taken.words, word) ? alone : instead).push(taken);
    }
  }
  const all = [...alone, ...instead, ...parts];
  const description = withSentences(
    flat.description,
    all.flatMap((part) => part.said),
  );
  const about = description === undefined ? {} : { description };
  // Of a word said twice the last one counts: a bound said for another, a tuple's number of items. Built from entries,
  // so that a key named like a prototype is a key.
  const words = [given, about, ...all.map((part) => part.words)].flatMap((part) => Object.entries(part));
  return Object.fromEntries(words) as SchemaObject;
}

function typeWord(flat: SchemaObject, at: Path, to: Lowering): SchemaObject {
  if (flat.type === undefined) return {};
  const types = typesIn(flat);
  const names = [flat.type].flat() as string[];
  const unknown = names.filter((name) => !types?.some((type) => type === name));
  for (const name of unknown) tell(to, at, 'type', 'dropped', `${JSON.stringify(name)} is no type of JSON`);
  if (!types) return {};
  return {
    type:
      unknown.length > 0 && types.length === 1 && types[0] ? types[0] : Array.isArray(flat.type) ? types : flat.type,
  };
}

/** Unions of targets that let other words stand beside them. */
function unions(flat: SchemaObject, at: Path, to: Lowering): Lowered[] {
  return (['anyOf', 'oneOf', 'allOf'] as const).flatMap((word): Lowered[] => {
    const forms = flat[word];
    if (!Array.isArray(forms)) return [];
    if (to.rules.bare || !to.rules.words.has(word)) {
      tell(to, at, word, 'described', 'it can only be told beside the other union');
      return [{ words: {}, said: [describeWord(word, forms) ?? ''] }];
    }
    const before = to.changes.length;
    const lowered = forms.map((form, i) => to.lower(form, [...at, word, i]));
    const weaker = to.changes.slice(before).some(({ kind }) => kind !== 'rewritten');
    if (word !== 'oneOf' || !weaker) return [{ words: { [word]: lowered }, said: [] }];
    // Forms that lost a word may fit a value together, and then exactly one would be too few.
    tell(to, at, word, 'described', 'its forms lost what tells them apart, so that more than one may fit');
    const said = ['Exactly one of the forms must fit.'];
    return flat.anyOf ? [{ words: {}, said }] : [{ words: { anyOf: lowered }, said }];
  });
}
