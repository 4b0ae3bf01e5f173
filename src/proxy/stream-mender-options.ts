import type { Before } from '../call/mend-repeated.ts';
import type { Provider } from '../provider/wire.ts';
import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { TurnError, TurnEvent, TurnResponse } from '../turn/turn.ts';
import type { TextReads } from './text-modes.ts';

/** How a stream is mended. */
export interface StreamMenderOptions {
  /** The wire of the answer, and the one the client reads. */
  readonly upstream: Provider;
  readonly client: Provider;
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Arguments go out as they come, before it is known whether they will be complete. */
  readonly streamArguments?: boolean;
  /** Change nothing, and only report. */
  readonly live?: boolean;
  /** Gives calls their own names and forms back where the request was fitted to the upstream. */
  readonly undo?: ((event: TurnEvent) => TurnEvent) | undefined;
  /** How calls in the words are read, where no native call comes. */
  readonly reads?: TextReads | undefined;
  /** Whether the client wants calls at all, asked when some were found in the words. */
  readonly mayCall?: () => boolean;
  /** The answer in one that ended because its server could not read it. */
  readonly rescue?: ((ended: TurnError | TurnResponse) => TurnResponse | undefined) | undefined;
  /** The conversation before the answer. */
  readonly before?: Before | undefined;
  /** Calls are held until all are judged, so that bad ones can be replaced. */
  readonly hold?: boolean;
}
