import { redactSecrets } from '../../json/redact-secrets.ts';
import type { TurnError } from '../../model/index.ts';
import type { Provider } from '../wire/types.ts';
import { excerpt } from './endpoint.ts';
import { retryAfter } from './retry.ts';

/** Network errors by system error code: a description, and whether the error is transient. */
export const networkCauses: Readonly<Record<string, readonly [words: string, passes: boolean]>> = {
  ECONNREFUSED: ['the connection was refused', true],
  ENOTFOUND: ['the host was not found', false],
  EAI_AGAIN: ['the host name could not be resolved', true],
  ECONNRESET: ['the connection was closed', true],
  EPIPE: ['the connection was closed', true],
  ETIMEDOUT: ['the connection timed out', true],
  EHOSTUNREACH: ['the host is unreachable', true],
  ENETUNREACH: ['the network is unreachable', true],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", false],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is self-signed", false],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate is signed by an unknown authority", false],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate is signed by an unknown authority", false],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another host", false],
};

/** What error messages need in order to give advice. */
export interface Advice {
  /** Name of the service. */
  readonly label: string;
  readonly model: string;
  /** The URL, as it may be shown. */
  readonly where: string;
  /** Environment variable for the key. */
  readonly variable: string;
  /** Whether a key was sent. */
  readonly keyed: boolean;
}

const next: Readonly<Record<number, (about: Advice) => string>> = {
  401: ({ keyed, variable }) =>
    keyed ? `Check the key in ${variable} or apiKey.` : `Set ${variable}, or pass apiKey.`,
  403: ({ variable }) => `The key in ${variable} or apiKey lacks permission.`,
  404: ({ model, where }) => `Check that ${where} has a model '${model}'.`,
  405: ({ where }) => `Check baseURL: the request went to ${where}.`,
  413: () => 'The request is too large.',
};

/** Converts an error response to a `TurnError` with advice for the user. */
export function refusal(
  provider: Provider,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  about: Advice,
): TurnError {
  const body = parsed(text);
  const read = provider.readError(status, body ?? text);
  const said = body === undefined ? (text.trim() === '' ? 'no error message' : excerpt(text)) : read.message;
  const advice = next[status]?.(about);
  const should = headers.get('x-should-retry');
  const wait = retryAfter(headers) ?? read.retryAfter;
  return {
    ...read,
    status,
    message: [`${about.label} responded with ${status}: ${said.replace(/([^.!?…"])$/, '$1.')}`, advice]
      .filter(Boolean)
      .join(' '),
    // A conflict is usually a lock that is released soon.
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

/** Network errors with advice for users of a client, and the codes that only `fetch` and its streams use. */
const causes: typeof networkCauses = {
  ...networkCauses,
  ECONNREFUSED: ['the connection was refused; check that the server is running and that baseURL is correct', true],
  ENOTFOUND: ['the host was not found; check baseURL', true],
  EAI_AGAIN: ['the host name could not be resolved', true],
  UND_ERR_SOCKET: ['the connection was closed', true],
  CONNECT_TIMEOUT: ['connecting timed out', true],
  UND_ERR_CONNECT_TIMEOUT: ['connecting timed out', true],
  Z_DATA_ERROR: ['the response claims to be compressed, but is not', false],
  ERR_TRAILING_JUNK_AFTER_STREAM_END: ['the response claims to be compressed, but is not', false],
};

/** Describes a connection failure. */
export function networkError(thrown: unknown, where: string): TurnError {
  const code = codeOf(thrown);
  const [why, retryable] = causes[code ?? ''] ?? [wordsOf(thrown), true];
  const told = code === undefined ? why : `${why} (${code})`;
  return { kind: 'network', message: `${where}: ${told}`, retryable, ...(code !== undefined && { code }) };
}

/** Looks for a system error code on the error, its cause and the first of several attempts. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return undefined;
  const { code, cause, errors } = thrown as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && code in causes) return code;
  const inner = codeOf(cause, depth + 1) ?? codeOf(Array.isArray(errors) ? errors[0] : undefined, depth + 1);
  return inner ?? (typeof code === 'string' ? code : undefined);
}

const wordsOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== '' ? thrown.message : 'the connection failed';

const shortest = 4;

/** Replaces secrets in all strings of a value. Ignores short secrets, because they occur in ordinary words. */
export const redact = <T>(value: T, secrets: readonly string[]): T =>
  redactSecrets(
    secrets.filter((secret) => secret.length >= shortest),
    '[secret]',
  )(value);
