import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { ServerLink } from './behind.ts';

/** What a server may turn out to have that could not be asked yet. */
const anything: ServerCapabilities = {
  ...{ logging: {}, completions: {}, prompts: { listChanged: true } },
  resources: { subscribe: true, listChanged: true },
};

/** What all servers can do together. Tools always: there may be some later. */
export function capabilitiesOf(servers: readonly ServerLink[]): ServerCapabilities {
  const all = servers.map(({ capabilities }) => capabilities ?? anything);
  const has = (name: 'logging' | 'completions' | 'prompts' | 'resources'): boolean => all.some((one) => one[name]);
  const merged = (name: 'experimental' | 'extensions') => Object.assign({}, ...all.map((one) => one[name] ?? {}));
  const [experimental, extensions] = [merged('experimental'), merged('extensions')];
  return {
    tools: { listChanged: true },
    ...(has('logging') && { logging: {} }),
    ...(has('completions') && { completions: {} }),
    ...(has('prompts') && { prompts: { listChanged: true } }),
    ...(has('resources') && {
      resources: { listChanged: true, ...(all.some(({ resources }) => resources?.subscribe) && { subscribe: true }) },
    }),
    ...(Object.keys(experimental).length > 0 && { experimental }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** How the servers want to be used; where several say so, each under its name. */
export function instructionsOf(servers: readonly ServerLink[]): string | undefined {
  const said = servers.filter(({ instructions }) => instructions);
  if (servers.length === 1) return said[0]?.instructions;
  return said.map(({ name, instructions }) => `# ${name}\n\n${instructions}`).join('\n\n') || undefined;
}
