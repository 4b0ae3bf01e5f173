import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, TurnResponse } from '../../model/index.ts';
import { WireError } from '../../provider/wire/errors.ts';
import type { ResponseHistory } from '../observe/response-history.ts';
import { withhold } from '../response/withheld-calls.ts';
import { exactJson, exactJsonOf, jsonOf } from '../upstream/http.ts';
import type { TurnExchange } from './exchange.ts';
import type { RequestPlan } from './plan-request.ts';

/** Fields of the Responses API whose content only the server that stored it has. */
const fields = ['previous_response_id', 'conversation', 'prompt'] as const;
const mentions = /"(?:previous_response_id|conversation|prompt|item_reference)"/;

/** Whether a request in the Responses API is sent to a server that can't look up stored content. */
const isTranslated = (plan: RequestPlan): boolean =>
  plan.type === 'turn' &&
  plan.turn.client.format === 'openai-responses' &&
  plan.turn.wire.format !== plan.turn.client.format;

/**
 * Replaces `previous_response_id` in a translated request by the stored conversation. Returns undefined if there is
 * nothing to replace.
 *
 * @param client name of the client's key
 * @throws WireError if the conversation isn't known to the proxy
 */
export async function withStoredItems(
  plan: RequestPlan,
  body: Buffer,
  history: ResponseHistory | undefined,
  client?: string,
): Promise<Buffer | undefined> {
  if (!isTranslated(plan) || !mentions.test(body.toString('utf8'))) return undefined;
  const value = exactJsonOf(body);
  if (!isObject(value)) return undefined;
  const { previous_response_id: previous } = value;
  for (const field of fields.slice(1))
    if (value[field] !== undefined && value[field] !== null) throw unknownContent(field);
  if (itemsOf(value).some((item) => isObject(item) && item.type === 'item_reference'))
    throw unknownContent(
      'input',
      "must not have the type item_reference. Set 'store' to false, so that clients send complete items",
    );
  if (typeof previous !== 'string') return undefined;
  const earlier = await history?.load(previous, client);
  if (!earlier)
    throw unknownContent(
      fields[0],
      history
        ? `${JSON.stringify(previous)} is unknown to the proxy. Send the complete conversation as input`
        : `can't be used, because neither the proxy nor the upstream stores responses. Send the complete conversation as input, or set "responses": true in the log settings of the proxy`,
    );
  // In place, because how numbers are written is remembered by object.
  value.input = [...earlier, ...itemsOf(value)];
  delete value.previous_response_id;
  return Buffer.from(exactJson(value));
}

const unknownContent = (
  field: string,
  what = "can't be used, because the upstream doesn't store content. Send the complete conversation as input",
): WireError => new WireError(field, what);

/** The input as items. */
function itemsOf({ input }: JsonObject): readonly JsonValue[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}

type SentTurn = Pick<TurnExchange, 'options' | 'client' | 'responseId' | 'seen'>;

/**
 * Stores a translated response for later requests, unless the client set `store` to false.
 *
 * @param key name of the client's key
 */
export async function storeResponse(exchange: SentTurn, body: Buffer, key?: string): Promise<void> {
  const { options, client, responseId, seen } = exchange;
  const value = jsonOf(body);
  if (!options.history || responseId === undefined || !isObject(value) || value.store === false || !seen.response)
    return;
  const { output } = client.writeResponse(sentResponse(exchange, seen.response)).wire;
  const { previous_response_id: previous } = value;
  const items = [...itemsOf(value), ...(Array.isArray(output) ? output : [])];
  await options.history
    .save(responseId, typeof previous === 'string' ? previous : undefined, items, key)
    .catch((error: unknown) => options.onError?.(`A response was not stored: ${String(error)}`));
}

/** A response with its calls as the client received them. */
function sentResponse({ seen, client }: SentTurn, response: TurnResponse): TurnResponse {
  const calls = new Map(seen.calls.map(({ part }) => [part.id, part]));
  const parts = response.message.parts.map(
    (part): AssistantPart => (part.type === 'call' ? (calls.get(part.id) ?? part) : part),
  );
  return withhold({ ...response, message: { ...response.message, parts } }, seen.calls, client);
}
