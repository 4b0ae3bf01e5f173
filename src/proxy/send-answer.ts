import { mendParts } from '../call/mend-parts.ts';
import { eventsOf } from '../provider/events-of.ts';
import type { TurnResponse } from '../turn/turn.ts';
import { beforeOf } from './before-of.ts';
import type { TurnExchange } from './exchange.ts';
import { reportOf, summaryOf } from './report.ts';
import { withhold } from './withheld.ts';

const types = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

/** Sends an answer that was put together here, as a stream where the client asked for one. */
export function sendAnswer(exchange: TurnExchange, answer: TurnResponse): void {
  const { client, response, options, id, question, toolbox, upstream } = exchange;
  const { live = false } = options;
  const { response: judged, calls } = mendParts(answer, {
    toolbox,
    policy: upstream.policy,
    live,
    before: beforeOf(exchange),
  });
  const mended = withhold(judged, calls, client);
  const streamed = question().stream === true;
  const writer = client.writeStream();
  const text = streamed
    ? [...eventsOf(mended)].map((event) => writer.write(event)).join('')
    : JSON.stringify(client.writeResponse(mended).wire);
  response.writeHead(200, {
    'content-type': streamed ? types[client.framing] : 'application/json',
    'x-toolmend-id': id,
    ...(!streamed && { 'x-toolmend-calls': summaryOf(calls) }),
  });
  response.end(text);
  options.onAnswer?.(reportOf(exchange, calls, streamed));
}
