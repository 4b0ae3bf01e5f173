import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { onTip, type Tip } from './tip-store.ts';

const gap = 6;

/** The tooltip of the page. It stays while the pointer is over it, and Escape closes it. */
export function TipLayer() {
  const [tip, setTip] = useState<Tip>();
  const box = useRef<HTMLDivElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const hide = () => setTip(undefined);
    onTip((next) => {
      clearTimeout(leaving.current);
      if (next) setTip(next);
      else leaving.current = setTimeout(hide, 120);
    });
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !box.current || box.current.hidden) return;
      // Escape only closes the tooltip then.
      event.stopImmediatePropagation();
      hide();
    };
    addEventListener('keydown', pressed, { capture: true });
    addEventListener('hashchange', hide);
    return () => {
      removeEventListener('keydown', pressed, { capture: true });
      removeEventListener('hashchange', hide);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!tip || !element) return;
    const target = tip.beside.getClientRects()[0] ?? tip.beside.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const below = target.bottom + gap + height < innerHeight;
    element.style.left = `${Math.max(8, Math.min(target.left, innerWidth - width - 8))}px`;
    element.style.top = `${below ? target.bottom + gap : Math.max(8, target.top - gap - height)}px`;
  }, [tip]);
  return (
    <div
      id="tip"
      role="tooltip"
      class="tip"
      ref={box}
      hidden={!tip}
      onMouseEnter={() => clearTimeout(leaving.current)}
      onMouseLeave={() => setTip(undefined)}
    >
      {tip?.says}
    </div>
  );
}
