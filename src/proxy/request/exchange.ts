import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TurnError, TurnEvent, TurnRequest } from '../../model/index.ts';
import type { Provider } from '../../provider/wire/types.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { RequestProgress } from '../observe/request-record.ts';
import type { ProxyOptions, Upstream } from '../options.ts';
import type { Adaptations, TextModes, TextReads } from '../upstream/text-mode.ts';

/** A request and its context. */
export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ProxyOptions;
  readonly upstream: Upstream;
  /** The upstream's URL for this request. */
  readonly at: string;
  /** Whether the client's key is for another server, because this one is a fallback elsewhere. */
  readonly foreign: boolean;
  /** What is known about the models of upstreams. */
  readonly modes: TextModes;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
  /** The request record so far. */
  readonly seen: RequestProgress;
  /** Prepares another attempt after an error. Returns false if the client receives the error. */
  readonly retry: (error: TurnError) => Promise<boolean>;
}

/** A request whose response may contain calls. */
export interface TurnExchange extends Exchange {
  /** API formats of the client and the upstream. */
  readonly client: Provider;
  readonly wire: Provider;
  readonly toolbox: Toolbox;
  /** The model that the client requests, and its name at the upstream. */
  readonly model: string;
  readonly upstreamModel: string;
  /** Whether the client's tool choice lets the model call a tool. */
  readonly allows: (name: string) => boolean;
  readonly undo?: (event: TurnEvent) => TurnEvent;
  readonly warnings: readonly string[];
  /** The id of the response for a client of the Responses API, if it is translated. */
  readonly responseId?: string;
  /** Whether the client asks for a stored response, so that the request has no conversation and no tools. */
  readonly retrieves?: true;
  /** Whether the client asks for a stream. */
  readonly streams: boolean;
  /** The client's session, in which each warning is logged once. */
  readonly session: string;
  /** How the request was adapted to its model. */
  readonly adapted: Adaptations;
  /** The client's request, read on first use. */
  readonly question: () => TurnRequest;
  /** How text is read; undefined to not read it. */
  readonly reads?: TextReads;
  /** The body sent to the upstream, and a function to send another one. */
  readonly sent: Buffer;
  readonly again: (body: Buffer, signal: AbortSignal) => Promise<IncomingMessage>;
  /** Detects the dialect from the chat template, once calls were written in text. */
  readonly learn: () => void;
  /** Dialect of the tools in the prompt and the calls in the text; undefined if the model supports tools. */
  readonly asks?: string;
}
