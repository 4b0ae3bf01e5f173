import type { Refusal } from '../src/inspect/api.ts';

/** URL of an API path, below the page itself. */
export const apiUrl = (path: string): string => `${import.meta.env.BASE_URL}api/${path}`;

/** Why a request failed, with a message for the user. */
export class AskError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends a request. Throws an `AskError` for anything but a successful response.
 *
 * @param options.text the body as text, sent unchanged
 */
export async function askApi<T>(
  path: string,
  { signal, body, text }: { signal?: AbortSignal; body?: unknown; text?: string } = {},
): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: text ?? JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(apiUrl(path), { ...(signal && { signal }), ...(body !== undefined && post) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AskError(0, "The server doesn't respond. Check that it is still running.");
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok)
    throw new AskError(response.status, messageOf(answer) ?? `The server responded with status ${response.status}.`);
  return answer as T;
}

const messageOf = (answer: unknown): string | undefined => {
  const message = (answer as Partial<Refusal> | undefined)?.error?.message;
  return typeof message === 'string' ? message : undefined;
};
