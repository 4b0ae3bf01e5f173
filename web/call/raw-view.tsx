import { useMemo, useState } from 'preact/hooks';
import { JsonView } from './json-view.tsx';
import type { Mark } from './mark.ts';
import { markTree } from './mark-tree.ts';
import { Marked } from './marked.tsx';
import { nest, type Stretch } from './nest.ts';
import { placeMarks } from './place-marks.ts';

interface Props {
  /** Model output: text, or a value for APIs that use values. */
  readonly written: unknown;
  readonly marks: readonly Mark[];
}

const first = 6000;
const step = 50_000;

/** Model output with all repairs and problems marked. */
export function RawView({ written, marks }: Props) {
  if (typeof written !== 'string') return <Value written={written} marks={marks} />;
  return <Text text={written} marks={marks} />;
}

const Value = ({ written, marks }: Props) => (
  <div class="code-box json">
    <JsonView value={written} tree={markTree(marks)} />
  </div>
);

function Text({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }) {
  const [shown, setShown] = useState(first);
  const { placed, left } = useMemo(() => placeMarks(text, marks), [text, marks]);
  const part = text.slice(0, shown);
  const whole = part.length === text.length;
  const seen = placed.filter(({ start }) => start <= part.length && (whole || start < part.length));
  return (
    <>
      <pre class="code-box raw">
        {text === '' && <span class="quiet">nothing</span>}
        <Stretches stretches={nest(part, seen)} />
        {!whole && (
          <button type="button" class="more" onClick={() => setShown(shown + step)}>
            … {(text.length - part.length).toLocaleString('en')} more characters
          </button>
        )}
      </pre>
      {left.length > 0 && (
        <p class="left-over">
          Root object:{' '}
          {left.map((mark, index) => (
            <Marked key={index} marks={[mark]}>
              {mark.type === 'repair' ? mark.repair.kind : mark.problem.code}
            </Marked>
          ))}
        </p>
      )}
    </>
  );
}

const Stretches = ({ stretches }: { readonly stretches: readonly Stretch[] }) => (
  <>
    {stretches.map((stretch, index) =>
      stretch.type === 'plain' ? (
        stretch.text
      ) : (
        <Marked key={index} marks={stretch.marks}>
          {stretch.inner.length > 0 ? <Stretches stretches={stretch.inner} /> : undefined}
        </Marked>
      ),
    )}
  </>
);
