import { X509Certificate } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import { isLoopback } from '../../execute/local-server.ts';
import { cached } from '../../json/text-cache.ts';

/** How connections to an origin are made, if not in the usual way. */
export interface Agents {
  /** Reuses connections. */
  readonly kept: HttpAgent;
  /** Opens a connection for each request. */
  readonly single: HttpAgent;
  /** Whether connections are made through another proxy. */
  readonly proxied: boolean;
}

/** Variables with the address of an HTTP proxy. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const;

/** Certificates of authorities that are trusted for an origin, besides the usual ones. */
const authorities = new Map<string, string>();
const known = new Map<string, Agents>();

/** Origins with their own agents, checked for each request. */
export const custom = { origins: authorities as ReadonlyMap<string, string>, usesProxy: hasProxy(process.env) };

/** Whether the environment names a proxy. */
function hasProxy(env: NodeJS.ProcessEnv): boolean {
  return proxyVariables.some((name) => !/no_proxy/i.test(name) && Boolean(env[name]));
}

/**
 * Trusts the certificates of an authority for the origin of a URL.
 *
 * @param pem one or more certificates
 * @throws if they can't be read
 */
export function trustAuthority(url: string, pem: string): void {
  new X509Certificate(pem);
  const { origin } = new URL(url);
  authorities.set(origin, pem);
  known.delete(origin);
}

/** The agents for an origin; undefined for the usual ones. */
export function agentsFor({ origin, protocol, hostname }: URL, idle: number): Agents | undefined {
  const ca = authorities.get(origin);
  // A proxy can't reach this machine's own addresses.
  const proxied = custom.usesProxy && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
  if (ca === undefined && !proxied) return undefined;
  return cached(known, origin, () => {
    const options = {
      timeout: idle,
      ...(proxied && { proxyEnv: environment() }),
      ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
    };
    const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent;
    return { proxied, kept: new Agent({ ...options, keepAlive: true }), single: new Agent(options) };
  });
}

const environment = (): Record<string, string> =>
  Object.fromEntries(proxyVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** The first versions of Node with support for proxies, by major version. */
const firstVersions: Readonly<Record<number, number>> = { 22: 21, 24: 5 };

/** Why the variables have no effect; undefined if they have one, or if none is set. */
export function ignoredProxy(env: NodeJS.ProcessEnv, version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (!hasProxy(env) || major > 24 || minor >= (firstVersions[major] ?? Number.POSITIVE_INFINITY)) return undefined;
  return `HTTP_PROXY and HTTPS_PROXY have no effect with Node ${version}. Use Node 22.21, 24.5 or later`;
}
