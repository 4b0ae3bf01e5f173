import type { Format } from '../../model/index.ts';
import type { Service } from '../../provider/client/services.ts';
import type { Provider } from '../../provider/wire/types.ts';

/** The checks, in order. */
export const checks = {
  reachable: 'server',
  wires: 'API formats',
  model: 'model',
  answer: 'response',
  call: 'call',
  stream: 'streamed call',
  nested: 'nested argument',
  untyped: 'untyped argument',
  parallel: 'parallel calls',
  result: 'tool result',
  text: 'calls as text',
  output: 'structured output',
  context: 'context size',
} as const;

export type Check = keyof typeof checks;

/** `good`; `fair`: works with help or with restrictions; `bad`: doesn't work; `open`: couldn't be determined. */
export type Grade = 'good' | 'fair' | 'bad' | 'open';

/** The result of a check, with evidence and advice. */
export interface Finding {
  readonly check: Check;
  readonly verdict: Grade;
  /** What happened, in one line; the server's own message if there is one. */
  readonly said: string;
  /** What to do. */
  readonly advice?: string;
  /** The missing setting, as written on a command line. */
  readonly setting?: string;
}

/** Kind of the server, if recognized. */
export type ServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'other';

/** How tools can be called: natively, in text, or not at all. */
export type CallMode = 'native' | 'text' | 'none';

/** The complete diagnosis. */
export interface Diagnosis {
  readonly upstream: string;
  readonly model: string;
  readonly server: ServerKind;
  readonly formats: readonly Format[];
  readonly calls: CallMode;
  /** The model's dialect for calls, if known. */
  readonly dialect?: string;
  /** Context size in tokens. */
  readonly context?: number;
  readonly findings: readonly Finding[];
}

/** The server to diagnose, and how to reach it. */
export interface ProbeTarget {
  /** URL without the version at the end. */
  readonly root: URL;
  readonly model: string;
  /** API key, sent only to this server. */
  readonly apiKey?: string | undefined;
  /** Timeout of one response in milliseconds. */
  readonly timeout: number;
  /** Maximum number of tokens in one response. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** An API format, and the service whose headers it uses. */
export interface ServedFormat {
  readonly wire: Provider;
  readonly service: Service;
}

/** The URL of a server without its version. The paths of all API formats are appended to it. */
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
