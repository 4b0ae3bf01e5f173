import { useEffect } from 'preact/hooks';

/** Actions by key. */
export type KeyTable = Readonly<Record<string, (() => void) | undefined>>;

/** Whether an element accepts text input. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Runs the actions for keys pressed outside of input fields, without Ctrl, Alt or Meta. */
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
