import { useId, useMemo } from 'preact/hooks';
import type { Problem, Repair } from '../../src/index.ts';
import type { CallStatus } from '../../src/inspect/api.ts';
import { Guarded } from '../parts/guarded.tsx';
import { LongText } from '../parts/long-text.tsx';
import { ProblemList } from '../parts/problem-list.tsx';
import { JsonView } from './json-view.tsx';
import { type Mark, marksOf } from './mark.ts';
import { markTree } from './mark-tree.ts';
import { Marked } from './marked.tsx';
import { RawView } from './raw-view.tsx';
import { RepairTable } from './repair-table.tsx';
import { missingTypes } from './schema-in.ts';

/** A checked call, from a log or from this page. */
export interface CheckedCallProps {
  readonly status: CallStatus;
  readonly written: unknown;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
  /** Feedback for the model. */
  readonly told?: string | undefined;
  readonly note?: string | undefined;
  /** The tool's schema, if known. */
  readonly schema?: unknown;
}

/** The raw and the final arguments side by side, with repairs and problems below. */
export function CallOutcome(props: CheckedCallProps) {
  const { status, written, input, repairs = [], problems = [], told, note, schema } = props;
  const refused = status === 'invalid';
  const id = useId();
  // For a refused call, repairs are only listed. The name is marked above.
  const marks = useMemo(
    () => marksOf(refused ? [] : repairs.filter(({ kind }) => kind !== 'name'), problems),
    [refused, repairs, problems],
  );
  const hints = useMemo(() => missingTypes(input, schema), [input, schema]);
  return (
    <>
      <div class="sides">
        <section class="side" aria-labelledby={`${id}-written`}>
          <h2 id={`${id}-written`}>What the model wrote</h2>
          <Guarded what="text" from={written}>
            <RawView written={written} marks={marks} />
          </Guarded>
        </section>
        <section class="side" aria-labelledby={`${id}-input`}>
          <h2 id={`${id}-input`}>{refused ? 'Parsed arguments (not run)' : 'Arguments for the tool'}</h2>
          <Whole marks={marks} />
          <Guarded what="value" from={input}>
            <div class="code-box json">
              <JsonView value={input} tree={markTree(marks)} />
            </div>
          </Guarded>
        </section>
      </div>
      {problems.length > 0 && (
        <section class="panel" aria-labelledby={`${id}-problems`}>
          <h2 id={`${id}-problems`}>Problems</h2>
          <ProblemList problems={problems} />
        </section>
      )}
      {repairs.length > 0 && (
        <section class="panel" aria-labelledby={`${id}-repairs`}>
          <h2 id={`${id}-repairs`}>{refused ? 'Repairs that were not enough' : 'Repairs'}</h2>
          <RepairTable repairs={repairs} />
        </section>
      )}
      {hints.length > 0 && (
        <section class="panel" aria-labelledby={`${id}-types`}>
          <h2 id={`${id}-types`}>Missing types</h2>
          <ProblemList problems={hints} />
        </section>
      )}
      {(told || note) && (
        <section class="panel" aria-labelledby={`${id}-told`}>
          <h2 id={`${id}-told`}>{told ? 'Feedback for the model' : 'Note for the model'}</h2>
          <LongText text={told ?? note ?? ''} limit={4000} class="code-box told" />
        </section>
      )}
    </>
  );
}

/** Problems of the root object. */
function Whole({ marks }: { readonly marks: readonly Mark[] }) {
  const whole = marks.filter((mark) => mark.type === 'problem' && (mark.problem.path?.length ?? 0) === 0);
  if (whole.length === 0) return null;
  return (
    <p class="left-over">
      Root object: <Marked marks={whole}>{whole.length === 1 ? 'a problem' : `${whole.length} problems`}</Marked>
    </p>
  );
}
