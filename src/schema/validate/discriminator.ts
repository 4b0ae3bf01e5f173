import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema } from '../types.ts';
import type { Validator } from './validator.ts';

/** A key whose fixed values distinguish the forms of a union, and the forms by value. */
interface Tags {
  readonly key: string;
  readonly forms: ReadonlyMap<unknown, readonly number[]>;
}

/**
 * The checker that resolves references. Caches are kept per checker, because another document may resolve them
 * differently.
 */
type Owner = Pick<Validator, 'resolve'>;

const known = new WeakMap<Owner, WeakMap<readonly JsonSchema[], Tags | null>>();
const none: readonly number[] = [];

/**
 * Indexes of the forms that an object can match, if a key with fixed values excludes the others; undefined if none
 * does. Indexed, so that many items and many forms stay linear.
 */
export function formsByTag(value: unknown, forms: readonly JsonSchema[], owner: Owner): readonly number[] | undefined {
  if (forms.length < 4 || !isObject(value)) return undefined;
  const own = cached(known, owner, () => new WeakMap());
  const tags = cached(own, forms, () => tagsOf(forms, owner) ?? null);
  if (tags === null || !hasOwn(value, tags.key)) return undefined;
  const given = value[tags.key];
  return typeof given === 'object' && given !== null ? none : (tags.forms.get(given) ?? none);
}

function tagsOf(forms: readonly JsonSchema[], owner: Owner): Tags | undefined {
  const properties = forms.map((form) => {
    const node = owner.resolve(form);
    return isObject(node) && isObject(node.properties) ? node.properties : {};
  });
  for (const key of Object.keys(properties[0] ?? {})) {
    const places = new Map<unknown, number[]>();
    const isTag = properties.every((held, at) => {
      const members = hasOwn(held, key) ? membersOf(owner.resolve(held[key] as JsonSchema)) : undefined;
      for (const member of new Set(members)) {
        cached(places, member, () => []).push(at);
      }
      return members !== undefined;
    });
    if (isTag && places.size > 1) return { key, forms: places };
  }
  return undefined;
}

/** The fixed values of a schema, if all are scalars. */
function membersOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  const members = hasOwn(schema, 'const') ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  return members?.every((one) => typeof one !== 'object' || one === null) ? members : undefined;
}
