import { isHosted } from '../provider/client/endpoint.ts';

/** Whether a framework's model uses a known service, by its URL; false if it exposes none. */
export function isHostedModel(model: unknown): boolean {
  try {
    return addressesOf(model).some((address) => isHosted(address));
  } catch {
    return false;
  }
}

/** The URLs in a model's settings, or in those of its client. */
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
