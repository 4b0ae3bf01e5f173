import { type CallSettled, pausedEnds, type RunEvent } from '../events.ts';
import { isAtRest, isOver, openCalls, stateOf } from '../fold.ts';
import { appendForLoaded } from '../journal.ts';
import type { CallRecord, RunState } from '../state.ts';
import { SequenceTaken, type Store } from '../store.ts';
import { abortedFact, settledFact } from './settled-fact.ts';

/** The runs above a child, from its parent up. Ends at one that was deleted. */
export async function* parentsOf(store: Store, { started }: RunState): AsyncGenerator<RunState> {
  for (let parent = started?.parent; parent; ) {
    const state = await stateOf(store, parent.run);
    if (state.seq === 0) return;
    yield state;
    parent = state.started?.parent;
  }
}

/** The run that workers take for a run: itself, or the first of its parents. Without its parent, a child is on its own. */
export async function rootOf(store: Store, run: RunState): Promise<RunState> {
  let root = run;
  for await (const parent of parentsOf(store, run)) root = parent;
  return root;
}

/**
 * Appends events of a run together with those that let its paused parents continue: a parent waits for the result of its
 * child, and runs the child when it continues. A process that died between the two would leave the parents waiting.
 */
export async function appendAndWake(store: Store, state: RunState, events: readonly RunEvent[]): Promise<void> {
  const { waking, isActive } = await wakeEvents(store, state);
  await appendForLoaded(store, [...events, ...waking]);
  // A parent that was active looks for ready children when it pauses, and may have done so before the append.
  if (isActive) await wakeAgain(store, state);
}

async function wakeAgain(store: Store, state: RunState): Promise<void> {
  const { waking } = await wakeEvents(store, state);
  try {
    if (waking.length > 0) await appendForLoaded(store, waking);
  } catch (error) {
    // Another process continues a parent.
    if (!SequenceTaken.isInstance(error)) throw error;
  }
}

/** The events that let paused parents continue, and whether another parent may be active. */
export async function wakeEvents(
  store: Store,
  child: RunState,
): Promise<{ readonly waking: readonly RunEvent[]; readonly isActive: boolean }> {
  const waking: RunEvent[] = [];
  let isActive = false;
  let link = child.started?.parent;
  for await (const { run, seq, calls, ended, started } of parentsOf(store, child)) {
    const { callId = '' } = link ?? {};
    const call = calls.get(callId);
    const mayWait = call && !call.result && !call.received;
    if (mayWait && call.state === 'result_required' && pausedEnds.has(ended?.end))
      waking.push({ type: 'result.received', callId, again: true, run, seq: seq + 1, at: Date.now() });
    else if (mayWait) isActive = true;
    link = started?.parent;
  }
  return { waking, isActive };
}

/** The calls of a run whose child runs can continue or have ended, though the run still waits for them. */
export async function readyChildren(
  store: Store,
  state: RunState,
  isAgent: (call: CallRecord) => boolean = () => true,
): Promise<readonly string[]> {
  const ready: string[] = [];
  for (const call of openCalls(state)) {
    if (call.state !== 'result_required' || call.received || !isAgent(call)) continue;
    const child = await startedChild(store, state.run, call);
    const isReady = child && (isOver(child) || !isAtRest(child) || (await readyChildren(store, child)).length > 0);
    if (isReady) ready.push(call.callId);
  }
  return ready;
}

/** What the child runs of a run's open calls have used, by call. */
export async function childUsage(
  store: Store,
  state: RunState,
): Promise<ReadonlyMap<string, Pick<CallSettled, 'usage' | 'cost'>>> {
  const used = new Map<string, Pick<CallSettled, 'usage' | 'cost'>>();
  for (const call of openCalls(state)) {
    const child = await startedChild(store, state.run, call);
    if (child) used.set(call.callId, { usage: child.usage, ...(child.cost !== undefined && { cost: child.cost }) });
  }
  return used;
}

/** The child run that a call has started, if it has. */
export async function startedChild(
  store: Store,
  run: string,
  { began, waiting }: CallRecord,
): Promise<RunState | undefined> {
  // Earlier versions recorded the child only as the key of the call.
  const id = began?.child ?? waiting?.key;
  const child = id === undefined ? undefined : await stateOf(store, id);
  return child?.started?.parent?.run === run ? child : undefined;
}

/** The events that end the child runs of a run's open calls, or of some, and their children. For runs that no process has. */
export async function childEnds(
  store: Store,
  state: RunState,
  why: string,
  calls: readonly CallRecord[] = openCalls(state),
): Promise<RunEvent[]> {
  const ends: RunEvent[] = [];
  for (const call of calls) {
    const child = await startedChild(store, state.run, call);
    if (!child || isOver(child)) continue;
    const used = await childUsage(store, child);
    const settled = openCalls(child).map((open) => ({ ...settledFact(open, why), ...used.get(open.callId) }));
    const facts = [...settled, abortedFact(why)];
    ends.push(...facts.map((fact, at) => ({ ...fact, run: child.run, seq: child.seq + 1 + at, at: Date.now() })));
    ends.push(...(await childEnds(store, child, why)));
  }
  return ends;
}
