import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { checkArgument } from '../../json/value.ts';
import { responseAttributes } from '../../run/tracing/attributes.ts';
import type { RequestRecord } from './request-record.ts';

/** Creates a listener that records a span for each model request, within the client's trace if it has one. */
export function traceRequests(tracer: Tracer = trace.getTracer('toolmend')): (seen: RequestRecord) => void {
  checkArgument(typeof tracer?.startSpan === 'function', 'tracer', 'a tracer of OpenTelemetry', tracer);
  return (seen) => {
    if (seen.client === undefined) return;
    const parent = propagation.extract(context.active(), { traceparent: seen.traceparent });
    const { at, ms, model, error, status } = seen;
    const name = `chat ${model}`.trim();
    const span = tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, startTime: at, attributes: attributesOf(seen) },
      parent,
    );
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
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model, 'toolmend.id': id },
    ...{ 'toolmend.upstream': upstream, 'toolmend.wire': wire ?? '', 'toolmend.client': client ?? '' },
    ...{ 'http.response.status_code': status, 'toolmend.added_ms': own },
    ...{ 'toolmend.calls.ok': count('ok'), 'toolmend.calls.mended': count('mended') },
    'toolmend.calls.invalid': count('invalid'),
    ...(response && responseAttributes(response)),
  };
}
