import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** The visible rows, and a few around them. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const around = 8;

/** Tracks a scrolling list with rows of equal height, so that only visible rows are rendered. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [seen, setSeen] = useState<Window>({ from: 0, to: 40 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / height) - around);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / height) + around;
      setSeen((seen) => (seen.from === from && seen.to === to ? seen : { from, to }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      sized.disconnect();
    };
  }, [box, height]);
  return { from: Math.min(seen.from, Math.max(0, count - 1)), to: Math.min(seen.to, count) };
}
