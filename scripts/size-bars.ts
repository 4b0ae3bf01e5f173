import type { Part } from './bundle.ts';

const KB = 1024;

/**
 * What the root entry may weigh, compressed: the bar that is wanted, and the cap that keeps it from growing. The rules that refuse
 * writing with two readings came first; the caps stand where these have taken it.
 */
export const sizeBars: readonly {
  readonly part: Part;
  readonly label: string;
  readonly bar: number;
  readonly cap: number;
}[] = [
  { part: 'own', label: 'without dependencies', bar: 40 * KB, cap: 72 * KB },
  { part: 'all', label: 'with dependencies', bar: 140 * KB, cap: 160 * KB },
];
