import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TurnEvent, TurnRequest } from '../../model/index.ts';
import type { Provider } from '../../provider/wire/types.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { RequestProgress } from '../observe/request-record.ts';
import type { ProxyOptions, Upstream } from '../options.ts';
import type { TextModes, TextReads } from '../upstream/text-mode.ts';

/** One request on its way through the proxy, and all that is known of it. */
export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ProxyOptions;
  readonly upstream: Upstream;
  /** What was found out about the models of upstreams. */
  readonly modes: TextModes;
  /** Given when the client leaves. */
  readonly left: AbortSignal;
  /** What is known so far, for whoever watches. */
  readonly seen: RequestProgress;
}

/** A request for an answer that may hold calls. */
export interface TurnExchange extends Exchange {
  /** The wire the client speaks, and the one the upstream is asked in. */
  readonly client: Provider;
  readonly wire: Provider;
  readonly toolbox: Toolbox;
  readonly model: string;
  readonly undo?: (event: TurnEvent) => TurnEvent;
  readonly losses: readonly string[];
  /** What the client asked, read when it is first wanted. */
  readonly question: () => TurnRequest;
  /** How text is read; nothing where it is not. */
  readonly reads?: TextReads;
  /** What the upstream was sent, and a way to ask it once more with another body. */
  readonly sent: Buffer;
  readonly again: (body: Buffer, signal: AbortSignal) => Promise<IncomingMessage>;
  /** Finds out what the chat template says of calls in text, once some were written. */
  readonly learn: () => void;
  /** The dialect in which the tools stand in the prompt, and calls in the text; nothing where the model takes tools. */
  readonly asks?: string;
}
