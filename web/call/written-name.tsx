import type { Repair } from '../../src/index.ts';
import { marksOf } from './mark.ts';
import { Marked } from './marked.tsx';

interface Props {
  /** The tool's own name, and the name written by the model. */
  readonly name: string;
  readonly written: string | undefined;
  readonly repairs: readonly Repair[];
}

/** The name written by the model, if it differs from the tool's own. */
export function WrittenName({ name, written, repairs }: Props) {
  if (written === undefined || written === name) return null;
  const marks = marksOf(
    repairs.filter(({ kind }) => kind === 'name'),
    [],
  );
  return (
    <span class="quiet">
      written as{' '}
      <Marked marks={marks}>
        <code>{written || 'nothing'}</code>
      </Marked>
    </span>
  );
}
