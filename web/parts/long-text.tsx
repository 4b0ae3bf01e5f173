import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  /** Number of characters shown initially. */
  readonly limit?: number;
  readonly class?: string;
}

/** Characters to add per click, so that the browser never lays out a million at once. */
const step = 50_000;

/** Text that is shortened if it is long, with a button to show more. */
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
