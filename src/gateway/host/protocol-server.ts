import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import { handlers } from '../handlers/index.ts';
import type { RequestContext } from '../rpc.ts';
import { anything, type Wire } from '../rpc.ts';
import type { Session } from '../session.ts';

type Handler =
  Parameters<NonNullable<Server['fallbackRequestHandler']>> extends [infer R, infer C]
    ? (request: R, ctx: C) => Promise<Result>
    : never;

/**
 * An SDK server that forwards calls and results unchanged. The SDK's own rejects arguments that aren't an object, and
 * drops fields.
 */
class OpenServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // The wrapper for prompts does what calls need: it allows requests to the client, and doesn't validate the result.
    return super._wrapHandler(method === 'tools/call' ? 'prompts/get' : method, handler);
  }
}

/** Creates the server for a client. `era` is the version of its protocol. */
export function protocolServer(session: Session, era: 'legacy' | 'modern'): Server {
  const { capabilities, instructions } = session;
  const server = new OpenServer(
    { name: 'toolmend', title: 'Toolmend gateway', version: '0' },
    { capabilities, ...(instructions !== undefined && { instructions }) },
  );
  for (const [method, { needs, answer }] of Object.entries(handlers)) {
    if (capabilities[needs] === undefined) continue;
    server.setRequestHandler(method, { params: anything }, async (params, ctx) => {
      const result = await answer(session, params, askedOf(session, server, ctx, era));
      return (method === 'tools/call' ? server.projectCallToolResult(result as never, undefined) : result) as Result;
    });
  }
  // Unknown requests go to the only server; with several, the target is unknown.
  server.fallbackRequestHandler = async ({ method, params }, ctx) => {
    const [only, ...others] = session.servers;
    if (!only || others.length > 0) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
    return (await only.request(
      { method, params: params as Wire },
      { asked: askedOf(session, server, ctx, era) },
    )) as Result;
  };
  server.fallbackNotificationHandler = async ({ method, params }) => {
    await Promise.all(session.servers.map((one) => one.tell({ method, params: params as Wire })));
  };
  return server;
}

function askedOf(
  session: Session,
  server: Server,
  { mcpReq }: ServerContext,
  era: 'legacy' | 'modern',
): RequestContext {
  const { id, _meta, envelope, signal, inputResponses } = mcpReq;
  const said = (envelope ?? {}) as Wire;
  const declared = said[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const requestState = mcpReq.requestState<string>();
  return {
    id,
    signal,
    reachable: era === 'legacy',
    meta: (_meta ?? {}) as Wire,
    capabilities: declared ?? server.getClientCapabilities() ?? {},
    logLevel: said[LOG_LEVEL_META_KEY] ?? session.logLevel,
    tell: ({ method, params }) => void mcpReq.notify({ method, params: { ...params } }).catch(() => {}),
    ...(inputResponses && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  };
}
