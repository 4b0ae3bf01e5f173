import { isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import type { Layout } from './context.ts';

/**
 * The forms a schema allows, each whole with what stands beside the union: the branches of `anyOf` or `oneOf`, one form
 * for each of several types, and null beside an OpenAPI `nullable`. Undefined where there is only one.
 */
export function branchesOf(context: Layout, schema: SchemaObject, depth = 0): readonly JsonSchema[] | undefined {
  const known = context.branches.get(schema);
  if (known) return known.length ? known : undefined;
  const found = depth > deepest ? [] : split(context, schema, depth);
  context.branches.set(schema, found);
  return found.length ? found : undefined;
}

const deepest = 64;

function split(context: Layout, schema: SchemaObject, depth: number): readonly JsonSchema[] {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const forms = schema[word];
    if (!Array.isArray(forms) || forms.length === 0) continue;
    const { [word]: _, ...rest } = schema;
    const bare = Object.keys(rest).every((key) => besideUnion.has(key));
    const whole = [...new Set(forms.map((form) => context.interpreter.resolve(form)))];
    return bare ? whole : whole.map((form) => ({ allOf: [rest, form] }));
  }
  const { allOf } = schema;
  if (Array.isArray(allOf)) {
    const at = allOf.findIndex((part) => {
      const whole = context.interpreter.resolve(part);
      return isObject(whole) && branchesOf(context, whole as SchemaObject, depth + 1) !== undefined;
    });
    if (at !== -1) return spread(context, schema, at);
  }
  if (Array.isArray(schema.type) && schema.type.length > 1) return schema.type.map((type) => ofType(schema, type));
  if (schema.nullable === true) {
    const { nullable: _, ...rest } = schema;
    return [rest, { type: 'null' }];
  }
  return [];
}

/** A union inside `allOf`: each of its forms with all the other parts. */
function spread(context: Layout, schema: SchemaObject, at: number): readonly JsonSchema[] {
  const parts = schema.allOf as JsonSchema[];
  const forms = branchesOf(context, context.interpreter.resolve(parts[at] as JsonSchema) as SchemaObject) ?? [];
  return forms.map((form) => ({ ...schema, allOf: parts.map((part, i) => (i === at ? form : part)) }));
}

/** The part of a schema that one of its types is about. Members of other types are left out. */
function ofType(schema: SchemaObject, type: TypeName): JsonSchema {
  return { ...schema, type };
}

/** The types a value of this schema may have; undefined where any may come. */
export function typesOf(layout: Layout, schema: JsonSchema, depth = 0): ReadonlySet<TypeName> | undefined {
  const node = layout.interpreter.resolve(schema);
  if (!isObject(node) || depth > 16) return undefined;
  const known = layout.types.get(node as SchemaObject);
  if (known !== undefined) return known ?? undefined;
  const types = workOut(layout, node as SchemaObject, depth);
  layout.types.set(node as SchemaObject, types ?? null);
  return types;
}

function workOut(layout: Layout, node: SchemaObject, depth: number): ReadonlySet<TypeName> | undefined {
  const forms = branchesOf(layout, node);
  if (forms) {
    const all = forms.map((form) => typesOf(layout, form, depth + 1));
    return all.includes(undefined) ? undefined : new Set(all.flatMap((types) => [...(types as Set<TypeName>)]));
  }
  if (typeof node.type === 'string') return new Set([node.type]);
  for (const part of Array.isArray(node.allOf) ? node.allOf : []) {
    const types = typesOf(layout, part, depth + 1);
    if (types) return types;
  }
  const members = Array.isArray(node.enum) ? node.enum : Object.hasOwn(node, 'const') ? [node.const] : undefined;
  return members && new Set(members.map(typeOfMember));
}

const typeOfMember = (member: unknown): TypeName =>
  member === null ? 'null' : Array.isArray(member) ? 'array' : (typeof member as TypeName);

/** Words that may stand beside a union without holding its forms to anything: they are for people, or name what is elsewhere. */
export const besideUnion: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'discriminator',
]);
