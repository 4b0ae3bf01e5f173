import type { Path } from '../../json/value.ts';

/** A tree of failed paths. Other parts passed their validator, whatever their JSON Schema says. */
export interface Failing {
  readonly parts: Map<string | number, Failing | 'whole'>;
  /** The tree of a part without failures. */
  readonly none: Failing;
}

const nothing = { parts: new Map() } as unknown as { parts: Failing['parts']; none: Failing };
nothing.none = nothing;

/** Builds a tree of failed paths; undefined if the root failed, so that everything may be coerced. */
export function failingTree(failed: readonly { readonly path: Path; readonly code: string }[]): Failing | undefined {
  const root: Failing = { parts: new Map(), none: nothing };
  for (const { path, code } of failed) {
    if (code === 'other') continue; // a rule of the validator that coercion can't satisfy
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

/** The failures within a part; undefined if all of it failed. */
export function failingAt(failing: Failing, key: string | number): Failing | undefined {
  const part = failing.parts.get(key);
  return part === 'whole' ? undefined : (part ?? failing.none);
}
