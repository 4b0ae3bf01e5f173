import type { Attributes, Span } from '@opentelemetry/api';
import { checkArgument } from '../../json/value.ts';
import { responseAttributes } from '../../run/tracing/attributes.ts';
import { openTelemetry, type Tracer } from '../../run/tracing/open-telemetry.ts';
import type { RequestRecord } from './request-record.ts';

/**
 * Creates a listener that records a span for each model request, within the client's trace if it has one. Without
 * `@opentelemetry/api`, it records nothing.
 *
 * @param custom creates the spans (default: the global tracer)
 */
export function traceRequests(custom?: Tracer): (seen: RequestRecord) => void {
  checkArgument(
    custom === undefined || typeof custom?.startSpan === 'function',
    'tracer',
    'a tracer of OpenTelemetry',
    custom,
  );
  const api = openTelemetry();
  if (!api) return () => {};
  const { context, propagation, SpanKind, SpanStatusCode } = api;
  const tracer = custom ?? api.trace.getTracer('toolmend');
  return (seen) => {
    if (seen.client === undefined) return;
    const parent = propagation.extract(context.active(), { traceparent: seen.traceparent });
    const { at, ms, model, error, status } = seen;
    const name = `chat ${model}`.trim();
    const span = tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, startTime: at, attributes: attributesOf(seen) },
      parent,
    ) as Span;
    if (error !== undefined || status >= 400) {
      span.setAttribute('error.type', String(status));
      span.setStatus({ code: SpanStatusCode.ERROR, ...(error !== undefined && { message: error }) });
    }
    span.end(at + ms);
  };
}

function attributesOf({ id, model, upstream, client, wire, status, own, calls, response }: RequestRecord): Attributes {
  const count = (wanted: string): number => calls.filter(({ outcome }) => outcome.status === wanted).length;
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'toolmend.id': id,
    'toolmend.upstream': upstream,
    'toolmend.wire': wire ?? '',
    'toolmend.client': client ?? '',
    'http.response.status_code': status,
    'toolmend.added_ms': own,
    'toolmend.calls.ok': count('ok'),
    'toolmend.calls.mended': count('mended'),
    'toolmend.calls.invalid': count('invalid'),
    ...(response && responseAttributes(response)),
  };
}
