import type { AskError } from '../ask-api.ts';
import { Notice } from './notice.tsx';

/** Why loading failed, with a button to retry. */
export function Failed({ error, again }: { readonly error: AskError; readonly again: () => void }) {
  return (
    <Notice tone="bad" title={titles[error.status] ?? 'That did not work'}>
      <p>{error.message}</p>
      <button type="button" class="button" onClick={again}>
        Try again
      </button>
    </Notice>
  );
}

const titles: Readonly<Record<number, string>> = {
  0: 'The server is out of reach',
  401: 'The server wants a token',
  403: 'The server turned this page away',
  404: 'There is no such thing here',
};
