import { isObject } from '../../json/value.ts';
import type { AssistantPart, CallPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import type { Provider, StreamWriter } from '../wire/types.ts';
import type { PortableRequest } from './portable-request.ts';

/**
 * The API format of a client whose tools were translated to plain functions: it writes their calls as the client expects them.
 *
 * @param portable how to translate a call back, and whether a call can be expressed
 * @param id the id of the response; by default the upstream's, which isn't always unique
 */
export function portableClient(
  client: Provider,
  { back, expresses }: Pick<PortableRequest, 'back' | 'expresses'>,
  id?: string,
): Provider {
  const backPart = (part: AssistantPart): AssistantPart => (part.type === 'call' ? back(part) : part);
  const backResponse = (response: TurnResponse): TurnResponse => ({
    ...response,
    ...(id !== undefined && { id }),
    message: { ...response.message, parts: response.message.parts.map(backPart) },
  });
  return {
    ...client,
    expresses,
    writeResponse: (response) => client.writeResponse(backResponse(response)),
    writeStream: () => backStream(client.writeStream(), { back, backResponse, id }),
  };
}

interface WayBack {
  readonly back: (call: CallPart) => AssistantPart;
  readonly backResponse: (response: TurnResponse) => TurnResponse;
  readonly id: string | undefined;
}

function backStream(writer: StreamWriter, { back, backResponse, id }: WayBack): StreamWriter {
  /** Started parts that the client doesn't have as calls, by their index. */
  const started = new Map<number, AssistantPart>();
  const events = (event: TurnEvent): TurnEvent[] => {
    if (event.type === 'turn.started' && id !== undefined) return [{ ...event, id }];
    if (event.type === 'part.started' && event.part.type === 'call') {
      const part = back({ ...event.part, arguments: '' });
      started.set(event.index, part);
      return [{ ...event, part: unfinished(part) }];
    }
    // Free text isn't the JSON that the model writes.
    if (event.type === 'part.delta' && started.get(event.index)?.type === 'opaque') return [];
    if (event.type === 'part.finished' && event.part.type === 'call') {
      const part = sameItem(back(event.part), started.get(event.index));
      return [...textEvents(part), { ...event, part }];
    }
    if (event.type === 'turn.finished' || event.type === 'turn.failed')
      return [{ ...event, response: backResponse(event.response) }];
    return [event];
  };
  return {
    write: (event) =>
      events(event)
        .map((one) => writer.write(one))
        .join(''),
    pass: (event) => {
      for (const one of events(event)) writer.pass(one);
    },
  };
}

/** A finished part with the id under which it started. */
function sameItem(part: AssistantPart, before: AssistantPart | undefined): AssistantPart {
  if (part.type !== 'opaque' || before?.type !== 'opaque' || !isObject(part.value) || !isObject(before.value))
    return part;
  return { ...part, value: { ...part.value, id: before.value.id ?? null } };
}

/** A part whose item says that it has only started. */
function unfinished(part: AssistantPart): AssistantPart {
  const status = 'in_progress';
  if (part.type === 'opaque') return isObject(part.value) ? { ...part, value: { ...part.value, status } } : part;
  if (part.type !== 'call' || !part.passthrough) return part;
  return { ...part, passthrough: { ...part.passthrough, fields: { ...part.passthrough.fields, status } } };
}

/** The events for the free text of a call. */
function textEvents(part: AssistantPart): TurnEvent[] {
  if (part.type !== 'opaque' || !isObject(part.value) || typeof part.value.input !== 'string') return [];
  const { id, input } = part.value;
  const event = (value: object): TurnEvent => ({
    type: 'provider.unknown',
    format: part.format,
    value: value as never,
  });
  return [
    event({ type: 'response.custom_tool_call_input.delta', item_id: id, delta: input }),
    event({ type: 'response.custom_tool_call_input.done', item_id: id, input }),
  ];
}
