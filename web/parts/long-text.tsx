import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  /** So many characters are shown at first. */
  readonly limit?: number;
  readonly class?: string;
}

/** So many more come with each press, so that the browser never lays out a million at once. */
const step = 50_000;

/** Text as it is, shortened where it is long, with a way to see more of it. */
export function LongText({ text, limit = 2000, class: className = 'prose' }: Props) {
  const [shown, setShown] = useState(limit);
  const left = text.length - shown;
  return (
    <div class={className}>
      {left > 0 ? text.slice(0, shown) : text}
      {left > 0 && (
        <>
          <span aria-hidden="true">…</span>{' '}
          <button type="button" class="more" onClick={() => setShown(shown + step)}>
            Show {left > step ? `${step.toLocaleString('en')} of ` : ''}
            {left.toLocaleString('en')} more characters
          </button>
        </>
      )}
    </div>
  );
}
