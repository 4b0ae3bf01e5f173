import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from '../provider/wire.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { TurnEvent } from '../turn/turn.ts';
import type { ProxyOptions, Upstream } from './proxy-options.ts';

/** One request on its way through the proxy, and all that is known of it. */
export interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: ProxyOptions;
  readonly upstream: Upstream;
  /** Given when the client leaves. */
  readonly left: AbortSignal;
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
}
