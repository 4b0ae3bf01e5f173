import type { Format } from '../model/index.ts';
import type { LoweringTarget } from '../provider/compat/lowering-target.ts';
import type { Policy } from '../tools/tool.ts';
import type { Timeouts } from './listen-options.ts';
import type { RequestRecord } from './observe/request-record.ts';

/** A server of models that the proxy passes requests on to. */
export interface Upstream {
  /** For logs. */
  readonly name?: string;
  /** Where it is: paths of requests are added to it. */
  readonly url: string;
  /** The wires it speaks, the one that others are translated to first. */
  readonly formats: readonly Format[];
  /** The models it serves, with `*` for any text; all unless it is said. */
  readonly models?: readonly string[];
  /** What requests are fitted to that come in another wire. */
  readonly target?: LoweringTarget;
  /** Sent with every request in place of the client's own key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: Policy;
  /**
   * Calls that models write as text. `native`: text is never read. A dialect's name: text without a native call is read in
   * it. `auto`, which holds unless it is said: in the one the chat template shows, else in any.
   */
  readonly dialect?: string;
  /** Its models take no tools: they are told of them in words, and call in their text. Found out where it is not said. */
  readonly toolsInText?: boolean;
}

/** What an upstream is called in logs: its name, or its host. */
export const upstreamName = ({ name, url }: Pick<Upstream, 'name' | 'url'>): string => name ?? new URL(url).host;

/** Settings of a proxy. */
export interface ProxyOptions {
  /** At least one; the first that serves a request's model gets it. */
  readonly upstreams: readonly Upstream[];
  /** What clients must show as their key where the proxy is not for everybody on this machine. */
  readonly token?: string;
  /** Change nothing, and only report what would have been mended. */
  readonly dryRun?: boolean;
  /**
   * Arguments of calls go out as they come, before it is known whether they will be complete. A call that is cut off then
   * reaches the client, which may complete and run it.
   *
   * @default false
   */
  readonly streamArguments?: boolean;
  /** How often calls that can't be mended are taken back to the model, unseen by the client; never unless it is said. */
  readonly retries?: number;
  /** When that is given up: milliseconds for all tries (30,000), and tokens the model wrote in them (8192). */
  readonly retryLimits?: { readonly time?: number; readonly tokens?: number };
  /** The most bytes a request may have; 32 MB unless it is said. */
  readonly maxBody?: number;
  /** The most bytes an answer that comes in one piece may have; 64 MB unless it is said. */
  readonly maxResponse?: number;
  /**
   * After how many milliseconds without a byte a client gets its format's keep-alive, while a call is buffered.
   *
   * @default 10_000
   */
  readonly keepAlive?: number;
  readonly timeouts?: Timeouts;
  /** Told of every answer that held calls, once it is over. */
  readonly onAnswer?: (report: ResponseReport) => void;
  /** Told what was found out about an upstream, and why it is asked or read otherwise from now on, in a line. */
  readonly onNotice?: (message: string) => void;
  /** Told of every request once it is over, with what was said in it: whoever keeps that must take secrets out. */
  readonly onRequest?: (seen: RequestRecord) => void;
  /** Told what went wrong, in a line. */
  readonly onError?: (message: string) => void;
}

/** What became of the calls of one answer. */
export interface ResponseReport {
  readonly id: string;
  readonly model: string;
  readonly upstream: string;
  readonly client: Format;
  readonly wire: Format;
  readonly streamed: boolean;
  readonly calls: readonly CallReport[];
  /** The dialect of calls that were written as text. */
  readonly dialect?: string;
  /** What a crossing between two wires could not say, and what was changed in the history. */
  readonly losses: readonly string[];
}

/** What became of one call. */
export interface CallReport {
  readonly name: string;
  readonly status: 'ok' | 'mended' | 'invalid';
  /** It went out changed. */
  readonly changed: boolean;
  /** It took the place of a bad one, after so many further questions to the model. */
  readonly retried?: number;
  readonly repairs: readonly string[];
  readonly problems: readonly string[];
}
