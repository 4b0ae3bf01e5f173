import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type Client,
  LOG_LEVEL_META_KEY,
  type McpSubscription,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { McpTool } from '../../tools/tool-from-mcp.ts';
import type { RequestContext } from '../rpc.ts';
import { anything, forever, type Message, type Wire } from '../rpc.ts';

export interface AskOptions {
  /** The client's request that this belongs to, if any. */
  readonly asked?: RequestContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Definition of the called tool. */
  readonly definition?: McpTool | undefined;
}

/**
 * Forwards a request to a server, with the client's `_meta`, progress token and input. The result is returned
 * unchanged.
 */
export async function askServer(client: Client, { method, params }: Message, options: AskOptions): Promise<Wire> {
  const { asked, definition } = options;
  const signal = options.signal ?? asked?.signal;
  const meta = metaFor(client, asked);
  const said = isNew(client) ? answersOf(asked) : {};
  const sent = { ...params, ...said, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  const how: RequestOptions = {
    timeout: forever,
    allowInputRequired: true,
    ...(signal && { signal }),
    ...progressOf(asked),
  };
  // Servers can require arguments to be repeated in headers, which the SDK does only in `callTool`.
  if (definition && isNew(client) && JSON.stringify(definition.inputSchema ?? {}).includes('"x-mcp-header"')) {
    const result: CallToolResult = await client.callTool(sent as never, {
      ...how,
      toolDefinition: { ...definition, outputSchema: undefined } as never,
    });
    return result;
  }
  return client.request({ method, params: sent }, anything, how);
}

/** Subscribes to a resource. In the newer protocol it returns the stream to listen on. */
export async function subscribeAt(
  client: Client,
  uri: string,
  options: AskOptions,
): Promise<McpSubscription | undefined> {
  if (isNew(client)) return client.listen({ resourceSubscriptions: [uri] });
  await askServer(client, { method: 'resources/subscribe', params: { uri } }, options);
  return undefined;
}

const isNew = (client: Client): boolean => client.getProtocolEra() === 'modern';

function metaFor(client: Client, asked: RequestContext | undefined): Wire {
  if (!asked) return {};
  const { progressToken: _, ...meta } = asked.meta;
  if (!isNew(client)) return meta;
  return {
    ...meta,
    [CLIENT_CAPABILITIES_META_KEY]: asked.capabilities,
    ...(asked.logLevel !== undefined && { [LOG_LEVEL_META_KEY]: asked.logLevel }),
  };
}

const answersOf = (asked: RequestContext | undefined): Wire => ({
  ...(asked?.inputResponses && { inputResponses: asked.inputResponses }),
  ...(asked?.requestState !== undefined && { requestState: asked.requestState }),
});

/** Requests progress only if the client did. */
function progressOf(asked: RequestContext | undefined): Pick<RequestOptions, 'onprogress'> {
  const progressToken = asked?.meta.progressToken;
  if (!asked || progressToken === undefined) return {};
  return {
    onprogress: (progress) => asked.tell({ method: 'notifications/progress', params: { ...progress, progressToken } }),
  };
}

/** Limit for servers whose pages never end. */
const mostPages = 1000;

/** Everything that a server lists, from all pages. */
export async function listAll(client: Client, method: string, field: string, timeout: number): Promise<Wire[]> {
  const all: Wire[] = [];
  const seen = new Set<unknown>();
  let cursor: unknown;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method, params }, anything, { timeout });
    if (Array.isArray(page[field])) all.push(...page[field].filter(isObject));
    cursor = page.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '' || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return all;
}
