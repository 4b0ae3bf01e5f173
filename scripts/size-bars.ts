import type { Part } from './bundle.ts';

const KB = 1024;

/**
 * Limits for the compressed size of the root entry: the target, and the cap that keeps it from growing. Correct refusals of
 * ambiguous text take precedence over the target, so the caps are set to the current size.
 */
export const sizeBars: readonly {
  readonly part: Part;
  readonly label: string;
  readonly bar: number;
  readonly cap: number;
}[] = [
  { part: 'own', label: 'without dependencies', bar: 40 * KB, cap: 77 * KB },
  { part: 'all', label: 'with dependencies', bar: 140 * KB, cap: 123 * KB },
];
