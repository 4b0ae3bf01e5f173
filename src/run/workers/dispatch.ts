/**
 * The `toolmend/dispatch` entry: distributes runs to workers, and moves them when a worker dies. The log is the only
 * checkpoint; the queue only knows which runs are waiting.
 */

import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import { postgresCommands } from '../../log/control/commands.ts';
import { decideApproval } from '../../log/control/decide-approval.ts';
import { requeueRun } from '../../log/control/requeue-run.ts';
import { rootOf } from '../../log/control/wake-parents.ts';
import type { Decision } from '../../log/events.ts';
import { existingState, stateOf } from '../../log/fold.ts';
import { openPool } from '../../log/postgres-pool.ts';
import type { RunState } from '../../log/state.ts';
import type { Store } from '../../log/store.ts';
import type { UserMessage } from '../../model/index.ts';
import type { Agent, SubmitOptions } from '../agent.ts';
import { agentOf } from '../agent-tool.ts';
import { defaultAgentName } from '../binding.ts';
import { checkEdit } from '../invoke/invalid-edit.ts';
import { recordResult } from '../results/record-result.ts';
import { controlWith, type RunControl } from './control.ts';
import { loadPgBoss, pgBossQueue } from './pg-boss-queue.ts';
import { sweep } from './queue.ts';
import { type RunWorker, startWorker, type WorkerOptions } from './worker.ts';

export { type ControlOptions, control, type RunControl, type RunOutcome, type WaitOptions } from './control.ts';
export type { RunWorker, WorkerEvent, WorkerOptions } from './worker.ts';

/** Options of `dispatch`. */
export interface DispatchOptions {
  /** The agent. It must use this `store`, in a database that all workers can reach. */
  readonly agent: Agent;
  readonly store: Store;
  /** URL of the Postgres database with the queue. */
  readonly url: string;
  /**
   * Seconds without a heartbeat before the runs of a worker go to other workers.
   * @default 10
   */
  readonly heartbeatTimeout?: number;
  /** Called with errors of the queue's database connection. The queue retries by itself. */
  readonly onError?: (error: Error) => void;
}

/** Queues runs, controls them by their id and starts workers. */
export interface Dispatch extends RunControl {
  /** Records a run with its message and queues it. */
  submit(message: string | UserMessage, options?: SubmitOptions): Promise<string>;
  /** Queues a recorded run: one that was waiting for approval, was left over, is dead, or has ended and should continue. */
  add(run: string): Promise<void>;
  /** Decides a call that waits for approval, and queues its run: the same as `approve`. */
  decide(run: string, callId: string, decision: Decision): Promise<void>;
  /** Records the result of a call that waits for it, and queues its run. `call` is its id, or its key. */
  complete(run: string, call: string, result: unknown): Promise<void>;
  /** Starts a worker. */
  work(options?: WorkerOptions): RunWorker;
  close(): Promise<void>;
}

/**
 * Opens the queue of runs in a database.
 *
 * @example
 * const runs = await dispatch({ agent, store, url });
 * await runs.submit('Summarise the report');
 * const worker = runs.work({ concurrency: 20 });
 */
export async function dispatch(options: DispatchOptions): Promise<Dispatch> {
  // A missing package is reported first, because without it nothing else matters.
  await loadPgBoss();
  checkArgument(typeof options?.url === 'string', 'options', '{ agent, store, url }', options);
  const { agent, store, url, onError, heartbeatTimeout = 10 } = options;
  checkArgument(typeof agent?.submit === 'function', 'agent', 'what agent() returns', agent);
  checkArgument(heartbeatTimeout >= 1, 'heartbeatTimeout', 'a number of 1 or more', heartbeatTimeout);
  const worker = 1 + Math.floor(Math.random() * (2 ** 31 - 1));
  const queue = await pgBossQueue(url, { agent: agent.name, onError, heartbeatTimeout, worker });
  const workers = new Set<RunWorker>();
  const pool = await openPool(url, { connections: 4 });
  const commands = postgresCommands(pool);
  /** Queues a run, or the one that a child belongs to. The workers of another agent find theirs in the log. */
  const queued = async (run: string): Promise<void> => {
    const root = await rootOf(store, await existingState(store, run));
    if (nameOf(root) === agent.name) await queue.add([root.run]);
  };
  /** Checks an edit with the tool that the call is for. */
  const checkEdited = async (run: string, callId: string, decision: Decision): Promise<void> => {
    if (decision?.type !== 'edit') return;
    const state = await stateOf(store, run);
    const { toolbox } = await agentOf(store, state, agent);
    checkEdit(state.calls.get(callId)?.name ?? '', decision.input, { toolbox });
  };
  const redact = async (run: RunState) => (await agentOf(store, run, agent)).redact;
  const controls = controlWith(store, { commands, queries: pool, redact, queued });
  const approve: RunControl['approve'] = async (run, callId, decision) => {
    await checkEdited(run, callId, decision);
    await controls.approve(run, callId, decision);
  };
  return {
    ...controls,
    approve,
    async submit(message, options) {
      const run = await agent.submit(message, options);
      try {
        await queue.add([run]);
      } catch (error) {
        throw new ToolmendError(
          'not_queued',
          `The run ${run} is stored, but not queued. Call add('${run}') to queue it.`,
          { cause: error },
        );
      }
      return run;
    },
    async add(run) {
      await requeueRun(store, run);
      await queued(run);
    },
    async decide(run, callId, decision) {
      await checkEdited(run, callId, decision);
      try {
        const { redact } = await agentOf(store, await existingState(store, run), agent);
        await decideApproval(store, run, callId, decision, { redact });
        await queued(run);
      } catch (error) {
        // A worker runs other calls of the run, and has to apply it.
        if (!hasCode(error, 'not_waiting')) throw error;
        await controls.approve(run, callId, decision);
      }
    },
    async complete(run, call, result) {
      const { toolbox, redact } = await agentOf(store, await existingState(store, run), agent);
      await recordResult(store, run, call, result, { tool: (name) => toolbox.get(name), redact });
      await queued(run);
    },
    work(options = {}) {
      const started = startWorker(agent, queue, {
        ...options,
        store,
        heartbeatTimeout,
        commands,
        worker,
        stateOf: (run) => stateOf(store, run),
        sweep: () => sweep(store, queue, agent.name),
      });
      workers.add(started);
      return started;
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await queue.close();
      await pool.end();
    },
  };
}

const nameOf = ({ started }: RunState): string => started?.agent?.name ?? defaultAgentName;
