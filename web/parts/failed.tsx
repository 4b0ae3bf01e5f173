import type { AskError } from '../ask-api.ts';
import { Notice } from './notice.tsx';

/** Why loading failed, with a button to retry. */
export function Failed({ error, again }: { readonly error: AskError; readonly again: () => void }) {
  return (
    <Notice tone="bad" title={titles[error.status] ?? 'Something went wrong'}>
      <p>{error.message}</p>
      <button type="button" class="button" onClick={again}>
        Try again
      </button>
    </Notice>
  );
}

const titles: Readonly<Record<number, string>> = {
  0: "The server can't be reached",
  401: 'The server requires a token',
  403: 'The server denied access',
  404: 'Not found',
};
