import { useState } from 'preact/hooks';

interface Props {
  readonly text: string | (() => string);
  /** Name of what is copied. */
  readonly what: string;
  /** Text on the button; without it only an icon. */
  readonly label?: string;
}

/** Copies something, and confirms it. */
export function CopyButton({ text, what, label }: Props) {
  const [done, setDone] = useState<'no' | 'yes' | 'failed'>('no');
  const copy = async () => {
    setDone(await toClipboard(typeof text === 'string' ? text : text()));
    setTimeout(() => setDone('no'), 2000);
  };
  const said = { no: label ?? '', yes: 'Copied', failed: 'Not copied' }[done];
  return (
    <button
      type="button"
      class={label ? 'button' : 'copy'}
      onClick={copy}
      aria-label={label ? undefined : `Copy the ${what}`}
    >
      <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
        <path
          d="M5 1h8a1 1 0 0 1 1 1v9h-1.5V2.5H5zM2.5 4h7.5a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H2.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM3 5.5v8h6.5v-8z"
          fill="currentColor"
          fill-rule="evenodd"
        />
      </svg>
      <span aria-live="polite">{said}</span>
    </button>
  );
}

async function toClipboard(text: string): Promise<'yes' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'yes';
  } catch {
    return 'failed';
  }
}
