import type { Format } from '../../model/index.ts';
import type { Service } from '../../provider/client/services.ts';
import type { Provider } from '../../provider/wire/types.ts';

/** What the doctor looks at, in the order it is looked at. */
export const checks = {
  reachable: 'server',
  wires: 'API formats',
  model: 'model',
  answer: 'response',
  call: 'call',
  stream: 'streamed call',
  nested: 'nested argument',
  parallel: 'parallel calls',
  result: 'tool result',
  text: 'calls as text',
  output: 'structured output',
  context: 'context size',
} as const;

export type Check = keyof typeof checks;

/** `good`; `fair`: it works with help, or less well; `bad`: it does not; `open`: it could not be found out. */
export type Grade = 'good' | 'fair' | 'bad' | 'open';

/** What was found of one thing, with the evidence, and what to do about it. */
export interface Finding {
  readonly check: Check;
  readonly verdict: Grade;
  /** What happened, in a line: the server's own words where it has any. */
  readonly said: string;
  /** What to do. */
  readonly advice?: string;
  /** The setting that is missing, as it is written on a command line. */
  readonly setting?: string;
}

/** Who serves, where that can be told. */
export type ServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'other';

/** How calls can be made there: by the wire, in text that is read, or not at all. */
export type CallMode = 'native' | 'text' | 'none';

/** All that was found. */
export interface Diagnosis {
  readonly upstream: string;
  readonly model: string;
  readonly server: ServerKind;
  readonly formats: readonly Format[];
  readonly calls: CallMode;
  /** The dialect that the model writes calls in, where it is known. */
  readonly dialect?: string;
  /** Tokens that fit. */
  readonly context?: number;
  readonly findings: readonly Finding[];
}

/** The server that is looked at, and how it is asked. */
export interface ProbeTarget {
  /** Where it is, without the version that base URLs often end in. */
  readonly root: URL;
  readonly model: string;
  /** Shown to it, and nowhere else. */
  readonly apiKey?: string | undefined;
  /** How long one answer may take, in milliseconds. */
  readonly timeout: number;
  /** How many tokens one answer may have. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** A wire, and the service whose headers are sent with it. */
export interface ServedFormat {
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
