import type { LiveEvent } from '../log/event.ts';
import type { Journal } from '../log/journal.ts';
import type { RunState } from '../log/run-state.ts';
import type { Model, ToolSpec, UserMessage } from '../turn/turn.ts';
import type { Budgets } from './budgets.ts';
import type { InvokeOptions } from './invocation.ts';
import type { LoopTrace } from './loop-trace.ts';
import type { Tally } from './tally.ts';

/** All one round of a loop works with. */
export interface RunContext {
  readonly id: string;
  readonly model: Model;
  readonly instructions: string | undefined;
  readonly tools: readonly ToolSpec[];
  readonly state: RunState;
  readonly journal: Journal;
  readonly budgets: Budgets;
  readonly tally: Tally;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** Ends what is under way when the time is used up. */
  readonly deadline: AbortSignal | undefined;
  /** Ends what is under way now: the turn, or the tools; the loop goes on. */
  readonly interrupt: () => AbortSignal;
  /** What was said since the model last heard something. */
  readonly inbox: UserMessage[];
  readonly invoke: Omit<
    InvokeOptions,
    | 'record'
    | 'signal'
    | 'tries'
    | 'gate'
    | 'decision'
    | 'approval'
    | 'decided'
    | 'always'
    | 'finish'
    | 'run'
    | 'within'
  >;
  /** Calls that wait and were asked about in another process; whoever asks takes them out. */
  readonly unasked: Set<string>;
  /** Settles when a decision about a call is on record. */
  readonly given: (callId: string) => Promise<void>;
  /** The dialect to look for in text when no native call came; false looks for none. */
  readonly textCalls: string | false;
  /** Passed on with every question, as they are. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly live: (event: LiveEvent) => void;
  /** Where text that goes on may hold the first part of a secret; undefined where none is taken out. */
  readonly heldFrom: ((text: string) => number) | undefined;
  readonly trace: LoopTrace | undefined;
}

/** Kept for each loop until it is interrupted: joining signals is dear beside the rest of a turn. */
const stops = new WeakMap<RunContext, { readonly interrupt: AbortSignal; readonly stop: AbortSignal }>();

/** Whatever stops what is under way now. */
export function stopSignal(context: RunContext): AbortSignal {
  const { signal, deadline } = context;
  const interrupt = context.interrupt();
  const kept = stops.get(context);
  if (kept?.interrupt === interrupt) return kept.stop;
  const stop = AbortSignal.any([signal, interrupt, ...(deadline ? [deadline] : [])]);
  stops.set(context, { interrupt, stop });
  return stop;
}
