import type { Path } from '../../json/value.ts';

/** A tree of the places that failed: parts not in it passed their validator, whatever their JSON Schema would say. */
export interface Failing {
  readonly parts: Map<string | number, Failing | 'whole'>;
  /** The tree of a part in which nothing failed. */
  readonly none: Failing;
}

const nothing = { parts: new Map() } as unknown as { parts: Failing['parts']; none: Failing };
nothing.none = nothing;

/** Lays failed paths out as a tree; undefined where the whole failed, so that all of it may be coerced. */
export function failingTree(failed: readonly { readonly path: Path; readonly code: string }[]): Failing | undefined {
  const root: Failing = { parts: new Map(), none: nothing };
  for (const { path, code } of failed) {
    if (code === 'other') continue; // a rule of the validator's own, that no coercion can meet
    if (path.length === 0) return undefined;
    add(root, path);
  }
  return root;
}

function add(root: Failing, path: Path): void {
  let here = root;
  for (const [i, key] of path.entries()) {
    const known = here.parts.get(key);
    if (known === 'whole') return;
    if (i === path.length - 1) {
      here.parts.set(key, 'whole');
      return;
    }
    const next: Failing = known ?? { parts: new Map(), none: nothing };
    here.parts.set(key, next);
    here = next;
  }
}

/** What failed within a part: undefined where all of it did. */
export function failingAt(failing: Failing, key: string | number): Failing | undefined {
  const part = failing.parts.get(key);
  return part === 'whole' ? undefined : (part ?? failing.none);
}
