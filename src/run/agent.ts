import { type Approver, checkPermissions, type Permissions } from '../execute/permission-rules.ts';
import type { ResultOptions } from '../execute/result-part.ts';
import { messageOf } from '../execute/tool-result.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, checkNames, isObject } from '../json/value.ts';
import { type AgentIdentity, pausedEnds, type ResumePolicy, type RunEvent, type RunStarted } from '../log/events.ts';
import { existingState, fold, isOver, openCalls, stateOf } from '../log/fold.ts';
import { isActive, type RedactRun } from '../log/journal.ts';
import { memoryStore } from '../log/memory-store.ts';
import { redactor } from '../log/redact/redact.ts';
import type { RunState } from '../log/state.ts';
import { existingEvents, SequenceTaken, type Store } from '../log/store.ts';
import { retryGuidance } from '../mend/feedback/feedback.ts';
import type { Message, Model, UserMessage } from '../model/index.ts';
import { checkPolicy } from '../tools/resolve-policy.ts';
import { type Policy, specOf, type Tool } from '../tools/tool.ts';
import { offeredTools, Toolbox } from '../tools/toolbox.ts';
import { bind, checkAgentName, checkResumePolicy, defaultAgentName, identify, keyedRunId } from './binding.ts';
import { type Budgets, settleBudgets, usedBudget } from './budgets.ts';
import { type RunSettings, userMessage } from './context.ts';
import { checkOutcomeListener } from './invoke/invoke.ts';
import type { Hooks, OutcomeListener } from './invoke/types.ts';
import { recover } from './recover.ts';
import { recordResult } from './results/record-result.ts';
import { checkResultUrls, type ResultUrls, resultUrl } from './results/result-url.ts';
import { Run } from './run.ts';
import { checkPrices, type Prices } from './steps/prices.ts';
import type { PrepareStep } from './steps/step.ts';
import type { StopCondition } from './steps/stop-when.ts';
import type { TraceOptions } from './tracing/loop-trace.ts';

/** Options of an agent. Only `model` is required. */
// biome-ignore lint/suspicious/noExplicitAny: the context of runs has the type that the caller names.
export interface AgentOptions<Context = any> {
  /**
   * Name of the agent. Its runs belong to it, also on other machines: letters, digits, dots, hyphens and underscores.
   * @default 'default'
   */
  readonly name?: string;
  readonly model: Model;
  readonly tools?: Toolbox | Iterable<Tool>;
  /** System message of the conversation. */
  readonly instructions?: string;
  /**
   * Whether to add advice on failed calls to the instructions.
   * @default true
   */
  readonly guidance?: boolean;
  /**
   * Where events are stored.
   * @default in memory
   */
  readonly store?: Store;
  readonly permissions?: Permissions;
  /** Called when the rules require approval. Without it, a run pauses until `run.approve()`. */
  readonly approve?: Approver;
  readonly hooks?: Hooks<Context>;
  /** Called with the outcome of each call, once it is checked. See `InvokeOptions`. */
  readonly onOutcome?: OutcomeListener;
  /** Called before each request to the model. It can trim the history, choose the model and the tools, or stop. */
  readonly prepareStep?: PrepareStep;
  /** Ends the run as `stopped` if a condition is met after a step with calls. */
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  /** Prices per million tokens by model, or a function, for the cost in results and traces. */
  readonly prices?: Prices;
  readonly policy?: Policy;
  readonly budgets?: Partial<Budgets>;
  /** Timeout of tools that don't set their own, in milliseconds. */
  readonly timeout?: number;
  readonly results?: ResultOptions;
  /** Creates URLs that accept results from outside, for `context.resultUrl`. */
  readonly resultUrls?: ResultUrls;
  /**
   * The dialect for calls in text if there are no native calls; false disables it.
   * @default 'auto'
   */
  readonly textCalls?: string | false;
  /**
   * Removes secrets from stored and published events; false disables it.
   * @default removes common forms of secrets
   */
  readonly redact?: RedactRun | false;
  /**
   * OpenTelemetry options; false creates no spans.
   * @default the global OpenTelemetry setup
   */
  readonly traces?: TraceOptions | false;
  /** Sent with every request: `temperature`, `maxTokens`, `reasoning` … */
  readonly modelSettings?: Readonly<Record<string, unknown>>;
}

/** Options of a new run. */
// biome-ignore lint/suspicious/noExplicitAny: the context of runs has the type that the caller names.
export interface StartOptions<Context = any> {
  readonly id?: string;
  /**
   * Data for tools, hooks, permissions and `redact`, such as the tenant and the user. It is stored, so that every process
   * that continues the run has it. Must be JSON without secrets.
   */
  readonly context?: Context;
  /**
   * The conversation before the run, such as `run.messages()` of an earlier one. The model sees it before the first
   * message. Each call in it needs its result, and none of them runs.
   */
  readonly history?: readonly Message[];
  /** Aborts the run, as `run.abort()` does. */
  readonly signal?: AbortSignal;
  /** The call of another run that starts this one, as `agentTool()` sets it. */
  readonly parent?: RunStarted['parent'];
}

/** Options of a submitted run. */
// biome-ignore lint/suspicious/noExplicitAny: the context of runs has the type that the caller names.
export interface SubmitOptions<Context = any> extends Omit<StartOptions<Context>, 'signal'> {
  /**
   * Idempotency key, instead of an id. Of several runs that the agent submits with the same key, only the first one is
   * stored.
   */
  readonly key?: string;
}

/** Options of `resume`. */
export interface ResumeOptions {
  /**
   * Whether to continue a run if the model, the instructions or the tools of the agent have changed since.
   * @default 'any'
   */
  readonly policy?: ResumePolicy;
  /**
   * What to do with a run that has ended, and doesn't only wait: `continue` prepares it for a message, and `keep` changes
   * nothing in its log. `result` is then how it ended.
   * @default 'continue'
   */
  readonly ended?: 'continue' | 'keep';
}

/** Starts and resumes runs. */
// biome-ignore lint/suspicious/noExplicitAny: the context of runs has the type that the caller names.
export interface Agent<Context = any> {
  readonly name: string;
  readonly toolbox: Toolbox;
  /** Removes secrets from stored and published events. */
  readonly redact: RedactRun;
  /** Starts a run. With a message, its loop starts immediately. */
  run(message?: string | UserMessage, options?: StartOptions<Context>): Run;
  /** Records a run with its message for a worker to run. Resolves to its id when it is stored. */
  submit(message: string | UserMessage, options?: SubmitOptions<Context>): Promise<string>;
  /**
   * Resumes a run whose process ended. Whether a call runs again depends on its tool. A run that is active or waits in this
   * agent is returned as it is, unless another process has continued it.
   *
   * @throws ToolmendError `agent_mismatch` if the run belongs to another agent, or the policy forbids it
   */
  resume(id: string, options?: ResumeOptions): Promise<Run>;
  /**
   * Gives a waiting call of a run its result and continues the run, in this process if no other one has it.
   *
   * @param call id of the call, or the key that its tool returned with `pending()`
   * @throws InvalidResult if the result doesn't match the tool's output schema; the call keeps waiting
   */
  complete(run: string, call: string, result: unknown): Promise<void>;
  /** Starts a new run with the events of another one, up to `seq`. */
  fork(id: string, seq?: number): Promise<Run>;
}

/**
 * Creates an agent from a model and tools.
 *
 * @example
 * const helper = agent({ model, tools: [readFile], instructions: 'You help with code.' });
 * const run = helper.run('What does a.ts do?');
 * for await (const event of run) if (event.type === 'text.delta') process.stdout.write(event.text);
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of runs has the type that the caller names.
export function agent<Context = any>(options: AgentOptions<Context>): Agent<Context> {
  const settings = settle(options);
  const { store, toolbox, binding, redact = (event) => event } = settings;
  const active = new ActiveRuns();
  const resuming = new Map<string, Promise<void>>();
  /** With the number of the last event that resuming them has written. */
  const resumed = new WeakMap<Run, number>();
  const load = async (id: string, { policy = 'any', ended = 'continue' }: ResumeOptions): Promise<Run> => {
    const events = await existingEvents(store, id);
    const state = fold(events);
    const here = active.get(id);
    const changed = await bindAll(here?.isActive ? here.state : state, settings, policy);
    if (here?.isActive) return here;
    // No other process has continued it. An approver is asked again.
    const isWaiting = here?.journal.seq === state.seq && pausedEnds.has(state.ended?.end) && !settings.invoke.approve;
    if (here && (isWaiting || resumed.get(here) === state.seq)) return here;
    const run = active.add(
      new Run(id, settings, state, {
        ...usedBudget(events, settings.budgets, settings.invoke.approve !== undefined),
        policy,
      }),
    );
    const hasEnded = state.ended !== undefined && !pausedEnds.has(state.ended.end);
    if (ended === 'keep' && hasEnded) return run;
    await recover(run, settings, changed);
    resumed.set(run, run.journal.seq);
    return run;
  };
  /** One after the other, because each writes to the log that it has read. */
  const resume: Agent['resume'] = async (id, options = {}) => {
    const { policy = 'any', ended = 'continue' } = options;
    checkResumePolicy(policy);
    checkArgument(['continue', 'keep'].includes(ended), 'ended', "'continue' or 'keep'", ended);
    const loading = (resuming.get(id) ?? Promise.resolve()).then(() => load(id, options));
    const settled = loading.then(
      () => {},
      () => {},
    );
    resuming.set(id, settled);
    try {
      return await loading;
    } finally {
      if (resuming.get(id) === settled) resuming.delete(id);
    }
  };
  const self: Agent = {
    toolbox,
    name: binding.name,
    redact,
    run(message, { id = newRunId(), context, history, signal, parent } = {}) {
      checkRunId(id);
      const isSignal = signal === undefined || typeof signal?.addEventListener === 'function';
      checkArgument(isSignal, 'signal', 'an AbortSignal', signal);
      if (isActive(store, id))
        throw new ToolmendError(
          'run_active',
          `Run ${id} is active. Send it a message, or start a run with another id.`,
        );
      const run = active.add(new Run(id, settings));
      run.begin({ context, history, ...(parent && { parent }) });
      if (message !== undefined) run.send(message);
      if (signal) abortWith(signal, run);
      return run;
    },
    async submit(message, options = {}) {
      const { key, context, history, id = key === undefined ? newRunId() : keyedRunId(binding.name, key) } = options;
      const isKey = key === undefined || (typeof key === 'string' && key !== '');
      checkArgument(isKey, 'key', 'a text that is not empty', key);
      if (key !== undefined && options.id !== undefined)
        throw new ToolmendError('invalid_option', 'Pass either a key or an id: the key determines the id of the run.');
      checkRunId(id);
      const run = new Run(id, settings);
      run.begin({ queued: true, context, history });
      run.journal.note({ type: 'message.added', message: userMessage(message) });
      await run.journal.commit().catch((error: unknown) => {
        // It was submitted with this key before.
        if (key === undefined || !SequenceTaken.isInstance(error)) throw error;
      });
      return id;
    },
    resume,
    async complete(id, call, result) {
      try {
        const run = active.get(id);
        if (run) return await run.complete(call, result);
      } catch (error) {
        // Another process has continued the run, and what the log has of it decides.
        if (!SequenceTaken.isInstance(error)) throw error;
      }
      // The run of another agent must not have a result that its sender hears was refused.
      bind(await existingState(store, id), binding, 'any');
      const tool = (name: string): Tool | undefined => toolbox.get(name);
      await recordResult(store, id, call, result, { tool, redact });
      (await resume(id)).continue();
    },
    async fork(id, seq) {
      const forked = newRunId();
      await store.append(forkEvents(await existingEvents(store, id), forked, seq, identify(binding)));
      const run = active.add(new Run(forked, settings, fold(await existingEvents(store, forked))));
      await recover(run, settings);
      return run;
    },
  };
  settingsOf.set(self, settings);
  return self;
}

const settingsOf = new WeakMap<Agent, RunSettings>();

/** Throws `agent_mismatch` if a policy doesn't let an agent continue a run that has started, or a child of it. */
export async function checkRun(agent: Agent, run: string, policy: ResumePolicy): Promise<void> {
  const settings = settingsOf.get(agent);
  const state = settings && (await stateOf(settings.store, run));
  if (settings && state && state.seq > 0 && !isOver(state)) await bindAll(state, settings, policy);
}

/** Whether an agent may continue a run, and the agents of its tools their children. */
async function bindAll(state: RunState, settings: RunSettings, policy: ResumePolicy): Promise<ReturnType<typeof bind>> {
  const changed = bind(state, settings.binding, policy, settings.redact);
  if (policy === 'any') return changed;
  for (const { name, began, waiting } of openCalls(state)) {
    const child = began?.child ?? waiting?.key;
    if (child !== undefined) await settings.toolbox.get(name)?.executor?.checkChild?.(child, policy);
  }
  return changed;
}

/** Aborts a run with a signal, which may outlive the run and must not hold it in memory. */
function abortWith(signal: AbortSignal, run: Run): void {
  const held = new WeakRef(run);
  const abort = (): void => held.deref()?.abort(messageOf(signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
}

/** The runs of an agent in this process. They can be collected as garbage. */
class ActiveRuns {
  readonly #runs = new Map<string, WeakRef<Run>>();
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (!this.#runs.get(id)?.deref()) this.#runs.delete(id);
  });

  add(run: Run): Run {
    const before = this.#runs.get(run.id)?.deref();
    // It can't continue any more, and its tools may hold a shell or a browser open.
    if (before && !before.isActive) void before.release();
    this.#runs.set(run.id, new WeakRef(run));
    this.#collected.register(run, run.id);
    return run;
  }

  /** The run, unless its log failed: then the store may have events that it doesn't know. */
  get(id: string): Run | undefined {
    const run = this.#runs.get(id)?.deref();
    return run?.isHalted ? undefined : run;
  }
}

/** The names of all options, which the compiler keeps in step with their type. */
const agentOptions: Readonly<Record<keyof AgentOptions, 1>> = {
  name: 1,
  model: 1,
  tools: 1,
  instructions: 1,
  guidance: 1,
  store: 1,
  permissions: 1,
  approve: 1,
  hooks: 1,
  onOutcome: 1,
  policy: 1,
  prepareStep: 1,
  stopWhen: 1,
  prices: 1,
  budgets: 1,
  timeout: 1,
  results: 1,
  resultUrls: 1,
  textCalls: 1,
  redact: 1,
  traces: 1,
  modelSettings: 1,
};

function settle(options: AgentOptions): RunSettings {
  checkArgument(isObject(options), 'options', '{ model, tools }', options);
  checkNames(options, Object.keys(agentOptions), 'option of agent()');
  const { model } = options;
  checkArgument(
    typeof model?.stream === 'function',
    'model',
    'an object with stream(), such as the one openai() returns',
    model,
  );
  const { tools = [], instructions, guidance = true, policy, hooks, permissions, approve, timeout, results } = options;
  const { onOutcome } = options;
  checkOutcomeListener(onOutcome);
  checkPolicy(policy);
  checkPermissions(permissions);
  const toolbox = tools instanceof Toolbox ? tools : new Toolbox(tools);
  const { resultUrls } = options;
  if (resultUrls) checkResultUrls(resultUrls);
  if (options.prices) checkPrices(options.prices);
  const { redact } = options;
  checkArgument(!redact || typeof redact === 'function', 'redact', 'a function or false', redact);
  const said = [instructions, guidance && toolbox.size > 0 && retryGuidance()].filter(Boolean).join('\n\n');
  const { name = defaultAgentName } = options;
  checkAgentName(name);
  const binding = { name, model, instructions: said, toolbox };
  return {
    model: options.model,
    toolbox,
    instructions: said === '' ? undefined : said,
    // Read for each request, because tools can be added, replaced or removed during a run.
    get tools() {
      return offeredTools(toolbox).map(specOf);
    },
    store: options.store ?? memoryStore(),
    binding,
    budgets: settleBudgets(options.budgets),
    invoke: { toolbox, policy, hooks, onOutcome, permissions, approve, timeout, results },
    prepareStep: options.prepareStep,
    stopWhen: [options.stopWhen ?? []].flat(),
    prices: options.prices,
    resultUrl: resultUrls && ((run, callId) => resultUrl(resultUrls, run, callId)),
    textCalls: options.textCalls ?? 'auto',
    settings: options.modelSettings ?? {},
    traces: options.traces === false ? undefined : (options.traces ?? {}),
    redact: options.redact === false ? undefined : (options.redact ?? redactor({ env: process.env })),
  };
}

/** The events of a run up to `until`, as the start of another run that records its origin. */
export function forkEvents(
  events: readonly RunEvent[],
  run: string,
  until = Number.POSITIVE_INFINITY,
  agent?: AgentIdentity,
): RunEvent[] {
  const shared = events.filter(({ seq }) => seq <= until);
  const last = shared.at(-1);
  if (!last) throw new ToolmendError('invalid_option', `Can't fork at event ${until}: the events of a run start at 1.`);
  const from = { run: last.run, seq: last.seq };
  return shared.map((event) => {
    if (event.type !== 'run.started') return { ...event, run };
    // A fork belongs to the caller: it is not queued, and no run waits for it.
    const { queued: _, parent: __, ...started } = event;
    return { ...started, run, from, ...(agent && { agent }) };
  });
}

/** Postgres has no text with NUL. */
const checkRunId = (id: unknown): void =>
  checkArgument(typeof id === 'string' && id !== '' && !id.includes('\0'), 'id', 'a text without NUL', id);

/** Creates an id for a new run. */
export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll('-', '')}`;
