import type { Repair } from '../json/repair.ts';
import { checkArgument, equal, isObject, ownCopy } from '../json/value.ts';
import type { AssistantMessage, CallPart, Message, ResultPart, Usage } from '../model/index.ts';
import {
  type Approval,
  type ApprovalDecided,
  alwaysKey,
  pausedEnds,
  type RunEvent,
  type TurnCompleted,
} from './events.ts';
import { type CallRecord, type CallState, newRunState, type RunState } from './state.ts';
import { eventsOfRun, existingEvents, type Store } from './store.ts';

/** Folds events into the state of a run. */
export function fold(events: Iterable<RunEvent>, state: RunState = newRunState()): RunState {
  checkArgument(Symbol.iterator in Object(events), 'events', 'a list of events', events);
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Applies an event to the state of a run. Unknown calls and events only update the sequence number. */
export function applyEvent(state: RunState, event: RunEvent): void {
  checkIsState(state);
  checkArgument(isObject(event), 'event', 'an event of a run', event);
  state.run = event.run;
  state.seq = event.seq;
  const apply = steps[event.type] as ((state: RunState, event: RunEvent) => void) | undefined;
  apply?.(state, event);
}

type Steps = { readonly [T in RunEvent['type']]: (state: RunState, event: Extract<RunEvent, { type: T }>) => void };

const steps: Steps = {
  'run.started': (state, event) => {
    state.started = event;
    if (event.agent) state.agent = event.agent;
    for (const message of event.history ?? []) state.history.push({ type: 'message', message });
  },
  'run.resumed': (state, { agent }) => {
    if (agent) state.agent = agent;
    state.asking = false;
    reopen(state);
  },
  'attempt.failed': (state, { error, seq }) => {
    // The attempts of the original run don't count for a fork.
    if (isInherited(state, seq)) return;
    const { attempts } = state;
    attempts.failed += 1;
    attempts.withoutProgress += 1;
    attempts.errors = [...attempts.errors, error].slice(-mostErrors);
  },
  'run.ended': (state, event) => {
    state.ended = event;
    state.asking = false;
    if (event.end !== 'error' && event.end !== 'dead') forgetAttempts(state);
    if (isOver(state)) state.lastEnd = event.seq;
  },
  'message.added': (state, { message, command }) => {
    if (command !== undefined) state.commands.add(command);
    reopen(state);
    state.history.push({ type: 'message', message });
  },
  'turn.requested': (state, { turn, tools }) => {
    state.turn = turn;
    state.asking = true;
    delete state.activeTools;
    if (tools) state.activeTools = tools;
  },
  'turn.completed': answered,
  'turn.failed': (state, { response, cost }) => {
    state.asking = false;
    state.usage = sum(state.usage, response.usage);
    if (cost !== undefined) state.cost = (state.cost ?? 0) + cost;
  },
  'call.ignored': () => {},
  'call.accepted': (state, event) => judged(state, event, event.input),
  'call.mended': (state, event) => {
    judged(state, event, event.input);
    rewrite(state, event.callId, { name: event.name, arguments: event.input });
  },
  'call.refused': (state, event) => {
    const record = judged(state, event, typedInput(event.input, event.repairs));
    if (!record) return;
    const { problems, errorType, recommendations, result } = event;
    Object.assign(record, { problems, errorType, recommendations, result, error: problems[0]?.message ?? errorType });
    move(record, 'failed', event, errorType);
  },
  'approval.requested': (state, event) => {
    const record = state.calls.get(event.callId);
    if (!record) return;
    const { name, input, rule, reason, fingerprint, redacted } = event;
    record.approval = { name, input, reason, ...(rule !== undefined && { rule }), ...(fingerprint && { fingerprint }) };
    record.input = input;
    // A new request discards the previous decision.
    delete record.decision;
    const { call } = record.redacted ?? {};
    if (call || redacted) record.redacted = { ...(call && { call }), ...(redacted && { approval: true }) };
    move(record, 'approval_required', event, event.reason);
  },
  'approval.decided': (state, event) => {
    const record = state.calls.get(event.callId);
    if (event.command !== undefined) state.commands.add(event.command);
    if (record) record.decision = event.decision;
    if (record && event.redacted) record.redacted = { ...record.redacted, decision: true };
    if (event.decision.type === 'deny') return;
    settle(state, event, record?.approval);
    moveTo(state, 'approved', event, event.decision.by);
    if (event.decision.type !== 'edit') return;
    if (record) record.input = event.decision.input;
    rewrite(state, event.callId, { arguments: event.decision.input });
  },
  'call.denied': (state, event) => {
    const { reason: error, result } = event;
    answer(state, 'denied', event, { error, errorType: 'denied', result });
  },
  'tool.started': (state, event) => {
    const record = state.calls.get(event.callId);
    if (!record) return;
    record.key = event.key;
    const { effect, repeat, repeatable, child } = event;
    record.began = { effect, repeat, ...(repeatable && { repeatable }), ...(child !== undefined && { child }) };
    record.input = event.input;
    move(record, 'executing', event);
  },
  'result.requested': (state, event) => {
    const record = state.calls.get(event.callId);
    if (!record) return;
    const { key, timeout, expiresAt, schema, repeatable, input, at } = event;
    record.waiting = {
      since: at,
      ...(key !== undefined && { key }),
      ...(timeout !== undefined && { timeout }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(schema !== undefined && { schema }),
      ...(repeatable && { repeatable }),
    };
    record.input = input;
    charge(state, record, event);
    move(record, 'result_required', event, key);
  },
  'result.received': (state, event) => {
    const { callId, value, isContent, redacted, again } = event;
    const record = state.calls.get(callId);
    // Results of the original run don't count for a fork.
    if (isInherited(state, event.seq)) return;
    // The first result counts.
    if (record?.state !== 'result_required' || record.received) return;
    if (again) return move(record, 'executing', event);
    record.received = {
      ...(value !== undefined && { value }),
      ...(isContent && { isContent }),
      ...(redacted && { redacted }),
    };
  },
  'tool.finished': (state, event) => {
    const { ok, error, errorType, recommendations, result, name, snapshot, callId } = event;
    if (snapshot !== undefined) state.snapshots = { ...state.snapshots, [name]: snapshot };
    state.attempts.withoutProgress = 0;
    const record = state.calls.get(callId);
    if (record && event.redacted) record.redacted = { ...record.redacted, result: true };
    charge(state, record, event);
    answer(state, ok ? 'completed' : 'failed', event, {
      result,
      ...(error !== undefined && { error }),
      ...(errorType && { errorType }),
      ...(recommendations && { recommendations }),
    });
  },
  'tool.orphaned': (state, event) => {
    const record = state.calls.get(event.callId);
    if (record) move(record, record.state, event, 'The tool finished after its timeout');
  },
  'call.settled': (state, event) => {
    charge(state, state.calls.get(event.callId), event);
    answer(state, 'settled', event, { result: event.result }, event.was);
  },
};

/** Number of errors to keep of failed attempts. */
const mostErrors = 5;

function forgetAttempts({ attempts }: RunState): void {
  Object.assign(attempts, { failed: 0, withoutProgress: 0, errors: [] });
}

/** Continues a run that has ended. One that was dead has all of its attempts again. */
export function reopen(state: RunState): void {
  if (state.ended?.end === 'dead') forgetAttempts(state);
  delete state.ended;
}

/** Records an `always` decision. A fork doesn't inherit it. */
function settle(state: RunState, { decision, seq }: RunEvent<ApprovalDecided>, approval: Approval | undefined): void {
  if (decision.type !== 'allow' || !decision.always || isInherited(state, seq)) return;
  const { rule, fingerprint } = approval ?? {};
  if (rule !== undefined && fingerprint !== undefined) state.always.add(alwaysKey(rule, fingerprint));
}

/** Whether an event was inherited from the run that this one was forked from. */
export const isInherited = ({ started }: RunState, seq: number): boolean => seq <= (started?.from?.seq ?? 0);

function answered(state: RunState, event: RunEvent<TurnCompleted>): void {
  const { message, usage, finish } = event.response;
  state.asking = false;
  state.finish = finish;
  state.usage = sum(state.usage, usage);
  if (event.cost !== undefined) state.cost = (state.cost ?? 0) + event.cost;
  // Providers reject messages without parts in the history.
  if (message.parts.length === 0) return;
  state.history.push({ type: 'message', message });
  const calls = message.parts.filter((part) => part.type === 'call');
  for (const call of calls) {
    const { id: callId, name } = call;
    const audit = [{ state: 'pending' as const, at: event.at, seq: event.seq }];
    const record: CallRecord = {
      callId,
      turn: event.turn,
      name,
      state: 'pending',
      call,
      repairs: [],
      problems: [],
      audit,
      ...(event.redacted?.includes(callId) && { redacted: { call: true } }),
    };
    state.calls.set(callId, record);
  }
  if (calls.length > 0) state.history.push({ type: 'results', callIds: calls.map(({ id }) => id) });
}

function judged(
  state: RunState,
  { callId, name, repairs }: { callId: string; name: string; repairs: CallRecord['repairs'] },
  input: unknown,
): CallRecord | undefined {
  const record = state.calls.get(callId);
  return record && Object.assign(record, { name, repairs, input });
}

/** Input of a refused call, with the values that fit the schema in its types. The call itself stays as written. */
function typedInput(input: unknown, repairs: readonly Repair[]): unknown {
  const fitting = repairs.filter(({ path, after }) => path.length > 0 && after !== undefined);
  if (fitting.length === 0 || !isObject(input)) return input;
  const typed = ownCopy(input);
  for (const { path, before, after } of fitting) {
    const holder = path.slice(0, -1).reduce((value: unknown, key) => childOf(value, key), typed);
    const key = path.at(-1) as string | number;
    if (equal(childOf(holder, key), before)) (holder as Record<string | number, unknown>)[key] = after;
  }
  return typed;
}

const childOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;

function move(record: CallRecord, state: CallState, { at, seq }: RunEvent, note?: string): void {
  record.state = state;
  record.audit.push({ state, at, seq, ...(note !== undefined && { note }) });
}

function moveTo(state: RunState, to: CallState, event: RunEvent & { callId: string }, note?: string): void {
  const record = state.calls.get(event.callId);
  if (record) move(record, to, event, note);
}

function answer(
  state: RunState,
  to: CallState,
  event: RunEvent & { callId: string },
  known: Partial<CallRecord>,
  note?: string,
): void {
  const record = state.calls.get(event.callId);
  if (!record) return;
  Object.assign(record, known);
  move(record, to, event, note ?? known.error);
}

/** Updates the call in the history as it was mended or edited. */
function rewrite(state: RunState, callId: string, change: Partial<CallPart>): void {
  for (let at = state.history.length - 1; at >= 0; at -= 1) {
    const entry = state.history[at];
    if (entry?.type !== 'message' || entry.message.role !== 'assistant') continue;
    const { message } = entry;
    if (!message.parts.some((part) => part.type === 'call' && part.id === callId)) continue;
    const parts = message.parts.map((part) =>
      part.type === 'call' && part.id === callId ? { ...part, ...change } : part,
    );
    entry.message = { ...message, parts } as AssistantMessage;
    return;
  }
}

/** Counts what a call has used in all. What was known of it before, while it waited, is counted already. */
function charge(
  state: RunState,
  record: Pick<CallRecord, 'usage' | 'cost'> = {},
  { usage, cost }: Pick<CallRecord, 'usage' | 'cost'>,
): void {
  if (usage) {
    state.usage = sum(sum(state.usage, usage), record.usage, -1);
    record.usage = usage;
  }
  if (cost === undefined) return;
  state.cost = (state.cost ?? 0) + cost - (record.cost ?? 0);
  record.cost = cost;
}

const counted = ['input', 'output', 'cached', 'cacheWritten', 'reasoning'] as const;

function sum(a: Usage, b: Usage | undefined, sign: 1 | -1 = 1): Usage {
  if (!b) return a;
  const total: Record<string, number> = {};
  for (const key of counted)
    if (a[key] !== undefined || b[key] !== undefined) total[key] = (a[key] ?? 0) + sign * (b[key] ?? 0);
  return total;
}

/** The conversation as the model sees it. The results of one message's calls are in one message, in call order. */
export function history(state: RunState): Message[] {
  checkIsState(state);
  const { history: entries, calls } = state;
  const messages: Message[] = [];
  // Loops, because every request reads the whole history.
  for (const entry of entries) {
    if (entry.type === 'message') {
      messages.push(entry.message);
      continue;
    }
    const parts: ResultPart[] = [];
    for (const id of entry.callIds) {
      const result = calls.get(id)?.result;
      if (result) parts.push(result);
    }
    if (parts.length > 0) messages.push({ role: 'user', parts });
  }
  return messages;
}

/** Whether the last entry is a message or results that the model hasn't responded to. */
export function needsReply({ history: entries }: RunState): boolean {
  const last = entries.at(-1);
  return last?.type === 'results' || last?.message.role === 'user';
}

/** Calls without a result, in call order. */
export function openCalls(state: RunState) {
  checkIsState(state);
  const open: CallRecord[] = [];
  for (const call of state.calls.values()) if (!call.result) open.push(call);
  return open;
}

const checkIsState = (state: RunState): void =>
  checkArgument(state?.calls instanceof Map, 'state', 'the state of a run, such as fold() returns', state);

/** Open calls that can run, or whose result from outside arrived or is overdue. */
export const readyCalls = (state: RunState, now = Date.now()) =>
  openCalls(state).filter((call) => {
    if (call.state === 'approval_required') return call.decision !== undefined;
    return call.state !== 'result_required' || call.received !== undefined || isOverdue(call, now);
  });

/** Open calls whose result or denial is recorded, and only has to be given to the model. */
export const recordedCalls = (state: RunState) =>
  openCalls(state).filter(({ received, decision }) => received !== undefined || decision?.type === 'deny');

/** Whether the time limit of a call that waits for its result is over. */
export const isOverdue = ({ waiting }: CallRecord, now: number): boolean =>
  waiting?.expiresAt !== undefined && waiting.expiresAt <= now;

/** When the first time limit of a call that waits for its result is over. */
export function wakeTime(state: RunState): number | undefined {
  const times = openCalls(state).flatMap(({ state, waiting }) =>
    state === 'result_required' && waiting?.expiresAt !== undefined ? waiting.expiresAt : [],
  );
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Open calls that wait for a decision. */
export const waitingCalls = (state: RunState) =>
  openCalls(state).filter((call) => call.state === 'approval_required' && !call.decision);

/** Whether a run has ended, and neither waits nor will be retried by workers. */
export const isOver = ({ ended, started }: RunState): boolean =>
  ended !== undefined && !pausedEnds.has(ended.end) && !(ended.end === 'error' && started?.queued);

/** Whether a run has no work: it has ended, or waits for a decision or a result. Workers retry a queued run that an error stopped. */
export const isAtRest = (state: RunState): boolean => {
  const { ended, started } = state;
  if (ended?.end === 'dead') return true;
  if (ended?.end === 'error' && started?.queued) return false;
  return ended !== undefined && readyCalls(state).length === 0;
};

/** The state of a run in a store. A run without events doesn't exist. */
export const stateOf = async (store: Store, run: string): Promise<RunState> => fold(await eventsOfRun(store, run));

/** The same. Throws if the store doesn't have the run. */
export const existingState = async (store: Store, run: string): Promise<RunState> =>
  fold(await existingEvents(store, run));
