import type { TurnError } from '../../turn/turn.ts';
import type { Provider } from '../wire.ts';
import { excerpt } from './excerpt.ts';
import { retryAfter } from './retry-after.ts';

/** What a person is told to do about a status, beside what the provider says. */
export interface Advice {
  /** Who is asked. */
  readonly label: string;
  readonly model: string;
  /** The address, as it may be shown. */
  readonly where: string;
  /** The environment variable a key is read from. */
  readonly variable: string;
  /** Whether a key was sent. */
  readonly keyed: boolean;
}

const next: Readonly<Record<number, (about: Advice) => string>> = {
  401: ({ keyed, variable }) =>
    keyed ? `Check the key in ${variable} or apiKey.` : `Set ${variable}, or pass apiKey.`,
  403: ({ variable }) => `The key in ${variable} or apiKey may not do this.`,
  404: ({ model, where }) => `Is there a model '${model}' at ${where}?`,
  405: ({ where }) => `Is baseURL right? It led to ${where}.`,
  413: () => 'Send less: the request is too large.',
};

/** Reads an answer that is no answer, and tells it for people. */
export function refusal(
  provider: Provider,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  about: Advice,
): TurnError {
  const body = parsed(text);
  const read = provider.readError(status, body ?? text);
  const said = body === undefined ? (text.trim() === '' ? 'no word of explanation' : excerpt(text)) : read.message;
  const advice = next[status]?.(about);
  const should = headers.get('x-should-retry');
  const wait = retryAfter(headers) ?? read.retryAfter;
  return {
    ...read,
    status,
    message: [`${about.label} answered ${status}: ${said.replace(/([^.!?…"])$/, '$1.')}`, advice]
      .filter(Boolean)
      .join(' '),
    // A conflict is a lock that somebody else holds for a moment.
    retryable: should === null ? read.retryable || status === 409 : should === 'true',
    ...(wait !== undefined && { retryAfter: wait }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
