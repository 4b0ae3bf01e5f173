import { abandoned, untilAborted } from '../execute/run-tool.ts';
import { messageOf } from '../execute/tool-result.ts';
import type { LiveEvent } from '../log/events.ts';
import type { Journal } from '../log/journal.ts';
import type { RunState } from '../log/state.ts';
import type { Model, ToolSpec, UserMessage } from '../model/index.ts';
import type { ToolScope } from '../tools/tool.ts';
import type { Budgets, Tally } from './budgets.ts';
import type { InvokeOptions } from './invoke/types.ts';
import type { LoopTrace } from './tracing/loop-trace.ts';

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
    | 'attempt'
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

/** What was said in the meantime reaches the model after the results it was waiting for, and is on disk before it does. */
export async function takeMessages({ inbox, journal }: Pick<RunContext, 'inbox' | 'journal'>): Promise<void> {
  if (inbox.length === 0) return;
  for (const message of inbox.splice(0)) journal.note({ type: 'message.added', message });
  await journal.commit();
}

/** What lives as long as a run. */
export interface RunScope extends ToolScope {
  /** Closes everything that was opened, the last first; gives the words of what failed. */
  close(): Promise<string[]>;
}

/**
 * Opens each thing once, when it is first asked for, and closes all at the end.
 *
 * @param patience how long one thing may take to close, in milliseconds, before the run ends without it
 */
export function runScope(patience = 10_000): RunScope {
  const open = new Map<object, { thing: Promise<unknown>; close: (thing: never) => unknown }>();
  let closed = false;
  return {
    async use(key, make, close = () => {}) {
      const kept = open.get(key);
      if (kept) return kept.thing as never;
      // A tool that was given up may come here late, and nobody would close what it opens.
      if (closed) throw new Error('The run has ended, so that nothing can be opened for it any more');
      const thing = Promise.resolve().then(make);
      open.set(key, { thing, close: close as (thing: never) => unknown });
      // One that could not be opened is tried anew by the next call.
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
            failed.push(`Closing took longer than ${patience} ms, and goes on without the run`);
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

/** What somebody said, as a message. */
export const userMessage = (said: string | UserMessage): UserMessage =>
  typeof said === 'string' ? { role: 'user', parts: [{ type: 'text', text: said }] } : said;
