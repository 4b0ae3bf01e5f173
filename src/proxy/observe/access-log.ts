import type { CheckedCall } from '../../mend/mend-call.ts';
import { callReport } from './record-request.ts';
import type { RequestRecord } from './request-record.ts';

/** A request as one line of JSON: names, counts and times, without content. */
export function logJson(seen: RequestRecord): string {
  const {
    id,
    at,
    ms,
    own,
    method,
    path,
    status,
    left,
    model,
    upstreamModel,
    upstream,
    client,
    wire,
    streamed,
    warnings,
    error,
  } = seen;
  return JSON.stringify({
    ...{
      time: new Date(at).toISOString(),
      id: id || undefined,
      method,
      path,
      status,
      ms: rounded(ms),
      own_ms: rounded(own),
    },
    ...{
      model: model || undefined,
      upstream_model: upstreamModel,
      upstream: upstream || undefined,
      client,
      wire,
      streamed: client && streamed,
      left: left || undefined,
    },
    calls: seen.calls.length > 0 ? seen.calls.map(callReport) : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
    error,
  });
}

/** A request as one line of text. */
export function logText(seen: RequestRecord): string {
  const { at, ms, method, path, status, left, model, upstreamModel, upstream, client, wire, calls, warnings, error } =
    seen;
  const crossed = client !== wire ? ` (${client} → ${wire})` : '';
  const head = `${new Date(at).toISOString().slice(11, 19)} ${left ? 'left' : status} ${method} ${path}`;
  const about = [model, upstreamModel && `as ${upstreamModel}`, upstream && `at ${upstream}`].filter(Boolean).join(' ');
  const told = [
    `${head}${about === '' ? '' : ` ${about}`}${crossed} ${Math.round(ms)} ms`,
    ...calls.map((call) => `  ${callText(call)}`),
    ...warnings.map((loss) => `  warning: ${loss}`),
    ...(error === undefined ? [] : [`  ${error}`]),
  ];
  return told.join('\n');
}

function callText(call: CheckedCall): string {
  const { name, status, repairs, problems } = callReport(call);
  const why = [...repairs, ...problems].join(', ');
  return `${status} ${name}${why === '' ? '' : `: ${why}`}`;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
