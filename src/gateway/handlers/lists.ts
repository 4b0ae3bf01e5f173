import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { isObject } from '../../json/value.ts';
import type { RequestContext, Wire } from '../rpc.ts';
import { exposedNames, wantedName } from '../servers/exposed-names.ts';
import { resourceItems } from '../servers/server-link.ts';

import type { Session } from '../session.ts';

/** Merges one page of the lists of all servers. Servers that fail are skipped. */
export async function mergeLists(
  session: Session,
  { method, field, uri }: { readonly method: string; readonly field: string; readonly uri: string },
  params: Wire,
  asked: RequestContext,
): Promise<Wire> {
  const cursors = cursorsIn(params.cursor);
  const servers = session.servers.filter(({ name, capabilities }) =>
    cursors ? Object.hasOwn(cursors, name) : capabilities?.resources !== undefined,
  );
  const pages = await Promise.all(
    servers.map(async (server) => {
      const cursor = cursors?.[server.name];
      const page = await server
        .request({ method, params: cursor === undefined ? {} : { cursor } }, { asked })
        .catch((): Wire => ({}));
      return { server, page };
    }),
  );
  const items = pages.flatMap(({ server, page }) => {
    const found = Array.isArray(page[field]) ? page[field].filter(isObject) : [];
    const accepted = server.review('resources', resourceItems(found, uri)).map(({ resource }) => resource);
    // A resource is read from one server, so the same URI isn't listed for another one. Templates don't name one.
    return accepted.filter((one) => session.own(one[uri], server) || uri !== 'uri');
  });
  const next = pages.flatMap(({ server, page }) =>
    typeof page.nextCursor === 'string' && page.nextCursor !== '' ? [[server.name, page.nextCursor] as const] : [],
  );
  return { [field]: items, ...(next.length > 0 && { nextCursor: cursorOf(Object.fromEntries(next)) }) };
}

/** Lists the prompts of all servers under unique names. */
export async function listPrompts(session: Session): Promise<Wire[]> {
  const { config, pins } = session.options;
  const lists = await Promise.all(
    session.servers.map(async (behind) => ({ behind, prompts: await behind.prompts().catch(() => []) })),
  );
  const outward = exposedNames(
    lists.flatMap(({ behind, prompts }) =>
      prompts.map((prompt) => {
        const own = String(prompt.name);
        return { behind, prompt, own, server: behind.name, wanted: wantedName(own, behind.config) };
      }),
    ),
    { given: pins.names('prompts').given, servers: Object.keys(config.mcpServers) },
  );
  session.keepNames('prompts', outward);
  session.prompts = outward;
  return [...outward].map(([name, { prompt }]) => ({ ...prompt, name }));
}

const cursorOf = (cursors: Readonly<Record<string, string>>): string =>
  Buffer.from(JSON.stringify(cursors)).toString('base64url');

function cursorsIn(cursor: unknown): Record<string, string> | undefined {
  if (typeof cursor !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isObject(read)) return read as Record<string, string>;
  } catch {
    // Falls through to the error below.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is invalid');
}
