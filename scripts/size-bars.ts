import type { Part } from './bundle.ts';

const KB = 1024;

/**
 * Limits for the compressed size of what a program imports: the target, and the cap that keeps it from growing. Correct
 * refusals of ambiguous text take precedence over the target, so the caps are set to the current size.
 */
export const sizeBars: readonly {
  readonly label: string;
  readonly entry: string;
  readonly part: Part;
  /** What the program imports (default: everything). */
  readonly names?: string;
  readonly bar: number;
  readonly cap: number;
}[] = [
  {
    label: 'mend, tool, Toolbox, without dependencies',
    entry: 'src/index.ts',
    part: 'own',
    names: '{ mend, tool, Toolbox }',
    bar: 44 * KB,
    cap: 74.75 * KB,
  },
  { label: 'root entry, without dependencies', entry: 'src/index.ts', part: 'own', bar: 44 * KB, cap: 84.5 * KB },
  { label: 'root entry, with dependencies', entry: 'src/index.ts', part: 'all', bar: 140 * KB, cap: 129.75 * KB },
  { label: 'toolmend/json', entry: 'src/json/index.ts', part: 'all', bar: 16 * KB, cap: 25.5 * KB },
];
