import { harmlessJson, visible } from '../../log/shown/visible.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import { callReport } from './record-request.ts';
import type { RequestRecord } from './request-record.ts';

/** A request as one line of JSON: names, counts and times, without content. */
export function logJson(seen: RequestRecord): string {
  const { id, model, upstream, client, attempts = [], warnings, calls } = seen;
  return harmlessJson({
    time: new Date(seen.at).toISOString(),
    id: id || undefined,
    method: seen.method,
    path: seen.path,
    key: seen.key,
    status: seen.status,
    ms: rounded(seen.ms),
    own_ms: rounded(seen.own),
    model: model || undefined,
    upstream_model: seen.upstreamModel,
    upstream: upstream || undefined,
    client,
    wire: seen.wire,
    streamed: client && seen.streamed,
    left: seen.left || undefined,
    tokens: tokensOf(seen),
    first_token_ms: seen.firstToken && rounded(seen.firstToken),
    attempts: attempts.length > 0 ? attempts : undefined,
    calls: calls.length > 0 ? calls.map(callReport) : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
    error: seen.error,
    error_kind: seen.errorKind,
  });
}

/** A request as one line of text, and a line for each call and warning. Models and clients wrote parts of it. */
export function logText(seen: RequestRecord): string {
  const { at, ms, method, path, status, left, model, upstreamModel, upstream } = seen;
  const { client, wire, attempts = [], calls, warnings, error } = seen;
  const translation = client !== wire ? ` (${client} → ${wire})` : '';
  const head = `${new Date(at).toISOString().slice(11, 19)} ${left ? 'left' : status} ${method} ${path}`;
  const about = [
    seen.key && `for ${seen.key}`,
    model,
    upstreamModel && `as ${upstreamModel}`,
    upstream && `at ${upstream}`,
  ]
    .filter(Boolean)
    .join(' ');
  const told = [
    `${head}${about === '' ? '' : ` ${about}`}${translation} ${Math.round(ms)} ms${figuresOf(seen)}`,
    ...attempts.map(({ upstream: failed, status: code, kind }) => `  failed before: ${failed} (${code ?? kind})`),
    ...calls.map((call) => `  ${callText(call)}`),
    ...warnings.map((loss) => `  warning: ${loss}`),
    ...(error === undefined ? [] : [`  ${error}`]),
  ];
  return told.map(visible).join('\n');
}

/** The tokens of a turn, if the upstream reports them. */
function tokensOf({ response }: RequestRecord): { input?: number; output?: number } | undefined {
  const { input, output } = response?.usage ?? {};
  if (input === undefined && output === undefined) return undefined;
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}

/** Tokens, and the time to the first one. */
function figuresOf(seen: RequestRecord): string {
  const { input = '?', output = '?' } = tokensOf(seen) ?? {};
  const tokens = tokensOf(seen) ? `, ${input} → ${output} tokens` : '';
  return `${tokens}${seen.firstToken === undefined ? '' : `, first after ${Math.round(seen.firstToken)} ms`}`;
}

function callText(call: CheckedCall): string {
  const { name, status, repairs, problems } = callReport(call);
  const why = [...repairs, ...problems].join(', ');
  return `${status} ${name}${why === '' ? '' : `: ${why}`}`;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
