import type { Problem, Repair } from '../../src/index.ts';

/** A repair or a problem to highlight. */
export type Mark =
  | { readonly type: 'repair'; readonly repair: Repair }
  | { readonly type: 'problem'; readonly problem: Problem };

/** Converts repairs and problems to marks. */
export const marksOf = (repairs: readonly Repair[], problems: readonly Problem[]): Mark[] => [
  ...repairs.map((repair) => ({ type: 'repair', repair }) as const),
  ...problems.map((problem) => ({ type: 'problem', problem }) as const),
];

/** Path of a mark. */
export const pathOf = (mark: Mark): Repair['path'] =>
  (mark.type === 'repair' ? mark.repair.path : mark.problem.path) ?? [];

/** The appearance of the most severe mark. */
export function toneOf(marks: readonly Mark[]): 'bad' | 'inferred' | 'lossless' {
  if (marks.some(({ type }) => type === 'problem')) return 'bad';
  return marks.some((mark) => mark.type === 'repair' && mark.repair.certainty !== 'lossless') ? 'inferred' : 'lossless';
}
