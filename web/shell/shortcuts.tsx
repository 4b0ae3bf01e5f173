import { useEffect, useRef } from 'preact/hooks';

const keys: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['j', 'k'], 'Next or previous run or call (also with the arrow keys)'],
  [['Enter'], 'Open it'],
  [['Esc'], 'Go back, or leave the current field'],
  [['/'], 'Search'],
  [['g', 'f', 't'], 'Runs, Figures, Try it'],
  [['?'], 'This list'],
];

/** The list of keyboard shortcuts, in a native dialog. */
export function Shortcuts({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="shortcuts" aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title">Keyboard</h2>
      <dl>
        {keys.map(([names, words]) => (
          <div key={words}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
