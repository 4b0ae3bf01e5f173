import { hasOwn, type Path } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { describeWord } from './describe-word.ts';
import { tell } from './flatten.ts';
import { type Lowered, nothing } from './lowered.ts';
import type { Lowering } from './lowering.ts';
import { isOfTypes, typesIn } from './types-in.ts';

/** A list of more values than this may hold so many characters in all. */
const long = { values: 250, characters: 15_000 };

/** The values a schema lists as allowed, under `enum` or as the one `const`. */
export function lowerEnum(flat: SchemaObject, at: Path, to: Lowering): Lowered {
  const one = hasOwn(flat, 'const');
  if (!one && !Array.isArray(flat.enum)) return nothing;
  const word = one ? 'const' : 'enum';
  const given: unknown[] = one ? [flat.const] : (flat.enum ?? []);
  const members = possible(given, flat, at, to);
  const why = refusal(members, flat, to);
  if (why !== undefined) {
    // Values that the type forbids are still what somebody meant to say.
    const meant = members.length > 0 ? members : given;
    const sentence = meant.length > 0 ? describeWord(word, one ? flat.const : meant) : undefined;
    tell(to, at, word, sentence ? 'described' : 'dropped', why);
    return { words: {}, said: sentence ? [sentence] : [] };
  }
  to.room.values -= members.length;
  if (one && to.rules.words.has('const')) return { words: { const: flat.const }, said: [] };
  if (one) tell(to, at, 'const', 'rewritten', 'it is said with enum, which is taken');
  return { words: { enum: members }, said: [] };
}

/** Each value once, and none that the type beside it forbids: strict readers refuse the whole schema for one. */
function possible(given: readonly unknown[], flat: SchemaObject, at: Path, to: Lowering): unknown[] {
  if (to.rules.open) return [...given];
  const types = typesIn(flat);
  const fitting = types ? given.filter((value) => isOfTypes(value, types)) : given;
  const members = [...new Map(fitting.map((value) => [JSON.stringify(value) ?? '', value])).values()];
  if (fitting.length < given.length)
    tell(to, at, 'enum', 'rewritten', `values are left out that are not of type ${types?.join(' or ')}`);
  if (members.length < fitting.length)
    tell(to, at, 'enum', 'rewritten', 'values that stand there twice are listed once');
  return members;
}

/** Why the list is not taken as it is; nothing where it is. */
function refusal(members: readonly unknown[], flat: SchemaObject, { rules, room }: Lowering): string | undefined {
  if (members.length === 0) return 'a list of allowed values must not be empty';
  const composed = members.some((value) => typeof value === 'object' && value !== null);
  if (rules.enums === 'scalars' && composed) return 'only plain values may be listed';
  const listable = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
  if (rules.enums === 'texts and numbers' && !members.every(listable)) return 'only texts and numbers may be listed';
  if (rules.enums === 'texts' && flat.type !== 'string') return 'only texts may be listed';
  if (rules.enums.startsWith('texts') && members.includes('')) return 'an empty text may not be listed';
  if (members.length > room.values) return `there may be ${rules.most?.values} listed values in all`;
  const size = members.reduce<number>((sum, value) => sum + String(value).length, 0);
  if (rules.most && members.length > long.values && size > long.characters)
    return `a list of over ${long.values} values may hold ${long.characters} characters`;
  return undefined;
}
