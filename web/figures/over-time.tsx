import type { Figures, Span } from '../../src/inspect/api.ts';
import { StatusIcon } from '../parts/status-icon.tsx';
import { moment } from '../parts/words.ts';
import { hideTip, showTip } from '../shell/tip-store.ts';
import { AsTable } from './as-table.tsx';
import { outcomeLabel, outcomes, roundUp, stacked, sumOf } from './outcomes.ts';

const height = 100;

/** Outcomes over time, as a stack per span. */
export function OverTime({ figures: { spans, from, to } }: { readonly figures: Figures }) {
  const top = roundUp(Math.max(0, ...spans.map(sumOf)));
  const when = timeWords(to - from);
  const steps = [1, 0.5, 0].map((part) => part * top);
  const all = outcomes.map(
    (outcome) => `${spans.reduce((sum, span) => sum + span[outcome], 0)} ${outcomeLabel(outcome)}`,
  );
  return (
    <figure class="card">
      <figcaption>
        <h2>Outcomes over time</h2>
        <span class="legend">
          {outcomes.map((outcome) => (
            <StatusIcon key={outcome} status={outcome} label />
          ))}
        </span>
      </figcaption>
      <div class="plot">
        <div class="plot-scale" aria-hidden="true">
          {steps.map((step) => (
            <span key={step}>{step.toLocaleString('en')}</span>
          ))}
        </div>
        <svg
          class="plot-bars"
          viewBox={`0 0 ${spans.length * 10} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Calls from ${when(from)} to ${when(to)}: ${all.join(', ')}`}
        >
          {spans.map((span, index) => (
            <Bar key={span.at} span={span} x={index * 10} top={top} when={when} />
          ))}
        </svg>
        <div class="plot-times" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <span key={part}>{when(from + part * (to - from))}</span>
          ))}
        </div>
      </div>
      <AsTable
        head={['From', ...outcomes.map(outcomeLabel)]}
        rows={spans.map((span) => [when(span.at), ...outcomes.map((outcome) => span[outcome])])}
      />
    </figure>
  );
}

interface BarProps {
  readonly span: Span;
  readonly x: number;
  readonly top: number;
  readonly when: (at: number) => string;
}

function Bar({ span, x, top, when }: BarProps) {
  const y = (value: number): number => height - (value / top) * height;
  const show = (event: Event) =>
    showTip(event.currentTarget as HTMLElement, <SpanNotes span={span} title={when(span.at)} />);
  return (
    // The table below has the same data for keyboard users.
    // biome-ignore lint/a11y/noStaticElementInteractions: a tip for the pointer alone
    // biome-ignore lint/a11y/useKeyWithMouseEvents: sixty stops for the keyboard would be in its way
    <g onMouseOver={show} onMouseOut={hideTip}>
      <rect class="plot-hit" x={x} y="0" width="10" height={height} />
      {stacked(span).map(({ outcome, from, to }) => (
        <rect key={outcome} class={`fill-${outcome}`} x={x + 1} width="8" y={y(to)} height={y(from) - y(to)} />
      ))}
    </g>
  );
}

const SpanNotes = ({ span, title }: { readonly span: Span; readonly title: string }) => (
  <>
    <p>
      <strong>{title}</strong>
    </p>
    {outcomes.map((outcome) => (
      <p key={outcome} class="span-note">
        <StatusIcon status={outcome} label /> {span[outcome].toLocaleString('en')}
      </p>
    ))}
  </>
);

/** Formats times for an axis of this length: with the date if it is longer than a day. */
function timeWords(length: number): (at: number) => string {
  const day = 86_400_000;
  const options: Intl.DateTimeFormatOptions =
    length < 600_000
      ? { hour: '2-digit', minute: '2-digit', second: '2-digit' }
      : length < day
        ? { hour: '2-digit', minute: '2-digit' }
        : { day: 'numeric', month: 'short', ...(length < 7 * day && { hour: '2-digit', minute: '2-digit' }) };
  return (at) => moment(at, options);
}
