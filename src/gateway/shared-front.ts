import type { ServerEventBus } from '@modelcontextprotocol/server';
import type { Front } from './front.ts';
import type { Message, Wire } from './wire.ts';

/** The clients of the newer protocol over HTTP: each request stands alone, so that they share one session. */
export const sharedFront = (bus: ServerEventBus): Front => ({
  isShared: true,
  // What a server wants of a client is asked with the answer to the call it belongs to.
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
  ask: async (): Promise<Wire> => {
    throw new Error('It can not be told which client this is for');
  },
  tell: ({ method, params }: Message) => {
    const kind = kinds[method];
    if (kind === 'resource_updated') bus.publish({ kind, uri: String(params?.uri), ...(params && { params }) });
    else if (kind) bus.publish({ kind });
  },
});

const kinds: Readonly<
  Record<string, 'tools_list_changed' | 'prompts_list_changed' | 'resources_list_changed' | 'resource_updated'>
> = {
  'notifications/tools/list_changed': 'tools_list_changed',
  'notifications/prompts/list_changed': 'prompts_list_changed',
  'notifications/resources/list_changed': 'resources_list_changed',
  'notifications/resources/updated': 'resource_updated',
};
