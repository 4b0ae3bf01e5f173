import { contextOf } from '../dialect/echo/context.ts';
import { echoPrompt } from '../dialect/echo/echo.ts';
import { mayContainCalls } from '../dialect/read-calls.ts';
import type { Approver } from '../execute/permission-rules.ts';
import { abandoned, untilAborted } from '../execute/run-tool.ts';
import { messageOf } from '../execute/tool-result.ts';
import type { Repair } from '../json/repair.ts';
import { ownCopy } from '../json/value.ts';
import { type Decision, type RunEnd, type RunFailure, runEnds } from '../log/events.ts';
import { history, needsReply, openCalls, readyCalls, recordedCalls, waitingCalls } from '../log/fold.ts';
import { isRedacted } from '../log/redact/redact.ts';
import type { CallRecord, RunState } from '../log/state.ts';
import { nudge } from '../mend/feedback/feedback.ts';
import { beforeCalls, splitCalls } from '../mend/mend-call.ts';
import type { Outcome } from '../mend/outcome.ts';
import type { AssistantPart, Part, TurnFailed, TurnResponse, Usage, UserMessage } from '../model/index.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { askModel, modelRequest, type NormalizedResponse, withOwnIds, withTextCalls } from './ask-model.ts';
import { hasOwnSteps, type RunContext, releaseStop, stopSignal, takeMessages } from './context.ts';
import { completeCall, mendCallPart } from './invoke/invoke.ts';
import { receiveResult, settleRecorded } from './invoke/receive-result.ts';
import type { InvokeOptions } from './invoke/types.ts';
import { continuedChild } from './recover.ts';
import { cancelCalls, cancelWaiting, settleWaiting } from './settle-calls.ts';
import { prepareStep } from './steps/prepare-step.ts';
import { costOf } from './steps/prices.ts';
import type { PreparedStep } from './steps/step.ts';
import { isMet } from './steps/stop-when.ts';

/** How a loop ended, with a message for the user. */
export interface LoopEnd {
  readonly end: RunEnd;
  readonly message: string;
  /** The errors that stopped it, if any did. */
  readonly errors?: readonly RunFailure[];
}

/** How the last loop of a run ended, as its log has it. */
export function loopEnd({ ended }: RunState): LoopEnd {
  if (!ended) return { end: 'done', message: 'No message has been sent yet' };
  const { end, message, errors } = ended;
  return { end, message, ...(errors && { errors }) };
}

/** How a loop ended, with the model's last text. */
export interface RunResult extends LoopEnd {
  /** The model's last text, or the result of the tool that ended the run. */
  readonly text: string;
  /** Number of model turns of the run. */
  readonly steps: number;
  /** Tokens that the run has used. */
  readonly usage: Usage;
  /** What they cost, if the agent has `prices`. */
  readonly cost?: number;
  /** All repairs of the run's calls. */
  readonly repairs: readonly CallRepair[];
}

/** A repair of a call. */
export type CallRepair = Repair & { readonly callId: string };

/**
 * The agent loop: sends a request, runs the calls and returns their results, until the model responds without a call or
 * a budget is used up. It depends only on the run's state, so it can stop and resume anywhere.
 */
export async function loop(context: RunContext): Promise<LoopEnd> {
  try {
    return await untilEnd(context);
  } finally {
    releaseStop(context);
  }
}

async function untilEnd(context: RunContext): Promise<LoopEnd> {
  for (;;) {
    if (context.signal.aborted) {
      if (recordedCalls(context.state).length > 0) {
        await settleRecorded(context.state, invokeOptions(context));
        continue;
      }
      await stopWaiting(context, messageOf(context.signal.reason));
      return committed(context, ended('aborted'));
    }
    const interrupted = context.interrupted();
    if (interrupted !== undefined) await stopWaiting(context, interrupted);
    const ready = [...readyCalls(context.state), ...unaskedCalls(context)];
    if (ready.length > 0) {
      await doCalls(context, ready);
      context.tally.count(ready);
      continue;
    }
    takeMessages(context);
    // Otherwise the request commits them.
    if (hasOwnSteps(context)) await context.journal.commit();
    if (context.signal.aborted) continue;
    if (openCalls(context.state).length > 0)
      return ended(waitingCalls(context.state).length > 0 ? 'awaiting_approval' : 'awaiting_result');
    const over = context.deadline?.aborted ? 'time' : context.tally.over();
    if (over) return committed(context, ended(over));
    if (!needsReply(context.state)) return committed(context, ended('done', 'There is no message to respond to'));
    if (finalCall(context.state, context.invoke.toolbox))
      return committed(context, ended('done', 'A tool ended the run'));
    if (context.stopWhen.length > 0 && hasNewResults(context.state)) {
      const isStopped = await untilAborted(isMet(context.stopWhen, context.state), stopSignal(context));
      if (isStopped === abandoned) continue;
      if (isStopped) return ended('stopped');
    }
    const end = await takeTurn(context);
    if (end) return end;
  }
}

/** Gives every pending call a result, once what it waits for is cancelled. */
async function stopWaiting(context: RunContext, why: string): Promise<void> {
  const open = openCalls(context.state);
  const used = await cancelWaiting(context.state, why, context.invoke.toolbox);
  settleWaiting(context, why, used);
  context.tally.spend(open.filter(({ result }) => result));
}

/** Stores the last results and messages before the run's resources are closed, which may take long. */
async function committed({ journal }: RunContext, end: LoopEnd): Promise<LoopEnd> {
  await journal.commit();
  return end;
}

/** Whether the last entry is the results of the last turn. */
const hasNewResults = ({ history: entries }: RunState): boolean => entries.at(-1)?.type === 'results';

/** A call of the last turn that ended the run, because its tool has `endsRun`. */
export function finalCall(state: RunState, toolbox: Toolbox): CallRecord | undefined {
  const last = state.history.at(-1);
  if (last?.type !== 'results') return undefined;
  const calls = last.callIds.map((id) => state.calls.get(id));
  return calls.find((call) => call?.state === 'completed' && toolbox.get(call.name)?.endsRun);
}

/** Pending calls whose approval was requested in a process that has ended. The approver is asked once. */
function unaskedCalls({ state, unasked, invoke }: RunContext): CallRecord[] {
  const calls = invoke.approve ? waitingCalls(state).filter(({ callId }) => unasked.has(callId)) : [];
  unasked.clear();
  return calls;
}

const ended = (end: RunEnd, message: string = runEnds[end]): LoopEnd => ({ end, message });

/** Runs one turn of the model. Returns the end if the loop is over. */
async function takeTurn(context: RunContext): Promise<LoopEnd | undefined> {
  const { tally, journal, state } = context;
  const step = context.prepareStep ? await prepareStep(context, context.prepareStep) : {};
  if (!step || 'end' in step) return step;
  tally.steps += 1;
  const answer = await askModel(context, step);
  const wasAsked = hasAsked(context);
  const { usage } = answer.response;
  tally.tokens += (usage?.input || 0) + (usage?.output || 0);
  const cost = context.prices && costOf(usage, step.model ?? context.model, context.prices);
  if (answer.type === 'turn.failed') return handleFailure(context, answer, cost);
  tally.modelErrors = 0;
  const { response, echo } = readable(context, answer.response, step);
  journal.note({ type: 'turn.completed', turn: state.turn, response, ...(cost !== undefined && { cost }) });
  for (const call of response.ignored ?? []) journal.note({ type: 'call.ignored', turn: state.turn, call });
  return afterAnswer(context, response, echo && !wasAsked);
}

/** Converts calls in text to calls, and makes ids unique. An empty response has no parts. */
function readable(context: RunContext, response: TurnResponse, step: PreparedStep): NormalizedResponse {
  const { response: read, echo } = withCalls(context, response, step);
  const { message } = read;
  if (!message.parts.some((part) => part.type === 'call' || part.type === 'refusal' || hasWords(part))) {
    return { response: { ...read, message: { ...message, parts: [] } }, echo };
  }
  return { response: withOwnIds(splitCalls(read, context.invoke.toolbox), usedIds(context.state)), echo };
}

/** The ids of the run's calls, and of those in the conversation before it. */
const usedIds = ({ calls, started }: RunState): { has(id: string): boolean } => ({
  has: (id) =>
    calls.has(id) ||
    !!started?.history?.some(({ parts }) => parts.some((part) => part.type === 'call' && part.id === id)),
});

function withCalls(context: RunContext, response: TurnResponse, step: PreparedStep): NormalizedResponse {
  const { textCalls: dialect } = context;
  // Text beside native calls is never read, and the request repeats the whole conversation.
  if (dialect === false || response.message.parts.some(({ type }) => type === 'call')) return { response, echo: false };
  const { model = context.model, messages: _, ...rest } = step;
  // A call may repeat a message that the hook has dropped.
  const asked = modelRequest(context, rest);
  if (!mayContainCalls(asked)) return { response, echo: false };
  const before = (): ReturnType<typeof contextOf> => contextOf(asked.messages);
  return withTextCalls(response, activeToolbox(context), { dialect, context: before, hosted: model.hosted === true });
}

/** Whether the last user message asks the model to confirm a call that it repeated. */
const hasAsked = ({ state }: RunContext): boolean => {
  const { history } = state;
  const last = history.findLastIndex((entry) => entry.type === 'message' && entry.message.role === 'assistant');
  return history
    .slice(last + 1)
    .some((entry) => entry.type === 'message' && entry.message.parts.some((part) => isEchoQuestion(part)));
};

const isEchoQuestion = (part: { readonly type: string; readonly text?: unknown }): boolean =>
  part.type === 'text' && part.text === echoPrompt;

/** Handles a failed turn. Nothing of it is recorded in the conversation, so it can be retried. */
async function handleFailure(
  { tally, journal, state, budgets, signal, deadline, inbox }: RunContext,
  answer: TurnFailed,
  cost: number | undefined,
): Promise<LoopEnd | undefined> {
  const { error, response } = answer;
  await journal.commit({ type: 'turn.failed', turn: state.turn, error, response, ...(cost !== undefined && { cost }) });
  const told = signal.aborted || deadline?.aborted || inbox.length > 0;
  // If the loop was stopped, it knows the reason. Otherwise the model stopped on its own.
  if (error.kind === 'aborted') return told ? undefined : ended('aborted');
  tally.modelErrors += 1;
  if (error.retryable && tally.modelErrors <= budgets.modelRetries) return undefined;
  return ended('model', error.message);
}

function afterAnswer(context: RunContext, response: TurnResponse, echo: boolean): LoopEnd | undefined {
  const { tally, inbox, budgets } = context;
  const { finish, message } = response;
  if (message.parts.some(({ type }) => type === 'call')) {
    tally.empty = 0;
    return undefined;
  }
  if (message.parts.some(({ type }) => type === 'refusal')) return ended('refused');
  if (finish === 'filter') return ended('filtered');
  if (finish === 'length') return ended('length');
  if (message.parts.some(hasWords)) {
    tally.empty = 0;
    // A call that only repeats text the model was shown may be a quote, so the model is asked once.
    if (echo) inbox.unshift({ role: 'user', parts: [{ type: 'text', text: echoPrompt }] });
    // A message arrived that the model hasn't received.
    return inbox.length > 0 ? undefined : ended('done');
  }
  tally.empty += 1;
  if (tally.empty >= budgets.emptyTurns) return ended('empty');
  inbox.unshift(nudgeOf(response, context));
  return undefined;
}

const hasWords = (part: AssistantPart): boolean =>
  part.type === 'text' ? part.text.trim() !== '' : part.type === 'media' || part.type === 'opaque';

function nudgeOf({ ignored }: TurnResponse, { tools }: RunContext): UserMessage {
  const text = nudge(ignored && tools.map(({ name }) => name));
  return { role: 'user', parts: [{ type: 'text', text }] };
}

/**
 * Runs the open calls of a response: in parallel up to the limit, but in order for calls that write to the same target.
 * Resolves when each has a result or is waiting for approval or a result from outside.
 */
async function doCalls(context: RunContext, calls: readonly CallRecord[]): Promise<void> {
  const options = invokeOptions(context);
  const order = new Map<string, Promise<unknown>>();
  const { finish, history: entries } = context.state;
  const last = entries.findLast((entry) => entry.type === 'results')?.callIds.at(-1);
  const ended = calls.map(async (record) => {
    if (record.state === 'result_required') return receiveResult(record, options);
    // A truncated message only invalidates its last call.
    const { decision, approval, callId } = record;
    const finishOf = callId === last ? finish : undefined;
    const decided = (): Decision | undefined => record.decision;
    const hasStarted = record.state === 'executing';
    const { outcome: continued, ...allowed } = (record.began && continuedChild(record, options.toolbox)) || {};
    const own = { ...options, decision, approval, ...allowed, decided, finish: finishOf, hasStarted };
    // Validators may pass parts of the arguments on to the tool, which may change them.
    const call = ownCopy(record.call);
    const outcome = continued ?? mendCallPart(call, own);
    const target = targetOf(
      decision?.type === 'edit' ? mendCallPart({ ...call, arguments: ownCopy(decision.input) }, own) : outcome,
    );
    const before = target === undefined ? undefined : order.get(target);
    const run = (before ?? Promise.resolve()).then(() => completeCall(call, outcome, own));
    if (target !== undefined)
      order.set(
        target,
        run.catch(() => {}),
      );
    await run;
    // It was denied or stopped before it reached its child, which nothing waits for any more.
    if (record.began?.child !== undefined && record.result && record.state !== 'completed')
      await cancelCalls([record], 'Its parent has ended the call', options.toolbox);
  });
  const results = await Promise.allSettled(ended);
  const broken = results.find((result) => result.status === 'rejected');
  if (broken) throw broken.reason;
}

function invokeOptions(context: RunContext): InvokeOptions {
  const { journal, tally, budgets, id, live, trace, state } = context;
  return {
    ...context.invoke,
    toolbox: activeToolbox(context),
    approve: context.invoke.approve && orElsewhere(context.invoke.approve, context),
    always: state.always,
    ...(context.resumePolicy && { resumePolicy: context.resumePolicy }),
    run: id,
    ...(state.started?.parent && { depth: state.started.parent.depth ?? 1 }),
    record: journal,
    signal: stopSignal(context),
    before: () => beforeCalls(contextOf(history(state))),
    attempt: (tool) => tally.tries(tool),
    gate: semaphore(budgets.parallel),
    live,
    wait: true,
    earlier: (tool) => earlierCalls(state, tool),
    // Code of the user between the call and the next commit could take long.
    isLast: (callId) => !hasOwnSteps(context) && openCalls(state).every((call) => call.callId === callId),
    resultUrl: context.resultUrl,
    again: context.again,
    within: trace && ((callId, work) => trace.withinCall(callId, work)),
  };
}

/** What a tool with state needs to know about the calls that it ran. A redacted snapshot can't be restored. */
function earlierCalls({ calls, snapshots }: RunState, tool: string): { snapshot?: unknown } | undefined {
  for (const call of calls.values()) {
    if (call.name !== tool || !hasRunBefore(call)) continue;
    const snapshot = snapshots?.[tool];
    return snapshot === undefined || isRedacted(snapshot) ? {} : { snapshot };
  }
  return undefined;
}

/** Whether a call ran before now. A failed one may have changed the state of its tool too. */
const hasRunBefore = ({ state, audit }: CallRecord): boolean => {
  const starts = audit.filter((step) => step.state === 'executing').length;
  return starts > (state === 'executing' ? 1 : 0);
};

/** The tools of the last turn. Calls to a tool that wasn't offered are refused. */
function activeToolbox({ state: { activeTools }, invoke: { toolbox } }: RunContext): Toolbox {
  if (!activeTools) return toolbox;
  const tools = toolbox.list().filter(({ name }) => activeTools.includes(name) || name === 'invalid');
  return new Toolbox(tools, { policy: toolbox.policy, validate: false });
}

/** Calls the approver, and aborts it if the decision arrives another way. */
const orElsewhere =
  (approve: Approver, { given, resting }: Pick<RunContext, 'given' | 'resting'>): Approver =>
  async (call, { signal }) => {
    const elsewhere = new AbortController();
    const decided = given(call.callId).then(() => {
      elsewhere.abort(new DOMException('The call was decided elsewhere', 'AbortError'));
      return undefined;
    });
    const asked = async (): Promise<Decision | undefined> =>
      approve(call, { signal: AbortSignal.any([signal, elsewhere.signal]) });
    return resting(() => Promise.race([asked(), decided]), signal);
  };

/** The target that a call writes to. Calls of one writing tool run in order unless the tool defines targets. */
function targetOf(outcome: Outcome): string | undefined {
  if (outcome.status === 'invalid' || outcome.tool.effect === 'read') return undefined;
  const { tool, value } = outcome;
  try {
    return tool.target ? tool.target(value) : `tool ${tool.name}`;
  } catch {
    return `tool ${tool.name}`;
  }
}

/** Limits concurrency to `room`, at least 1. Call the returned function when the work is done. */
function semaphore(room: number): () => Promise<() => void> {
  let free = Math.max(1, room);
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
}

/** The result of a run after its loop has ended. */
export function runResult(end: LoopEnd, state: RunState, toolbox: Toolbox): RunResult {
  const repairs = [...state.calls.values()].flatMap(({ callId, repairs }) =>
    repairs.map((repair) => ({ ...repair, callId })),
  );
  return {
    ...end,
    text: finalText(state, finalCall(state, toolbox)),
    steps: state.turn,
    usage: state.usage,
    repairs,
    ...(state.cost !== undefined && { cost: state.cost }),
  };
}

/** The result of the call that ended the run, or the model's last text. */
export function finalText(state: RunState, final: CallRecord | undefined): string {
  const last = history(state).findLast(({ role }) => role === 'assistant');
  return textOf(final?.result?.content ?? last?.parts ?? []);
}

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
