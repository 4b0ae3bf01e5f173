import { abandoned, longestTimer, onAbort, untilAborted } from '../execute/run-tool.ts';
import { messageOf } from '../execute/tool-result.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, isObject, ownCopy } from '../json/value.ts';
import type { Decision, LiveEvent, ResumePolicy, RunStarted } from '../log/events.ts';
import type { Journal, RedactRun } from '../log/journal.ts';
import type { RunState } from '../log/state.ts';
import type { Store } from '../log/store.ts';
import type { Message, Model, ToolSpec, UserMessage } from '../model/index.ts';
import type { ToolScope } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Binding } from './binding.ts';
import type { Budgets, Tally } from './budgets.ts';
import type { InvokeOptions } from './invoke/types.ts';
import type { Prices } from './steps/prices.ts';
import type { PrepareStep } from './steps/step.ts';
import type { StopCondition } from './steps/stop-when.ts';
import type { LoopTrace, TraceOptions } from './tracing/loop-trace.ts';

/** Everything a loop works with. */
export interface RunContext {
  readonly id: string;
  readonly model: Model;
  readonly instructions: string | undefined;
  readonly tools: readonly ToolSpec[];
  readonly state: RunState;
  readonly journal: Journal;
  readonly budgets: Budgets;
  readonly tally: Tally;
  /** Aborts the run. */
  readonly signal: AbortSignal;
  /** Aborts running work when the time budget is used up. */
  readonly deadline: AbortSignal | undefined;
  /** Aborts the current turn or tools; the loop continues. */
  readonly interrupt: () => AbortSignal;
  /** Why the run was interrupted since the last call of this function. */
  readonly interrupted: () => string | undefined;
  /** Messages that the model hasn't received yet. */
  readonly inbox: UserMessage[];
  readonly invoke: Omit<
    InvokeOptions,
    | 'record'
    | 'signal'
    | 'attempt'
    | 'gate'
    | 'decision'
    | 'approval'
    | 'decided'
    | 'always'
    | 'finish'
    | 'run'
    | 'depth'
    | 'resumePolicy'
    | 'within'
    | 'wait'
    | 'earlier'
    | 'isLast'
    | 'resultUrl'
    | 'again'
  >;
  /** Pending calls whose approval was requested in another process. The approver removes them. */
  readonly unasked: Set<string>;
  /** With which policy the run was resumed, if it was. */
  readonly resumePolicy: ResumePolicy | undefined;
  /** Does work without counting its time, unless the run is stopped. */
  readonly resting: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Resolves when a decision about a call is recorded. */
  readonly given: (callId: string) => Promise<void>;
  /** The dialect for calls in text if there are no native calls; false disables it. */
  readonly textCalls: string | false;
  /** Sent with every request. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly live: (event: LiveEvent) => void;
  /** Whether live events have listeners. */
  readonly isHeard: () => boolean;
  /** The offset from which live text may contain the start of a secret; undefined without redaction. */
  readonly heldFrom: ((text: string) => number) | undefined;
  readonly trace: LoopTrace | undefined;
  /** Runs a call again that waits for its result. */
  readonly again: (callId: string) => Promise<void>;
  /** Creates the URL that accepts the result of a call. */
  readonly resultUrl: ((callId: string) => string) | undefined;
  readonly prepareStep: PrepareStep | undefined;
  readonly stopWhen: readonly StopCondition[];
  readonly prices: Prices | undefined;
}

/** Settings of a run, prepared once by its agent. */
export interface RunSettings
  extends Pick<RunContext, 'model' | 'instructions' | 'tools' | 'textCalls' | 'settings'>,
    Pick<RunContext, 'prepareStep' | 'stopWhen' | 'prices'> {
  readonly invoke: RunContext['invoke'];
  readonly budgets: Budgets;
  readonly toolbox: Toolbox;
  readonly store: Store;
  readonly redact: RedactRun | undefined;
  readonly binding: Binding;
  readonly traces: TraceOptions | undefined;
  readonly resultUrl: ((run: string, callId: string) => string) | undefined;
}

/** How a run begins. */
export interface BeginOptions extends Pick<RunStarted, 'parent' | 'context'> {
  /** The conversation before it. */
  readonly history?: readonly Message[] | undefined;
  /** Whether it is queued for workers. */
  readonly queued?: boolean;
}

/** Caches the combined signal per loop until the next interrupt, because combining signals is slow. */
const stops = new WeakMap<RunContext, Stop>();

interface Stop {
  readonly interrupt: AbortSignal;
  readonly stop: AbortSignal;
  /** Removes the listener that stays for the whole loop, so that those of a turn can share it. */
  readonly release: () => void;
}

/** The signal that stops the current work. */
export function stopSignal(context: RunContext): AbortSignal {
  const { signal, deadline } = context;
  const interrupt = context.interrupt();
  const kept = stops.get(context);
  if (kept?.interrupt === interrupt) return kept.stop;
  const stop = AbortSignal.any([signal, interrupt, ...(deadline ? [deadline] : [])]);
  kept?.release();
  stops.set(context, { interrupt, stop, release: onAbort(stop, () => {}) });
  return stop;
}

/** Lets go of the signal of a loop that has ended. */
export const releaseStop = (context: RunContext): void => stops.get(context)?.release();

/** Ids of the commands that sent messages and decisions from other processes. What is recorded is not sent again. */
export const commandIds = new WeakMap<UserMessage | Decision, string>();

/** Adds pending messages after the results that the model is waiting for. The next commit stores them. */
export function takeMessages({ inbox, journal }: Pick<RunContext, 'inbox' | 'journal'>): void {
  for (const message of inbox.splice(0)) {
    const command = commandIds.get(message);
    journal.note({ type: 'message.added', message, ...(command !== undefined && { command }) });
  }
}

/** Whether code of the user runs before the next request, which may take long. */
export const hasOwnSteps = ({ prepareStep, stopWhen }: Pick<RunContext, 'prepareStep' | 'stopWhen'>): boolean =>
  prepareStep !== undefined || stopWhen.length > 0;

/** Resources that live as long as a run. */
export interface RunScope extends ToolScope {
  /** Closes all resources in reverse order, and returns the messages of failures. */
  close(): Promise<string[]>;
}

/**
 * Opens each resource on first use, and closes all at the end.
 *
 * @param patience time for each resource to close, in milliseconds
 */
export function runScope(patience = 10_000): RunScope {
  const open = new Map<object, { thing: Promise<unknown>; close: (thing: never) => unknown }>();
  let closed = false;
  return {
    async use(key, make, close = () => {}) {
      const kept = open.get(key);
      if (kept) return kept.thing as never;
      // An abandoned tool may get here late, and its resource would never be closed.
      if (closed) throw new ToolmendError('closed', 'The run has ended, so a tool can no longer open a resource in it');
      const thing = Promise.resolve().then(make);
      open.set(key, { thing, close: close as (thing: never) => unknown });
      // The next call retries a resource that failed to open.
      thing.catch(() => open.delete(key));
      return thing;
    },
    async close() {
      closed = true;
      const failed: string[] = [];
      for (const { thing, close } of [...open.values()].reverse()) {
        try {
          const closing = thing.then((opened) => close(opened as never));
          if ((await untilAborted(closing, AbortSignal.timeout(patience))) === abandoned) {
            failed.push(`Closing took longer than ${patience} ms, and continues in the background`);
          }
        } catch (error) {
          failed.push(messageOf(error));
        }
      }
      open.clear();
      return failed;
    },
  };
}

/** Converts a string to a user message. */
export function userMessage(said: string | UserMessage): UserMessage {
  if (typeof said === 'string') return { role: 'user', parts: [{ type: 'text', text: said }] };
  const isMessage = isObject(said) && said.role === 'user' && Array.isArray(said.parts);
  checkArgument(isMessage, 'message', "a string, or { role: 'user', parts }", said);
  const message = ownCopy(said);
  const command = commandIds.get(said);
  if (command !== undefined) commandIds.set(message, command);
  return message;
}

const collected = new FinalizationRegistry<{ readonly scope: RunScope }>(({ scope }) => void scope.close());

/** Closes what the tools of a paused run hold open, when the program has dropped the run. */
export const closeWhenCollected = (run: object, open: { readonly scope: RunScope }): void =>
  collected.register(run, open);

/** Rings at a time of the wall clock. */
export class Alarm {
  readonly #ring: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ring called then, or earlier if the time is too far away for a timer */
  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Sets the time, or no time. */
  set(at: number | undefined): void {
    clearTimeout(this.#timer);
    if (at === undefined) return;
    this.#timer = setTimeout(this.#ring, Math.min(longestTimer, Math.max(0, at - Date.now())));
    this.#timer.unref();
  }
}

/** Promises that wait for decisions about calls, from any source. */
export class Decisions {
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();

  /** Resolves when there is a decision about a call. */
  of(callId: string): Promise<void> {
    const waiter = this.#waiting.get(callId) ?? Promise.withResolvers<void>();
    this.#waiting.set(callId, waiter);
    return waiter.promise;
  }

  arrived(callId: string): void {
    this.#waiting.get(callId)?.resolve();
    this.#waiting.delete(callId);
  }
}
