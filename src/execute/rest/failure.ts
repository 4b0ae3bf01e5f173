import { STATUS_CODES } from 'node:http';
import { clip } from '../../json/clip.ts';
import { isObject } from '../../json/value.ts';
import type { Content } from './response.ts';
import { retryAfter, type ServiceReply } from './send.ts';

/** A failure as returned by a tool. */
export interface RestFailure {
  readonly ok: false;
  readonly error: string;
  readonly errorType: 'validation' | 'runtime' | 'logical';
  readonly retryable: boolean;
  readonly recommendations: readonly string[];
  readonly data?: unknown;
}

/** What failure messages need to know about the tool. */
export interface About {
  /** `GET https://api.test/users/{id}`: the template, because a filled URL may contain a secret. */
  readonly what: string;
  /** Environment variables of its credentials. */
  readonly variables: readonly string[];
  /** Whether it can safely be sent twice. */
  readonly again: boolean;
  /** Whether its definition says that it must not be sent twice. */
  readonly once: boolean;
}

type Advice = (about: About, wait: string) => string;

const byStatus: Readonly<Record<number, Advice>> = {
  400: () => "Compare the arguments with the service's message, and fix them",
  401: ({ variables }) =>
    `Do not repeat the call: the service did not accept the credentials. Tell the user to check ${named(variables)}`,
  403: () => 'Do not repeat the call: it is not permitted. Tell the user, or try another way',
  404: () => 'Check that the resource in the arguments exists; list or search first',
  408: () => 'Ask for less at once, or try again later',
  409: () => 'Read the current state first: it has changed, or the resource already exists',
  410: () => 'The resource was removed; continue without it',
  413: () => 'Send less data in one call',
  422: () => 'Fix the arguments that the service names, and try again',
  429: (_, wait) => `Wait ${wait} before the next call, and make fewer calls`,
};
const otherwise: Advice = () => "Read the service's message, change what it names, and try again";
const theirFault: Advice = (_, wait) => `The service failed: try again in ${wait}, or try another way`;
const maybeDone = 'It may have taken effect anyway: check before you repeat it';
const mayPass = [408, 409, 423, 425, 429];

/** The failure for an error response. */
export function statusFailure(response: Response, content: Content, about: About): RestFailure {
  const { status, statusText, headers } = response;
  const asked = retryAfter(headers);
  const wait = asked === undefined ? 'a while' : `${Math.ceil(asked / 1000)} seconds`;
  const advice = status >= 500 ? theirFault : (byStatus[status] ?? otherwise);
  const said = messageIn(content);
  const title = `${about.what} returned ${status} ${statusText || STATUS_CODES[status] || ''}`.trim();
  const unsure = status >= 500 && !about.again;
  return {
    ok: false,
    error: said === '' ? title : `${title}: ${said}`,
    errorType: 'logical',
    retryable: status >= 500 || mayPass.includes(status),
    recommendations: [advice(about, wait), ...(unsure ? [maybeDone] : [])],
    data: { status, ...(content.type === 'json' && { body: content.value }) },
  };
}

/** The failure for a service that didn't respond. */
export function noResponseFailure(answer: Exclude<ServiceReply, { type: 'answered' }>, about: About): RestFailure {
  if (answer.type === 'resting') {
    const seconds = `${Math.ceil(answer.wait / 1000)} seconds`;
    const error = `${about.what} was not sent: the service kept failing, and is paused for another ${seconds}`;
    return runtime(error, true, [`Wait ${seconds} before the next call, or try another way`]);
  }
  const { error } = answer;
  const refused = error.kind === 'blocked' || error.kind === 'redirect' || error.kind === 'invalid';
  const unsure = !refused && !about.again && error.systemCode !== 'ECONNREFUSED' && error.systemCode !== 'ENOTFOUND';
  const retryable = error.retryable && !(about.once && error.kind === 'timeout');
  return runtime(`${about.what} failed: ${error.message}`, retryable, [
    refused
      ? 'Do not repeat the call: its address is not allowed. Tell the user'
      : 'Try again later, or try another way',
    ...(unsure ? [maybeDone] : []),
  ]);
}

const unready = { missing: 'is not set', unusable: 'contains a character that must not be sent' } as const;

/** The failure for an environment variable that is missing or unusable, which the model can't fix. */
export const unreadyFailure = (type: keyof typeof unready, variable: string, { what }: About): RestFailure =>
  runtime(`${what} was not sent: the environment variable ${variable} ${unready[type]}`, false, [
    `Do not repeat the call. Tell the user to set ${variable}`,
  ]);

const runtime = (error: string, retryable: boolean, recommendations: readonly string[]): RestFailure => ({
  ok: false,
  error,
  errorType: 'runtime',
  retryable,
  recommendations,
});

const named = (variables: readonly string[]): string =>
  variables.join(' and ') || 'whether the service needs credentials';

const longest = 2000;
const words = ['message', 'error_description', 'detail', 'title', 'reason', 'error'];

/** The error message in a response, and the complete body if it has more. */
function messageIn(content: Content): string {
  if (content.type === 'text') return /html/.test(content.mediaType) ? '' : clip(content.text.trim(), longest);
  if (content.type !== 'json') return '';
  const message = messageOf(content.value);
  // Serialized again, because the original text may encode a secret in unusual ways.
  const whole = JSON.stringify(content.value);
  const more = isObject(content.value) && Object.keys(content.value).length > 1 && whole.length <= longest;
  return [message ?? (more ? '' : clip(whole, longest)), more ? whole : ''].filter(Boolean).join('\n');
}

function messageOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return clip(value, longest);
  if (Array.isArray(value)) return messageOf(value[0], depth + 1);
  if (!isObject(value) || depth > 4) return undefined;
  const inner = [...words, 'errors'].map((key) =>
    Object.hasOwn(value, key) ? messageOf(value[key], depth + 1) : undefined,
  );
  return inner.find((one) => one !== undefined && one !== '');
}
