import { type Mark, pathOf } from './mark.ts';

/** Marks by where they belong: here, and below each key. */
export interface MarkTree {
  readonly here: Mark[];
  readonly below: Map<string | number, MarkTree>;
}

export const emptyTree = (): MarkTree => ({ here: [], below: new Map() });

/** Hangs marks into the tree of their paths. */
export function markTree(marks: readonly Mark[]): MarkTree {
  const root = emptyTree();
  for (const mark of marks) {
    let tree = root;
    for (const step of pathOf(mark)) {
      let next = tree.below.get(step);
      if (!next) {
        next = emptyTree();
        tree.below.set(step, next);
      }
      tree = next;
    }
    tree.here.push(mark);
  }
  return root;
}

/** Every mark of a tree, from the top down. */
export const allMarks = ({ here, below }: MarkTree): Mark[] => [...here, ...[...below.values()].flatMap(allMarks)];
