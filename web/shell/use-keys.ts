import { useEffect } from 'preact/hooks';

/** What a key does; true where it was ours. */
export type KeyTable = Readonly<Record<string, (() => void) | undefined>>;

/** Whether keys go into this element as text. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Does what a table says for keys that are pressed outside of fields and without Ctrl, Alt or Meta. */
export function useKeys(table: KeyTable): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      if (takesText(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      const act = Object.hasOwn(table, event.key) ? table[event.key] : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
