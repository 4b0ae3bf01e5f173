import { setTimeout as pause } from 'node:timers/promises';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import { type Commands, postgresCommands, type RunCommand } from '../../log/control/commands.ts';
import { requeueRun } from '../../log/control/requeue-run.ts';
import { rootOf } from '../../log/control/wake-parents.ts';
import type { Decision, RunEnd, RunFailure } from '../../log/events.ts';
import { applyEvent, existingState, fold, isAtRest, openCalls, stateOf } from '../../log/fold.ts';
import type { RedactRun } from '../../log/journal.ts';
import { openPool, type Queries, withErrorMessages } from '../../log/postgres-pool.ts';
import { redactor } from '../../log/redact/redact.ts';
import type { RunState } from '../../log/state.ts';
import { existingEvents, SequenceTaken, type Store } from '../../log/store.ts';
import type { UserMessage } from '../../model/index.ts';
import { forkEvents, newRunId } from '../agent.ts';
import { userMessage } from '../context.ts';
import { finalText } from '../loop.ts';
import { recordCommand, storedCommand } from './apply-command.ts';
import { isOutage } from './attempts.ts';

/** How a run ended, as the log has it. */
export interface RunOutcome {
  readonly end: RunEnd;
  readonly message: string;
  /** The model's last text, or the result of the tool that ended the run. */
  readonly text: string;
  /** The last errors of a run that ended because of them. */
  readonly errors?: readonly RunFailure[];
}

/** Options of `wait`. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
  /**
   * Interval between reads of the log, in milliseconds.
   * @default 200
   */
  readonly pollInterval?: number;
}

/** Controls runs by their id, wherever they run. Commands resolve when the run's worker or the log has them. */
export interface RunControl {
  /** Stops a run. Running tools are aborted, and every call gets a result. */
  cancel(run: string, reason?: string): Promise<void>;
  /** Adds a message. The model gets it after the results that it is waiting for. An ended run continues with it. */
  send(run: string, message: string | UserMessage): Promise<void>;
  /** Stops the current response, tools or approval, and continues with this message. */
  interrupt(run: string, message: string | UserMessage): Promise<void>;
  /** Decides a call that waits for approval. */
  approve(run: string, callId: string, decision: Decision): Promise<void>;
  /** Resolves when the run has ended or waits for approval or a result. */
  wait(run: string, options?: WaitOptions): Promise<RunOutcome>;
  /** How the run ended; undefined while it runs or is queued. */
  result(run: string): Promise<RunOutcome | undefined>;
  /** Copies a run up to event `seq`, queues the copy and resolves to its id. */
  fork(run: string, seq?: number): Promise<string>;
  /** Queues a run that is dead or has ended again. */
  requeue(run: string): Promise<void>;
  close(): Promise<void>;
}

/** Options of `control`. */
export interface ControlOptions {
  readonly store: Store;
  /** URL of the Postgres database with the log and the queue. */
  readonly url: string;
  /**
   * Time to wait until a worker confirms a command, in milliseconds.
   * @default 10_000
   */
  readonly timeout?: number;
  /**
   * Removes secrets from messages and decisions, as the `redact` of the runs' agent does.
   * @default removes common forms of secrets
   */
  readonly redact?: RedactRun;
}

/**
 * Opens the control of the runs in a database. It needs no agent.
 *
 * @example
 * const runs = await control({ store, url });
 * await runs.cancel(id);
 */
export async function control(options: ControlOptions): Promise<RunControl> {
  checkArgument(typeof options?.url === 'string', 'options', '{ store, url }', options);
  const pool = await openPool(options.url, { connections: 4 });
  const { redact } = options;
  const { close, ...runs } = controlWith(options.store, {
    timeout: options.timeout,
    redact: redact && (() => redact),
    commands: postgresCommands(pool),
    queries: pool,
  });
  return {
    ...runs,
    async close() {
      await close();
      await pool.end();
    },
  };
}

/** What a control needs besides its store. */
interface ControlWith {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly timeout?: number | undefined;
  /** The `redact` function of a run's agent. */
  readonly redact?: ((run: RunState) => RedactRun | Promise<RedactRun>) | undefined;
  /** Adds a run that has work to the queue. Without it, workers find the run in the log. */
  readonly queued?: (run: string) => Promise<void>;
}

/** Workers may have the run: only they can carry out the command. */
const isActive = async (queries: Queries, run: string): Promise<boolean> => {
  try {
    const text = "SELECT 1 FROM toolmend_queue.job WHERE singleton_key = $1 AND state = 'active' LIMIT 1";
    return (await queries.query(text, [run])).rows.length > 0;
  } catch (error) {
    // No worker has ever used this database.
    if (['42P01', '3F000'].includes(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
};

const checkEvery = 50;
/** Time for a worker to receive a command, in milliseconds. Later, it may be dead: its runs stay active until its heartbeat is missed. */
const receiveTime = 750;
/** The same after an outage, from which it must recover first. */
const reconnectTime = 1000;
const attempts = 20;

/** Controls the runs of a store with these commands. */
export function controlWith(store: Store, options: ControlWith): RunControl {
  const { commands, timeout = 10_000, queued = async () => {} } = options;
  const queries = withErrorMessages(options.queries);
  const byForm = redactor({ env: process.env });
  const { redact: redactOf = () => byForm } = options;

  /** Whether a worker may have a run, or the child of one. A child that rests is in no process. */
  const isHeld = async (run: string, root: string): Promise<boolean> =>
    (run === root || !isAtRest(await stateOf(store, run))) && (await isActive(queries, root));

  /**
   * Waits until a worker confirms a command. Returns false if none has the run any more, and takes the command back.
   *
   * @throws ToolmendError `not_acknowledged` with what is known about the command
   */
  const confirmed = async (id: string, run: string, root: string): Promise<boolean> => {
    let deaf = performance.now() + receiveTime;
    for (const began = performance.now(); performance.now() - began < timeout; ) {
      try {
        const { isAcknowledged, error } = await commands.status(id);
        if (error !== undefined) throw new ToolmendError('not_waiting', error);
        if (isAcknowledged) return true;
        const isGone = !(await isHeld(run, root)) || (performance.now() > deaf && (await commands.isOrphaned(root)));
        if (isGone && (await commands.withdraw(id))) return false;
      } catch (error) {
        // The command is stored. A caller that got this error would send it a second time.
        if (!isOutage(error)) throw error;
        deaf = performance.now() + reconnectTime;
      }
      await pause(checkEvery);
    }
    const isTakenBack = await commands.takeBack(id).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return undefined;
    });
    throw new ToolmendError('not_acknowledged', `${unconfirmed(isTakenBack)} within ${timeout} ms. Run: ${run}`);
  };
  const carryOut = async (run: string, command: RunCommand): Promise<void> => {
    const began = performance.now();
    /** Repeats a step while the database is unavailable. The command has an id, so it is carried out once. */
    const outlast = async <T>(step: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await step();
        } catch (error) {
          if (!isOutage(error) || performance.now() - began > timeout) throw error;
          await pause(checkEvery);
        }
      }
    };
    const state = await outlast(() => existingState(store, run));
    const { run: root, started } = await outlast(() => rootOf(store, state));
    const redact = await outlast(async () => redactOf(state));
    const stored = storedCommand(state, command, redact);
    const id = await outlast(() => commands.newId());
    for (let tries = 1; ; tries += 1) {
      if (await outlast(() => isHeld(run, root))) {
        await outlast(() => commands.send(id, run, stored));
        if (await confirmed(id, run, root)) return;
      }
      try {
        const isAbandoned = started?.queued === true;
        await outlast(() => recordCommand(store, run, { id, command: stored }, { redact, isAbandoned }));
        return await outlast(() => queued(run));
      } catch (error) {
        // A worker has just taken the run, or has it still.
        const isRivalled =
          SequenceTaken.isInstance(error) || (hasCode(error, 'not_waiting') && (await isHeld(run, root)));
        if (!isRivalled || tries >= attempts) throw error;
        await pause(checkEvery);
      }
    }
  };
  const result = async (run: string): Promise<RunOutcome | undefined> => outcomeOf(await existingState(store, run));
  return {
    cancel: (run, reason) => carryOut(run, { type: 'cancel', ...(reason !== undefined && { reason }) }),
    send: (run, message) => carryOut(run, { type: 'send', message: userMessage(message) }),
    interrupt: (run, message) => carryOut(run, { type: 'interrupt', message: userMessage(message) }),
    approve: (run, callId, decision) => carryOut(run, { type: 'approve', callId, decision }),
    result,
    async wait(run, { signal, pollInterval = 200 } = {}) {
      const state = await existingState(store, run);
      for (;;) {
        const outcome = outcomeOf(state);
        if (outcome) return outcome;
        await pause(pollInterval, undefined, signal ? { signal } : {});
        let isStored = false;
        // The last event again, which only a deleted run doesn't have.
        for await (const event of store.read(run, state.seq - 1)) {
          isStored = true;
          if (event.seq > state.seq) applyEvent(state, event);
        }
        if (!isStored) throw new ToolmendError('unknown_run', `The run ${run} was deleted before it ended.`);
      }
    },
    async fork(run, seq) {
      const events = await existingEvents(store, run);
      const forked = newRunId();
      const copy = forkEvents(events, forked, seq).map((event) =>
        event.type === 'run.started' ? ({ ...event, queued: true } as const) : event,
      );
      const last = copy.at(-1);
      // A copy of a dead run would be dead, too, and one that waits for a child of the original would wait for ever.
      const mayRest = !openCalls(fold(copy)).some(({ state, began }) => state === 'result_required' && began?.child);
      if (last?.type === 'run.ended' && (last.end === 'dead' || !mayRest))
        copy.push({ type: 'run.resumed', run: forked, seq: last.seq + 1, at: Date.now() });
      await store.append(copy);
      await queued(forked);
      return forked;
    },
    async requeue(run) {
      await requeueRun(store, run);
      await queued(run);
    },
    async close() {},
  };
}

/** How a run ended. Undefined while it runs or is queued. */
export function outcomeOf(state: RunState): RunOutcome | undefined {
  const { ended } = state;
  if (!ended || !isAtRest(state)) return undefined;
  const text = finalText(state, state.calls.get(ended.finalCall ?? ''));
  return { end: ended.end, message: ended.message, text, ...(ended.errors && { errors: ended.errors }) };
}

/** What is known about a command that no worker has confirmed. */
const unconfirmed = (isTakenBack: boolean | undefined): string => {
  if (isTakenBack)
    return 'The command was withdrawn and has no effect: the worker of the run has not received it. Send it again';
  const known = isTakenBack === false ? 'A worker has received the command' : 'The database did not respond';
  return `${known}, so the command may still take effect. Check the run before you send it again: it was not confirmed`;
};
