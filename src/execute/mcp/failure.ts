import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { clip } from '../../json/clip.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import { messageOf } from '../tool-result.ts';
import { streamLost } from './transport.ts';

/** Whether a failed call certainly never reached the server (`unsent`), or the connection is lost. */
export type Delivery = 'unsent' | 'lost' | undefined;

interface Failure {
  readonly ok: false;
  readonly error: string;
  readonly errorType: 'validation' | 'runtime';
  readonly retryable: boolean;
  readonly recommendations?: readonly string[];
}

const longest = 1000;
const invalidParams = -32602;
const methodNotFound = -32601;

const closed: readonly string[] = [SdkErrorCode.ConnectionClosed, SdkErrorCode.SendFailed];
const unreadable: readonly string[] = [SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType];
/** Error codes that occur before anything is sent. */
const unreached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/** Whether the connection is lost, and whether the call certainly never reached the server. */
export function deliveryOf(error: unknown, hasSession: boolean): Delivery {
  if (SdkHttpError.isInstance(error)) {
    // For an unknown session, servers should respond 404, but many respond 400. Neither has run the call.
    return hasSession && (error.status === 404 || error.status === 400) ? 'unsent' : undefined;
  }
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.NotConnected) return 'unsent';
    return closed.includes(error.code) ? 'lost' : undefined;
  }
  if (ProtocolError.isInstance(error)) return isStreamLost(error) ? 'lost' : undefined;
  const code = causeCode(error);
  if (code === undefined) return undefined;
  return unreached.includes(code) ? 'unsent' : 'lost';
}

/** Converts an error to a failed result. `phase` tells whether the call was sent. */
export function failureOf(error: unknown, server: string, phase: 'connecting' | 'calling'): Failure {
  if (ProtocolError.isInstance(error) && !isStreamLost(error)) {
    const { code } = error;
    if (code === invalidParams) return failure(messageOf(error), { errorType: 'validation' });
    return failure(messageOf(error), { retryable: code !== methodNotFound });
  }
  const whose = `The MCP server '${server}'`;
  if (SdkHttpError.isInstance(error)) {
    const barred = error.status === 401 || error.status === 403;
    return failure(`${whose} responded with HTTP ${error.status}${barred ? ': access denied' : ''}`, {
      retryable: error.status >= 500 || error.status === 429,
      ...(barred && { recommendations: ['Tell the user that the credentials for this server are missing or wrong'] }),
    });
  }
  // A response that is nested too deeply throws a RangeError.
  if (error instanceof RangeError || (SdkError.isInstance(error) && unreadable.includes(error.code))) {
    return failure(`${whose} has run the call, but its response can't be read: ${messageOf(error)}`, {
      recommendations: ['Do not repeat the call: it has run. Tell the user that its result is lost'],
    });
  }
  if (phase === 'calling' && deliveryOf(error, false) === 'lost') {
    return failure(`The connection to ${whose} was lost during the call; whether it took effect is unknown`, {
      retryable: true,
      recommendations: ['Find out whether the call took effect, then try again if it did not'],
    });
  }
  return failure(`${whose} could not be reached: ${messageOf(error)}`, { retryable: true });
}

const failure = (error: string, rest: Partial<Failure>): Failure => ({
  ok: false,
  errorType: 'runtime',
  retryable: false,
  ...rest,
  error: clip(error, longest),
});

const isStreamLost = ({ code, data }: ProtocolError): boolean =>
  code === streamLost.code && isObject(data) && data.stream === streamLost.data.stream;

/** The code of a network error, which `fetch` puts in the cause. */
function causeCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && !ToolmendError.isInstance(at)) return at.code;
  }
  return undefined;
}

/** Why a tool isn't called although its arguments are valid. */
const reasons = {
  changed: {
    why: 'its server changed its definition, and the user has not accepted the new one yet',
    advice: 'Continue without this tool, or ask the user to review and accept the new definition',
  },
  unusable: {
    why: 'its server changed its definition to one that cannot be used',
    advice: 'Continue without this tool, and tell the user',
  },
  removed: { why: 'its server no longer offers it', advice: 'Continue without this tool' },
  outdated: {
    why: 'a newer definition was accepted, and this one is no longer valid',
    advice: 'Continue without this tool until the new definition is in place',
  },
} as const;

/** The result for a tool that differs from the accepted one. */
export const toolRefusal = (name: string, standing: keyof typeof reasons) => ({
  ok: false,
  error: `${name} was not called: ${reasons[standing].why}`,
  errorType: 'logical',
  retryable: false,
  recommendations: [reasons[standing].advice],
});
