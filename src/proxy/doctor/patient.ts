import type { Service } from '../../provider/client/services.ts';
import type { Provider } from '../../provider/wire.ts';

/** The server that is looked at, and how it is asked. */
export interface Patient {
  /** Where it is, without the version that base URLs often end in. */
  readonly root: URL;
  readonly model: string;
  /** Shown to it, and nowhere else. */
  readonly apiKey?: string | undefined;
  /** How long one answer may take, in milliseconds. */
  readonly patience: number;
  /** How many tokens one answer may have. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** A wire, and the service whose headers are sent with it. */
export interface Spoken {
  readonly wire: Provider;
  readonly service: Service;
}

/** A server's address without its version: paths of every wire are added to it. */
export function rootOf(given: string): URL | undefined {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/v1(beta)?$/, '');
  url.search = '';
  url.hash = '';
  return url;
}
