import { isObject, type Path } from '../json/value.ts';

/**
 * Where the field of a definition's fault stands: from `parameters.properties.user.address[].zip.type` to
 * `['inputSchema', 'properties', 'user', 'properties', 'address', 'items', 'properties', 'zip', 'type']`. As far as it
 * goes where the last part is what is missing.
 */
export function fieldPath(field: string, definition: unknown, schemaKey: string): Path {
  if (!isObject(definition)) return [];
  const inSchema = /^parameters(?=$|[.[])/.exec(field);
  if (!inSchema) return Object.hasOwn(definition, field) ? [field] : [];
  return [schemaKey, ...follow(field.slice('parameters'.length), definition[schemaKey]).path];
}

interface Followed {
  readonly path: Path;
  /** How much of the field's text is left over. */
  readonly left: number;
}

function follow(rest: string, node: unknown): Followed {
  let best: Followed = { path: [], left: rest.length };
  for (const [steps, text] of ways(rest, node)) {
    const inner = steps.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], node);
    const found = follow(text, inner);
    if (found.left < best.left) best = { path: [...steps, ...found.path], left: found.left };
    if (best.left === 0) break;
  }
  return best;
}

/** The steps the text may mean here, each with the text left after it. */
function* ways(rest: string, node: unknown): Generator<[Path, string]> {
  if (typeof node !== 'object' || node === null) return;
  const [whole, index] = /^\[(\d*)\]/.exec(rest) ?? [];
  if (whole !== undefined) {
    const places: Path[] = index
      ? [[Number(index)], ['prefixItems', Number(index)], ['items', Number(index)]]
      : [['items']];
    for (const place of places) if (exists(node, place)) yield [place, rest.slice(whole.length)];
    return;
  }
  if (!rest.startsWith('.')) return;
  const { properties } = node as { properties?: unknown };
  for (const [held, before] of [
    [node, []],
    [properties, ['properties']],
  ] as const) {
    if (!isObject(held)) continue;
    for (const key of Object.keys(held)) {
      const after = rest.slice(1 + key.length);
      if (rest.startsWith(key, 1) && /^($|[.[])/.test(after)) yield [[...before, key], after];
    }
  }
}

function exists(node: unknown, path: Path): boolean {
  let at = node;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string | number, unknown>)[step];
  }
  return true;
}
