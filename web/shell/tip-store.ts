import type { ComponentChildren } from 'preact';

/** What is said beside an element. */
export interface Tip {
  readonly beside: HTMLElement;
  readonly says: ComponentChildren;
}

let listener: (tip: Tip | undefined) => void = () => {};

/** Who draws tips; there is one. */
export const onTip = (listen: typeof listener): void => {
  listener = listen;
};

/** Says something beside an element. */
export const showTip = (beside: HTMLElement, says: ComponentChildren): void => listener({ beside, says });

/** Says no more. */
export const hideTip = (): void => listener(undefined);
