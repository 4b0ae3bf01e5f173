import { ProtocolError, ProtocolErrorCode, type ServerCapabilities } from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { RequestContext, Wire } from '../rpc.ts';
import type { ServerLink } from '../servers/server-link.ts';
import type { Session } from '../session.ts';
import { callTool } from './call-tool.ts';
import { listPrompts, mergeLists } from './lists.ts';
import { readResource, subscribe } from './resources.ts';

/** Handles a client's request, and the capability it requires. */
export interface Handler {
  readonly needs: keyof ServerCapabilities;
  readonly answer: (session: Session, params: Wire, asked: RequestContext) => Promise<Wire>;
}

/** Handlers of all requests that the SDK doesn't handle itself. */
export const handlers: Readonly<Record<string, Handler>> = {
  'tools/list': { needs: 'tools', answer: async (session) => ({ tools: session.offer.listed }) },
  'tools/call': { needs: 'tools', answer: callTool },
  'resources/list': {
    needs: 'resources',
    answer: (session, params, asked) =>
      mergeLists(session, { method: 'resources/list', field: 'resources', uri: 'uri' }, params, asked),
  },
  'resources/templates/list': {
    needs: 'resources',
    answer: (session, params, asked) =>
      mergeLists(
        session,
        { method: 'resources/templates/list', field: 'resourceTemplates', uri: 'uriTemplate' },
        params,
        asked,
      ),
  },
  'resources/read': { needs: 'resources', answer: readResource },
  'resources/subscribe': { needs: 'resources', answer: (...given) => subscribe('resources/subscribe', ...given) },
  'resources/unsubscribe': { needs: 'resources', answer: (...given) => subscribe('resources/unsubscribe', ...given) },
  'prompts/list': { needs: 'prompts', answer: async (session) => ({ prompts: await listPrompts(session) }) },
  'prompts/get': {
    needs: 'prompts',
    answer: async (session, params, asked) => {
      const { behind, own } = await promptOf(session, params.name);
      const result = await behind.request({ method: 'prompts/get', params: { ...params, name: own } }, { asked });
      return isFixed(params) ? acceptedText(behind, own, result) : result;
    },
  },
  'completion/complete': {
    needs: 'completions',
    answer: async (session, params, asked) => {
      const ref = isObject(params.ref) ? params.ref : {};
      if (ref.type !== 'ref/prompt') return forResource(session, params, asked, ref.uri);
      const { behind, own } = await promptOf(session, ref.name);
      const renamed = { ...params, ref: { ...ref, name: own } };
      return behind.request({ method: 'completion/complete', params: renamed }, { asked });
    },
  },
  'logging/setLevel': {
    needs: 'logging',
    answer: async (session, params, asked) => {
      session.logLevel = params.level;
      // Servers of the newer protocol get the level with each request.
      await Promise.allSettled(
        session.servers
          .filter(({ capabilities }) => capabilities?.logging)
          .map((server) => server.request({ method: 'logging/setLevel', params }, { asked })),
      );
      return {};
    },
  },
};

/** Whether the text of a prompt depends on no arguments, so that it can be pinned. */
const isFixed = ({ arguments: args }: Wire): boolean => !isObject(args) || Object.keys(args).length === 0;

function acceptedText(behind: ServerLink, own: string, result: Wire): Wire {
  const { messages, description } = result;
  if (messages === undefined) return result;
  if (behind.review('texts', [{ name: own, definition: { messages, description } }]).length > 0) return result;
  const message = `The text of the prompt ${own} has changed, and the user has not accepted the new one yet`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

async function promptOf(
  session: Session,
  name: unknown,
): Promise<{ readonly behind: ServerLink; readonly own: string }> {
  const known = session.prompts?.get(String(name));
  if (known) return known;
  await listPrompts(session);
  const found = session.prompts?.get(String(name));
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${String(name)}`);
  return found;
}

async function forResource(session: Session, params: Wire, asked: RequestContext, uri: unknown): Promise<Wire> {
  if (!session.ownerOf(uri)) await handlers['resources/templates/list']?.answer(session, {}, asked);
  const owner = session.ownerOf(uri) ?? session.servers.find(({ capabilities }) => capabilities?.completions);
  if (!owner) return { completion: { values: [] } };
  return owner.request({ method: 'completion/complete', params }, { asked });
}
