/**
 * The entry `toolmend/dispatch`: runs that any of many workers takes, and another takes over when it dies. The log stays the
 * only checkpoint; the queue knows no more than which runs wait.
 */

import { decideApproval } from '../../log/decide-approval.ts';
import type { Decision, RunEvent } from '../../log/events.ts';
import { fold } from '../../log/fold.ts';
import type { RunState } from '../../log/state.ts';
import type { Store } from '../../log/store.ts';
import type { UserMessage } from '../../model/index.ts';
import type { Agent } from '../agent.ts';
import { checkEdit } from '../invoke/invalid-edit.ts';
import { pgBossQueue } from './pg-boss-queue.ts';
import { sweep } from './sweep.ts';
import { type RunWorker, startWorker, type WorkerOptions } from './worker.ts';

export type { RunWorker, WorkerEvent, WorkerOptions } from './worker.ts';

/** What is dispatched, and where. */
export interface DispatchOptions {
  /** What runs; its store must be the same `store`, in a database that all workers reach. */
  readonly agent: Agent;
  readonly store: Store;
  /** The address of the Postgres that holds the queue. */
  readonly url: string;
  /** Told of what goes wrong between the queue and its database; it tries again by itself. */
  readonly onError?: (error: Error) => void;
}

/** Puts runs in, and takes them out to work on. */
export interface Dispatch {
  /** Records a run and its question, and puts it in; any worker may take it. */
  submit(message: string | UserMessage, options?: { readonly id?: string }): Promise<string>;
  /** Puts in a run that is recorded: one that waited for a person, was left over, or has ended and should go on. */
  add(run: string): Promise<void>;
  /** Says what a person decided about a call that waits, and puts its run in. */
  decide(run: string, callId: string, decision: Decision): Promise<void>;
  /** Takes runs, until it is stopped. */
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
export async function dispatch({ agent, store, url, onError }: DispatchOptions): Promise<Dispatch> {
  const queue = await pgBossQueue(url, onError);
  const workers = new Set<RunWorker>();
  return {
    async submit(message, options) {
      const run = await agent.submit(message, options);
      try {
        await queue.add([run]);
      } catch (error) {
        throw new Error(`The run ${run} is recorded, but not put in; add('${run}') does that.`, { cause: error });
      }
      return run;
    },
    async add(run) {
      const { seq, ended } = await stateOf(store, run);
      if (seq === 0) throw new Error(`There is no run ${run} in this store.`);
      // A run that has ended goes on because somebody says so here, and that too must be on record.
      if (ended && ended.end !== 'awaiting_approval')
        await store.append([{ type: 'run.resumed', run, seq: seq + 1, at: Date.now() }]);
      await queue.add([run]);
    },
    async decide(run, callId, decision) {
      const { name = '' } = (await stateOf(store, run)).calls.get(callId) ?? {};
      if (decision.type === 'edit') checkEdit(name, decision.input, { toolbox: agent.toolbox });
      await decideApproval(store, run, callId, decision);
      await queue.add([run]);
    },
    work(options = {}) {
      const known = { stateOf: (run: string) => stateOf(store, run), sweep: () => sweep(store, queue) };
      const worker = startWorker(agent, queue, { ...options, ...known });
      workers.add(worker);
      return worker;
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.stop()));
      await queue.close();
    },
  };
}

async function stateOf(store: Store, run: string): Promise<RunState> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return fold(events);
}
