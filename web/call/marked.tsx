import type { ComponentChildren } from 'preact';
import { hideTip, showTip } from '../shell/tip-store.ts';
import { type Mark, toneOf } from './mark.ts';
import { MarkNotes } from './mark-notes.tsx';

interface Props {
  readonly marks: readonly Mark[];
  readonly children?: ComponentChildren;
}

/** Highlights content. Its repairs or problems show on hover and on focus. */
export function Marked({ marks, children }: Props) {
  if (marks.length === 0) return <>{children}</>;
  const show = (event: Event) => {
    // Otherwise an outer mark would replace the tooltip of an inner one.
    event.stopPropagation();
    showTip(event.currentTarget as HTMLElement, <MarkNotes marks={marks} />);
  };
  return (
    <mark
      class={`mark mark-${toneOf(marks)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what shows on hover must show on focus too
      tabIndex={0}
      aria-describedby="tip"
      onMouseOver={show}
      onMouseLeave={hideTip}
      onFocus={show}
      onBlur={hideTip}
    >
      {children ?? <span class="mark-caret">⁁</span>}
    </mark>
  );
}
