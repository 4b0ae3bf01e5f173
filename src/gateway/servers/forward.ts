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
import type { RequestContext } from '../request-context.ts';
import { anything, forever, type Message, type Wire } from '../rpc.ts';

export interface AskOptions {
  /** The client's request this one is for, where it is for one. */
  readonly asked?: RequestContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The definition of the tool that is called. */
  readonly definition?: McpTool | undefined;
}

/** Passes a request on to a server, with the client's `_meta`, progress and answers; what comes back is not touched. */
export async function askServer(client: Client, { method, params }: Message, options: AskOptions): Promise<Wire> {
  const { asked, definition } = options;
  const signal = options.signal ?? asked?.signal;
  const meta = metaFor(client, asked);
  const said = isNew(client) ? answersOf(asked) : {};
  const sent = { ...params, ...said, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  const how: RequestOptions = {
    ...{ timeout: forever, allowInputRequired: true },
    ...(signal && { signal }),
    ...progressOf(asked),
  };
  // Servers may want some arguments repeated in headers, which the SDK does for calls alone.
  if (definition && isNew(client) && JSON.stringify(definition.inputSchema ?? {}).includes('"x-mcp-header"')) {
    const result: CallToolResult = await client.callTool(sent as never, {
      ...how,
      toolDefinition: { ...definition, outputSchema: undefined } as never,
    });
    return result;
  }
  return client.request({ method, params: sent }, anything, how);
}

/** Subscribes to a resource. Servers of the newer protocol are listened to instead, on a stream that is given. */
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

/** Progress is asked for only where the client did. */
function progressOf(asked: RequestContext | undefined): Pick<RequestOptions, 'onprogress'> {
  const progressToken = asked?.meta.progressToken;
  if (!asked || progressToken === undefined) return {};
  return {
    onprogress: (progress) => asked.tell({ method: 'notifications/progress', params: { ...progress, progressToken } }),
  };
}

/** A server whose pages never end must not keep us. */
const mostPages = 1000;

/** Everything a server lists, from all pages, as it came. */
export async function listAll(
  client: Client,
  method: 'tools/list' | 'prompts/list',
  field: string,
  timeout: number,
): Promise<Wire[]> {
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
