import type { ComponentChildren } from 'preact';

/** A tooltip next to an element. */
export interface Tip {
  readonly beside: HTMLElement;
  readonly says: ComponentChildren;
}

let listener: (tip: Tip | undefined) => void = () => {};

/** Sets the only listener. */
export const onTip = (listen: typeof listener): void => {
  listener = listen;
};

/** Shows a tooltip. */
export const showTip = (beside: HTMLElement, says: ComponentChildren): void => listener({ beside, says });

/** Hides the tooltip. */
export const hideTip = (): void => listener(undefined);
