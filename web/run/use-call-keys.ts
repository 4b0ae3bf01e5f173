import { useKeys } from '../shell/use-keys.ts';

/** Moves between calls in a timeline with j, k and the arrow keys. */
export function useCallKeys(): void {
  const step = (by: number) => () => {
    const links = [...document.querySelectorAll<HTMLElement>('.call-card-name a')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: step(1), k: step(-1) });
}
