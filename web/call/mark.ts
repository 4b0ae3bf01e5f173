import type { Problem, Repair } from '../../src/index.ts';

/** Something to point out in a text or a value: a change that was made, or a fault that was found. */
export type Mark =
  | { readonly type: 'repair'; readonly repair: Repair }
  | { readonly type: 'problem'; readonly problem: Problem };

/** Every repair and every problem as a mark. */
export const marksOf = (repairs: readonly Repair[], problems: readonly Problem[]): Mark[] => [
  ...repairs.map((repair) => ({ type: 'repair', repair }) as const),
  ...problems.map((problem) => ({ type: 'problem', problem }) as const),
];

/** Where it belongs. */
export const pathOf = (mark: Mark): Repair['path'] =>
  (mark.type === 'repair' ? mark.repair.path : mark.problem.path) ?? [];

/** How the gravest of several marks looks. */
export function toneOf(marks: readonly Mark[]): 'bad' | 'inferred' | 'lossless' {
  if (marks.some(({ type }) => type === 'problem')) return 'bad';
  return marks.some((mark) => mark.type === 'repair' && mark.repair.certainty !== 'lossless') ? 'inferred' : 'lossless';
}
