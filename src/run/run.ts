/** A run: one conversation with its loop, its log and its listeners. */

import { failureOf, messageOf } from '../execute/tool-result.ts';
import { checkArgument, isObject, ownCopy } from '../json/value.ts';
import { checkDecision } from '../log/control/decide-approval.ts';
import { settleInterrupted } from '../log/control/settled-fact.ts';
import { readyChildren } from '../log/control/wake-parents.ts';
import { type Decision, pausedEnds, type ResumePolicy, type RunEvent } from '../log/events.ts';
import { applyEvent, history as historyOf, openCalls, readyCalls, waitingCalls, wakeTime } from '../log/fold.ts';
import { Journal, type LoadedRun, registerLoaded, unregisterLoaded } from '../log/journal.ts';
import { type CallRecord, newRunState, type RunState } from '../log/state.ts';
import {
  callListeners,
  Hub,
  newListeners,
  notifyListeners,
  type RunListeners,
  type StreamedEvent,
  type WatchOptions,
  watch,
} from '../log/subscribe.ts';
import type { Message, UserMessage } from '../model/index.ts';
import { checkContext, identify, ofRun, safeOffset } from './binding.ts';
import { type Deadline, startDeadline, Tally, type UsedBudget } from './budgets.ts';
import { checkHistory } from './check-history.ts';
import {
  Alarm,
  type BeginOptions,
  closeWhenCollected,
  commandIds,
  Decisions,
  type RunContext,
  type RunScope,
  type RunSettings,
  runScope,
  takeMessages,
  userMessage,
} from './context.ts';
import { isStorageFailure } from './invoke/execute.ts';
import { checkEdit } from './invoke/invalid-edit.ts';
import { receivedResult } from './invoke/receive-result.ts';
import { finalCall, type LoopEnd, loop, loopEnd, type RunResult, runResult } from './loop.ts';
import { findWaiting, isWaiting, mayWait, notWaiting, rejectLate } from './results/record-result.ts';
import { LoopTrace } from './tracing/loop-trace.ts';

/**
 * One conversation and its events. Iterating it (`for await`) yields every event until the loop ends; `send()` resumes
 * it.
 */
export class Run implements AsyncIterable<StreamedEvent>, LoadedRun {
  readonly id: string;
  readonly state: RunState;
  readonly journal: Journal;
  readonly #settings: RunSettings;
  readonly #redact: ((event: RunEvent) => RunEvent) | undefined;
  readonly #hub = new Hub();
  readonly #inbox: UserMessage[] = [];
  readonly #listeners = newListeners();
  /** What its tools hold open. */
  readonly #open: { scope: RunScope } = { scope: runScope() };
  #stop = new AbortController();
  #interrupt = new AbortController();
  /** With which policy it was resumed. */
  readonly #policy: ResumePolicy | undefined;
  /** Why the loop gives pending calls a result before it goes on. */
  #interrupted: string | undefined;
  #looping: Promise<RunResult> | undefined;
  #last: RunResult | undefined;
  #deadline: Deadline | undefined;
  #failure: unknown;
  #trace: LoopTrace | undefined;
  readonly #decisions = new Decisions();
  /** Sequence number of the last published event. */
  #published: number;
  /** Usage since the last message to an idle run. Approvals and resuming don't reset it. */
  #tally: Tally | undefined;
  /** Whether the loop has ended, so that the next message starts a new count. */
  #isOver = false;
  /** Sequence number before the current or last loop. */
  #from: number;
  /** Calls that were pending when the run was resumed. The approver is asked about them once. */
  #unasked: Set<string> | undefined;
  /** Continues the run when a call has waited too long for its result. */
  readonly #alarm = new Alarm(() => {
    if (this.#looping) return;
    if (readyCalls(this.state).length > 0) this.#start();
    else this.#sleep();
  });

  constructor(
    id: string,
    settings: RunSettings,
    state: RunState = newRunState(id),
    used?: UsedBudget & { readonly policy: ResumePolicy },
  ) {
    checkArgument(isObject(settings), 'settings', 'those of an agent; use agent().run()', settings);
    this.id = id;
    this.state = state;
    this.#tally = used?.tally;
    this.#policy = used?.policy;
    this.#isOver = used?.isOver ?? false;
    this.#settings = settings;
    this.#from = state.seq;
    this.#published = state.seq;
    const redact = settings.redact && ofRun(settings.redact, this);
    this.#redact = redact;
    this.journal = new Journal(settings.store, {
      run: id,
      seq: state.seq,
      ...(redact && { redact }),
      apply: (event) => this.#apply(event),
      publish: (event) => this.#publish(event),
    });
    closeWhenCollected(this, this.#open);
    if (state.seq > 0) registerLoaded(settings.store, this, false);
  }

  /**
   * Records the start of the run, with its context, and whether it is queued for workers.
   *
   * @throws ToolmendError `unstorable_context` if the log would not store the context as it is
   */
  begin({ queued = false, context, parent, history }: BeginOptions = {}): void {
    const { model, instructions, tools, binding } = this.#settings;
    const stored = checkContext(context, this.#redact, this.id);
    const earlier = history && checkHistory(history);
    this.journal.note({
      type: 'run.started',
      model: { name: model.name, provider: model.provider },
      tools: tools.map(({ name }) => name),
      ...(tools.length > 0 && { specs: tools }),
      ...(instructions !== undefined && { instructions }),
      ...(queued && { queued }),
      ...(parent && { parent }),
      agent: identify(binding),
      ...(context !== undefined && { context: stored }),
      ...(earlier?.length && { history: earlier }),
    });
  }

  /** Adds a message. Starts the loop, or reaches the model after the results it is waiting for. */
  send(message: string | UserMessage): this {
    this.#inbox.push(userMessage(message));
    this.#start();
    return this;
  }

  /** Stops the current response, tools or approval, and continues with this message. */
  interrupt(message: string | UserMessage): this {
    const before = this.#interrupt;
    const reason = 'The user sent another message';
    this.#interrupt = new AbortController();
    this.#interrupted = reason;
    this.send(message);
    before.abort(new DOMException(reason, 'AbortError'));
    return this;
  }

  /**
   * Stops the run. Running tools are aborted, and every call still gets a result. Messages sent before stay in the
   * conversation; a later message resumes the run.
   */
  abort(reason = 'The run was stopped'): void {
    this.#stop.abort(new DOMException(reason, 'AbortError'));
    // A log failure is reported at the end of the loop.
    const keepMessages = async (): Promise<void> => {
      takeMessages({ inbox: this.#inbox, journal: this.journal });
      await this.journal.commit();
    };
    keepMessages().catch(() => {});
    if (!this.#looping && openCalls(this.state).length > 0) this.#begin();
  }

  stop(reason: string): Promise<RunResult> {
    this.abort(reason);
    return this.result;
  }

  learn(events: readonly RunEvent[]): (() => void) | undefined {
    if (this.#looping || events[0]?.seq !== this.journal.seq + 1) return undefined;
    const publish = this.journal.follow(events);
    if (events.some(({ type }) => type === 'run.ended')) {
      // It was cancelled.
      this.#last = undefined;
      this.#from = this.journal.seq;
      this.#alarm.set(undefined);
      void this.#close();
    }
    return publish;
  }

  /**
   * Decides an `approval.requested` and continues the run. Resolves when the decision is stored, which is before the
   * tool runs.
   *
   * @throws InvalidEdit if edited arguments don't match the tool's schema; the call stays pending
   */
  async approve(callId: string, given: Decision): Promise<void> {
    const decision = ownCopy(given);
    const record = this.state.calls.get(callId);
    if (record?.state !== 'approval_required' || record.decision || this.#isStopping)
      throw notWaiting(this.id, callId, 'approval');
    checkDecision(decision);
    const { toolbox, invoke } = this.#settings;
    if (decision.type === 'edit')
      checkEdit(record.approval?.name ?? record.name, decision.input, { toolbox, policy: invoke.policy });
    const command = commandIds.get(given);
    this.journal.note({ type: 'approval.decided', callId, decision, ...(command !== undefined && { command }) });
    await this.#continued(callId);
  }

  /**
   * Gives a call that waits for its result this result, and continues the run. Resolves when the result is stored. If
   * the tool is still running, waits until it returns `pending()`.
   *
   * @param call id of the call, or the key that its tool returned with `pending()`
   * @param result a value, `{ ok: false, error }` for a failure, or content from `toolOutput()`
   * @throws InvalidResult if the result doesn't match the tool's output schema; the call keeps waiting
   */
  async complete(call: string, result: unknown): Promise<void> {
    while (!findWaiting(this.state, call) && mayWait(this.state, call) && !this.isHalted) await this.#hub.next();
    const record = findWaiting(this.state, call);
    if (!record || this.#isStopping) throw notWaiting(this.id, call);
    this.journal.note(receivedResult(record, result, this.#settings.toolbox.get(record.name)));
    await this.#continued(record.callId);
  }

  /** Runs a call again that waits for its result. Without one, the process that waits for it has done so. */
  async #again(callId: string): Promise<void> {
    if (!isWaiting(this.state.calls.get(callId))) return;
    this.journal.note({ type: 'result.received', callId, again: true });
    await this.#continued(callId);
  }

  /** Continues with what a call waited for, and resolves when it is stored. */
  async #continued(callId: string): Promise<void> {
    this.#start();
    await this.journal.commit().catch((error: unknown) => rejectLate(error, this.#settings.store, this.id, callId));
  }

  /** Whether pending calls are about to get a result because of `abort()` or `interrupt()`. */
  get #isStopping(): boolean {
    return this.#stop.signal.aborted || this.#interrupted !== undefined;
  }

  /** Whether writing to the log failed. The run then can't continue in this object. */
  get isHalted(): boolean {
    return this.#last?.end === 'storage' || this.journal.failure !== undefined;
  }

  /** The error of the log, which the run or a child could not write. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Continues the run without a new message, for example after resuming it. */
  continue(): this {
    this.#start();
    return this;
  }

  /** Whether the loop is running. */
  get isActive(): boolean {
    return this.#looping !== undefined;
  }

  /** Resolves when the loop has ended; immediately if none is running. */
  get result(): Promise<RunResult> {
    const last = this.#last ?? runResult(loopEnd(this.state), this.state, this.#settings.toolbox);
    return this.#looping ?? Promise.resolve(last);
  }

  /** A copy of the complete conversation, including results. */
  messages(): Message[] {
    return historyOf(this.state).map((message) => ownCopy(message));
  }

  /** Copies of all calls with their results. */
  calls(): CallRecord[] {
    return [...this.state.calls.values()].map((call) => ownCopy(call));
  }

  on<K extends keyof RunListeners>(name: K, listener: RunListeners[K]): () => void {
    (this.#listeners[name] as Set<RunListeners[K]>).add(listener);
    return () => this.#listeners[name].delete(listener as never);
  }

  /**
   * Streams events of some channels: recorded ones after `after` first, then new ones. Continues after the loop has
   * ended.
   */
  watch(options: WatchOptions = {}): AsyncGenerator<StreamedEvent> {
    const { store } = this.#settings;
    return watch({ run: this.id, hub: this.#hub, store, published: this.#published }, options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedEvent> {
    if (!this.#looping && this.#last?.end === 'storage') {
      // This end is not in the log, so it is emitted here.
      for await (const event of this.#settings.store.read(this.id, this.#from)) yield event;
      return yield { type: 'run.halted', run: this.id, message: this.#last.message };
    }
    for await (const event of this.watch({ after: this.#from })) {
      yield event;
      if (event.type === 'run.ended' || event.type === 'run.halted') return;
    }
  }

  #apply(event: RunEvent): void {
    applyEvent(this.state, event);
    if (event.type === 'approval.decided') this.#decisions.arrived(event.callId);
    this.#trace?.hear(event);
  }

  #publish(event: RunEvent): void {
    this.#published = event.seq;
    this.#hub.publish(event);
    notifyListeners(event, this.state, this.#listeners);
  }

  #start(): void {
    if (this.#looping) return;
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
    this.#begin();
  }

  /** Continues a paused run when the time limit of a waiting call is over. */
  #sleep(): void {
    this.#alarm.set(this.#last && pausedEnds.has(this.#last.end) ? wakeTime(this.state) : undefined);
  }

  #begin(): void {
    this.#alarm.set(undefined);
    if (this.#last) this.#from = this.journal.seq;
    this.#unasked ??= new Set(waitingCalls(this.state).map(({ callId }) => callId));
    this.#looping = this.#loops();
  }

  async #loops(): Promise<RunResult> {
    let last: RunResult;
    const { store } = this.#settings;
    registerLoaded(store, this, true);
    // A model may use the run immediately, so the loop must have started.
    await null;
    for (;;) {
      const end = await this.#traced();
      last = runResult(end, this.state, this.#settings.toolbox);
      this.#last = last;
      if (end.end === 'storage') break;
      if (!this.#hasMore(end) && !(await this.#hasReadyChild(end)) && !this.#hasMore(end)) break;
      if (this.#stop.signal.aborted && !this.#mustStop(end)) this.#stop = new AbortController();
    }
    this.#looping = undefined;
    if (pausedEnds.has(last.end)) registerLoaded(store, this, false);
    else unregisterLoaded(store, this);
    this.#sleep();
    return last;
  }

  /** Whether a message, a decision or a request to stop arrived while the loop ended. */
  #hasMore(end: LoopEnd): boolean {
    return this.#inbox.length > 0 || readyCalls(this.state).length > 0 || this.#mustStop(end);
  }

  /** Whether a run that pauses must end instead, because it was aborted meanwhile. */
  #mustStop({ end }: LoopEnd): boolean {
    return this.#stop.signal.aborted && pausedEnds.has(end);
  }

  /**
   * Whether a child of a paused run can continue or has ended. Its decision or result arrived from another process while
   * this run was active, so that only the child's log has it.
   */
  async #hasReadyChild({ end }: LoopEnd): Promise<boolean> {
    if (!pausedEnds.has(end) || this.#stop.signal.aborted) return false;
    const { store, toolbox } = this.#settings;
    const isAgent = ({ name }: CallRecord): boolean => toolbox.get(name)?.executor?.kind === 'agent';
    const ready = await readyChildren(store, this.state, isAgent).catch(() => []);
    for (const callId of ready)
      if (isWaiting(this.state.calls.get(callId))) this.journal.note({ type: 'result.received', callId, again: true });
    return ready.length > 0;
  }

  async #traced(): Promise<LoopEnd> {
    const { traces, model, toolbox, settings } = this.#settings;
    const messages = (): Message[] => this.messages();
    const options = { state: this.state, model, toolbox, settings, messages, redact: this.#redact };
    const trace = traces && LoopTrace.start(traces, options);
    if (!trace) return this.#untilEnd();
    this.#trace = trace;
    const end = await trace.within(() => this.#untilEnd());
    this.#trace = undefined;
    trace.end(end);
    return end;
  }

  async #untilEnd(): Promise<LoopEnd> {
    try {
      const end = await loop(this.#context());
      const final = finalCall(this.state, this.#settings.toolbox)?.callId;
      this.#deadline?.close();
      if (!pausedEnds.has(end.end)) await this.#close();
      const wakeAt = pausedEnds.has(end.end) ? wakeTime(this.state) : undefined;
      const at = { ...(wakeAt !== undefined && { wakeAt }), ...(final !== undefined && { finalCall: final }) };
      await this.journal.commit({ type: 'run.ended', ...end, ...at });
      return end;
    } catch (error) {
      this.#deadline?.close();
      await this.#close();
      if (this.journal.failure !== undefined) return this.#halted(this.journal.failure);
      if (!isStorageFailure(error)) return this.#failed(error);
      await this.journal.commit().catch(() => {});
      return this.#halted(error);
    }
  }

  /** Ends a run that an error of the program stopped, such as one thrown by a `redact` function. */
  async #failed(error: unknown): Promise<LoopEnd> {
    const failure = failureOf(error);
    try {
      // A tool that was running may have had its effect, so it doesn't run again.
      for (const call of openCalls(this.state))
        if (call.state === 'executing') this.journal.note(settleInterrupted(call));
      const end = { end: 'error', message: `${failure.name}: ${failure.message}`, errors: [failure] } as const;
      await this.journal.commit({ type: 'run.ended', ...end });
      callListeners(this.#listeners.error, { phase: 'loop', message: end.message, detail: { cause: error } });
      return end;
    } catch {
      return this.#halted(this.journal.failure ?? error);
    }
  }

  /** Stops a run whose log can't be written. A run that is only in memory is not a success. */
  #halted(error: unknown): LoopEnd {
    this.#failure = isStorageFailure(error) ? error.cause : error;
    const message = isStorageFailure(error) ? error.message : `The log could not be written: ${messageOf(error)}`;
    callListeners(this.#listeners.error, { phase: 'storage', message, detail: { cause: error } });
    this.#hub.publish({ type: 'run.halted', run: this.id, message });
    return { end: 'storage', message };
  }

  /**
   * Closes the resources of the run's tools in this process. Called by workers when a run pauses; a later call opens new
   * ones.
   */
  async release(): Promise<void> {
    const { scope } = this.#open;
    this.#open.scope = runScope();
    for (const message of await scope.close()) {
      callListeners(this.#listeners.error, { phase: 'close', message, detail: {} });
    }
  }

  /** Closes the run's resources, and starts a new count with the next message. */
  async #close(): Promise<void> {
    this.#isOver = true;
    await this.release();
  }

  #context(): RunContext {
    const runs = this.#settings;
    const { resultUrl } = runs;
    const redact = this.#redact;
    if (!this.#tally || (this.#isOver && this.#inbox.length > 0)) this.#tally = new Tally(runs.budgets);
    this.#isOver = false;
    const deadline = startDeadline(this.#tally);
    this.#deadline = deadline;
    return {
      ...runs,
      id: this.id,
      get tools() {
        return runs.tools;
      },
      state: this.state,
      journal: this.journal,
      inbox: this.#inbox,
      tally: this.#tally,
      resumePolicy: this.#policy,
      unasked: this.#unasked ?? new Set(),
      deadline: deadline.signal,
      resting: deadline.resting,
      signal: this.#stop.signal,
      interrupt: () => this.#interrupt.signal,
      interrupted: () => {
        const reason = this.#interrupted;
        this.#interrupted = undefined;
        return reason;
      },
      invoke: { ...runs.invoke, scope: this.#open.scope, context: this.state.started?.context },
      given: (callId) => this.#decisions.of(callId),
      live: (event) => this.#hub.publishLive(event, redact),
      isHeard: () => this.#hub.isHeard,
      heldFrom: redact && safeOffset(redact, this.id),
      trace: this.#trace,
      again: (callId) => this.#again(callId),
      resultUrl: resultUrl && ((callId) => resultUrl(this.id, callId)),
    };
  }
}
