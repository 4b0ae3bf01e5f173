import { type Mark, pathOf } from './mark.ts';

/** Marks by path. */
export interface MarkTree {
  readonly here: Mark[];
  readonly below: Map<string | number, MarkTree>;
}

export const emptyTree = (): MarkTree => ({ here: [], below: new Map() });

/** Builds a tree of marks. */
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

/** All marks of a tree, top down. */
export const allMarks = ({ here, below }: MarkTree): Mark[] => [...here, ...[...below.values()].flatMap(allMarks)];
