import { CallOutcome } from '../call/call-outcome.tsx';
import { WrittenName } from '../call/written-name.tsx';
import { errorLabel } from '../parts/error-labels.ts';
import { LongText } from '../parts/long-text.tsx';
import { Notice } from '../parts/notice.tsx';
import { StatusIcon } from '../parts/status-icon.tsx';
import { counted } from '../parts/words.ts';
import type { TypedReading } from './check-typed.ts';

/** The calls read from the text, with their repairs and problems, and the remaining text. */
export function ReadingView({ reading }: { readonly reading: TypedReading }) {
  const { dialect, text, reasoning, calls } = reading;
  return (
    <div class="reading">
      <p class="reading-sum" role="status">
        {counted(calls.length, 'call')}
        {dialect && calls.length > 0 && (
          <>
            {' '}
            in the dialect <strong>{dialect}</strong>
          </>
        )}
      </p>
      {calls.length === 0 && (
        <Notice title="No call found in this text">
          <p>
            If it is only the arguments of a call, choose the tool under <em>Read as</em>. Calls without markers are
            found only if they name a known tool.
          </p>
        </Notice>
      )}
      {calls.map(({ outcome, told }, index) => (
        <article key={index} class="tried" aria-label={`Call ${index + 1}`}>
          <header class="call-card-head">
            <StatusIcon status={outcome.status} label />
            <span class="call-card-name">{outcome.name || 'no name'}</span>
            <WrittenName name={outcome.name} written={outcome.raw.name} repairs={outcome.repairs} />
            {outcome.status === 'invalid' && <span class="flag flag-bad">{errorLabel(outcome.errorType)}</span>}
          </header>
          <CallOutcome
            status={outcome.status}
            written={outcome.raw.arguments}
            input={outcome.input}
            repairs={outcome.repairs}
            problems={outcome.problems}
            told={told}
            note={outcome.status === 'invalid' ? undefined : outcome.note}
            schema={outcome.tool?.schema.json}
          />
        </article>
      ))}
      {reasoning && <Words title="Reasoning" text={reasoning} />}
      {text.trim() && <Words title="Text for the user" text={text.trim()} />}
    </div>
  );
}

const Words = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section class="panel">
    <h2>{title}</h2>
    <LongText text={text} />
  </section>
);
