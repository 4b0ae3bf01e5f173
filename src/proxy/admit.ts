import type { IncomingMessage } from 'node:http';
import { showsToken } from '../exec/door/shows-token.ts';
import { turnAway } from '../exec/door/turn-away.ts';
import type { TurnError } from '../turn/turn.ts';
import { shownKeys } from './shown-keys.ts';

/** Who may ask. */
export interface Admission {
  readonly token?: string | undefined;
  /** Names a request may call this machine by; any where the proxy listens to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
}

/** Says why a request is not let in; nothing where it is. */
export function admit(request: IncomingMessage, { hosts }: Admission): TurnError | undefined {
  const refused = turnAway(request, { whose: 'proxy', hosts });
  return refused && { kind: 'request', retryable: false, ...refused };
}

/** Says that the token is missing; nothing where it is shown, or none is wanted. */
export function missesToken(request: IncomingMessage, { token }: Admission): TurnError | undefined {
  if (token === undefined || showsToken(shownKeys(request), token)) return undefined;
  const message = 'This proxy wants its token, as the key of your client or in the header x-toolmend-token';
  return { kind: 'request', message, retryable: false, status: 401 };
}
