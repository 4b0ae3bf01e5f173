import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { ResultPart, TurnError, TurnErrorKind, TurnFailed } from '../../model/index.ts';

/** A body that violates its API format. The message says where and what was expected. */
export class WireError extends ToolmendError {
  override readonly name = 'WireError';
  /** Path in the body: `messages.0.content`. */
  readonly where: string;

  constructor(where: string, expected: string) {
    super('invalid_body', `${where || 'The body'} ${expected}`);
    this.where = where;
  }

  /** True for such an error, also one that another copy of this package threw. */
  static override isInstance(error: unknown): error is WireError {
    return hasCode(error, 'invalid_body') && 'where' in error;
  }
}

/** Statuses with a kind of their own. Others go by their first digit. */
const known: Readonly<Record<number, TurnErrorKind>> = { 408: 'timeout', 429: 'rate_limit', 504: 'timeout' };

/** The error kind of an HTTP status, and whether a retry may succeed. */
export function statusKind(status: number): Pick<TurnError, 'kind' | 'retryable' | 'status'> {
  const kind = known[status] ?? (status >= 500 ? 'server' : status >= 400 ? 'request' : 'protocol');
  return { kind, retryable: kind !== 'request' && kind !== 'protocol', status };
}

/** The HTTP status for errors without one. */
export const kindStatus: Readonly<Record<TurnErrorKind, number>> = {
  network: 502,
  timeout: 504,
  aborted: 499,
  request: 400,
  rate_limit: 429,
  server: 500,
  protocol: 502,
};

/** An error for a response that violates its API format. */
export const protocolError = (message: string, retryable = false): TurnError => ({
  kind: 'protocol',
  message,
  retryable,
});

/** The error of a response that ends with the finish reason `error`, which few API formats have. */
export const endedInError: TurnError = {
  kind: 'server',
  message: "The upstream's response ended with an error",
  retryable: true,
  status: 502,
};

/** A failed turn without output. */
export const failedTurn = (error: TurnError): TurnFailed => ({
  type: 'turn.failed',
  error,
  response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
});

/**
 * How servers refuse tools: vLLM, Ollama, llama-server without `--jinja` and before it, and servers that name what they
 * lack. Each pattern contains the word "tool" or "function", because other parameters are refused in the same way.
 */
const refusals: readonly RegExp[] = [
  /enable-auto-tool-choice|tool choice requires/i,
  /\btools? param(?:eter)?s? requires?\b|\bunsupported param(?:eter)?s?:? [`'"]?tools?\b/i,
  /\b(?:does not|doesn't) support (?:tools?|tool[ -](?:use|calls?|calling)|function[ -]call(?:s|ing)?)\b/i,
  /\b(?:tools?|tool[ -](?:use|calls?|calling)|function[ -]call(?:s|ing)?)[`'"]? (?:is|are) not supported\b/i,
];

/** Whether a server reports that the model doesn't support tools. Some report it as an error of their own. */
export const takesNoTools = ({ kind, message, status = 0 }: TurnError): boolean =>
  (kind === 'request' || kind === 'server') && status >= 400 && refusals.some((words) => words.test(message));

/** Adds "Error" to the content of a result, for APIs that can't flag errors. */
export function writeErrorText(content: ResultPart['content']): ResultPart['content'] {
  const [first, ...others] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error' }, ...content];
  return hasErrorText(first.text) ? content : [{ ...first, text: `Error: ${first.text}` }, ...others];
}

/** Whether the text of a result describes an error, for APIs that can't flag errors. */
export const hasErrorText = (text: string): boolean => /^\s*(?:error\b|\{\s*"ok"\s*:\s*false)/i.test(text);
