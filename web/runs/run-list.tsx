import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunRow } from '../../src/inspect/api.ts';
import { useKeys } from '../shell/use-keys.ts';
import { RunLine } from './run-line.tsx';
import { useWindow } from './use-window.ts';

interface Props {
  readonly rows: readonly RunRow[];
  readonly total: number;
  readonly fresh: number;
  readonly more: () => void;
}

/** Row height in pixels, as in the style sheet. */
const height = 60;

/** The visible rows of a list of any length. New rows at the top don't move the visible ones. */
export function RunList({ rows, total, fresh, more }: Props) {
  const box = useRef<HTMLElement>(null);
  const { from, to } = useWindow(box, rows.length, height);
  const [chosen, setChosen] = useState<string>();
  const [away, setAway] = useState(0);
  const before = useRef(fresh);

  useLayoutEffect(() => {
    const added = fresh - before.current;
    const scrolled = (box.current?.scrollTop ?? 0) > 0;
    if (added > 0 && scrolled && box.current) {
      box.current.scrollTop += added * height;
      setAway((away) => away + added);
    }
    if (added < 0) setAway(0);
    before.current = fresh;
  }, [fresh]);
  useLayoutEffect(() => {
    if (to >= rows.length - 20 && rows.length < total) more();
  }, [to, rows.length, total, more]);

  /** The row to focus once it is rendered. */
  const awaited = useRef<string>(undefined);
  const focusAwaited = () => {
    const row = awaited.current && document.getElementById(`run-${awaited.current}`);
    if (!row) return;
    awaited.current = undefined;
    row.focus({ preventScroll: true });
  };
  useLayoutEffect(focusAwaited);

  /** A ref besides the state, because a second key press may come before the next render. */
  const last = useRef<string>(undefined);
  const keep = (run: string) => {
    last.current = run;
    setChosen(run);
  };
  const choose = (index: number) => {
    const bounded = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[bounded];
    const element = box.current;
    if (!row || !element) return;
    keep(row.run);
    const top = bounded * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
    awaited.current = row.run;
    focusAwaited();
  };
  const step = (by: number) => () => choose(rows.findIndex(({ run }) => run === last.current) + by);
  useKeys({
    j: step(1),
    ArrowDown: step(1),
    k: step(-1),
    ArrowUp: step(-1),
    Home: () => choose(0),
    End: () => choose(rows.length - 1),
  });
  const toTop = () => {
    setAway(0);
    choose(0);
  };
  return (
    <div class="run-list-frame">
      {away > 0 && (
        <button type="button" class="fresh-rows" onClick={toTop}>
          ↑ {away} new
        </button>
      )}
      <section
        class="run-list"
        ref={box}
        aria-label="Runs, newest first"
        onScroll={() => box.current?.scrollTop === 0 && setAway(0)}
      >
        <ul style={{ height: `${rows.length * height}px` }}>
          {rows.slice(from, to).map((row, index) => (
            <li
              key={row.run}
              style={{ transform: `translateY(${(from + index) * height}px)` }}
              aria-setsize={total}
              aria-posinset={from + index + 1}
            >
              <RunLine row={row} chosen={row.run === chosen} onFocus={() => keep(row.run)} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
