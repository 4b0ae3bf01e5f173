import { isHosted } from '../provider/client/endpoint.ts';

/** Whether a framework's model is served by one of the known services, by the address that it keeps; no where it shows none. */
export function isHostedModel(model: unknown): boolean {
  try {
    return addressesOf(model).some((address) => isHosted(address));
  } catch {
    return false;
  }
}

/** Where the frameworks' own models keep their address, in their settings or in those of their client. */
function addressesOf(model: unknown): string[] {
  const { config, clientConfig, client, apiUrl, baseURL, baseUrl } = (model ?? {}) as Record<
    string,
    Fields | undefined
  >;
  const made = typeof config?.url === 'function' ? config.url({ path: '', modelId: '' }) : undefined;
  const all = [made, config?.baseURL, clientConfig?.baseURL, client?.baseURL, apiUrl, baseURL, baseUrl];
  return all.filter((one) => typeof one === 'string');
}

// biome-ignore lint/suspicious/noExplicitAny: each framework keeps its address in a field of its own
type Fields = any;
