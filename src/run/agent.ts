import type { Approver, Permissions } from '../execute/permission-types.ts';
import type { ResultOptions } from '../execute/result-part.ts';
import type { RunEvent } from '../log/events.ts';
import { fold, isInherited, openCalls } from '../log/fold.ts';
import { memoryStore } from '../log/memory-store.ts';
import { isRedacted, redactor } from '../log/redact/redact.ts';
import type { CallRecord } from '../log/state.ts';
import type { Store } from '../log/store.ts';
import { retryGuidance } from '../mend/feedback/feedback.ts';
import type { Model, UserMessage } from '../model/index.ts';
import { type Policy, specOf, type Tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { type Budgets, settleBudgets, usedBudget } from './budgets.ts';
import { userMessage } from './context.ts';
import { callKey } from './invoke/execute.ts';
import type { Hooks } from './invoke/types.ts';
import { Run, type RunSettings } from './run.ts';
import { settleInterrupted, settleRedacted } from './settle-calls.ts';
import type { TraceOptions } from './tracing/loop-trace.ts';

/** What an agent is made of. Only the model must be given. */
export interface AgentOptions {
  readonly model: Model;
  readonly tools?: Toolbox | Iterable<Tool>;
  /** What holds for the whole conversation. */
  readonly instructions?: string;
  /** False leaves the advice on failed calls out of the instructions. */
  readonly guidance?: boolean;
  /** Where events are kept; in memory unless it is said. */
  readonly store?: Store;
  readonly permissions?: Permissions;
  /** Asked where the rules ask; without one a run pauses until `run.approve()`. */
  readonly approve?: Approver;
  readonly hooks?: Hooks;
  readonly policy?: Policy;
  readonly budgets?: Partial<Budgets>;
  /** How long a tool may run that does not say so itself, in milliseconds. */
  readonly timeout?: number;
  readonly results?: ResultOptions;
  /** The dialect to look for in text when no native call came; `auto` unless it is said, false looks for none. */
  readonly textCalls?: string | false;
  /** Takes secrets out of what is written and published; the common forms unless it is said, false takes none. */
  readonly redact?: ((event: RunEvent) => RunEvent) | false;
  /** How runs show in OpenTelemetry; with the program's own set-up unless it is said, false makes no spans. */
  readonly traces?: TraceOptions | false;
  /** Passed on with every question: `temperature`, `maxTokens`, `reasoning` … */
  readonly modelSettings?: Readonly<Record<string, unknown>>;
}

/** Starts runs, and takes them up again. */
export interface Agent {
  readonly toolbox: Toolbox;
  /** Begins a run; with a message its loop starts at once. */
  run(message?: string | UserMessage, options?: { readonly id?: string }): Run;
  /** Records a run and its question, and leaves it to whoever takes it up; gives its id once it is on disk. */
  submit(message: string | UserMessage, options?: { readonly id?: string }): Promise<string>;
  /** Takes up a run whose process ended: each call goes on by what its tool says of itself. */
  resume(id: string): Promise<Run>;
  /** Begins a new run with another's events up to one of them. */
  fork(id: string, seq?: number): Promise<Run>;
}

/**
 * Makes an agent of a model and its tools.
 *
 * @example
 * const helper = agent({ model, tools: [readFile], instructions: 'You help with code.' });
 * const run = helper.run('What does a.ts do?');
 * for await (const event of run) if (event.type === 'text.delta') process.stdout.write(event.text);
 */
export function agent(options: AgentOptions): Agent {
  const settings = settle(options);
  const { store, toolbox } = settings;
  return {
    toolbox,
    run(message, { id = newRunId() } = {}) {
      const run = new Run(id, settings);
      run.begin();
      if (message !== undefined) run.send(message);
      return run;
    },
    async submit(message, { id = newRunId() } = {}) {
      const run = new Run(id, settings);
      run.begin({ queued: true });
      run.journal.note({ type: 'message.added', message: userMessage(message) });
      await run.journal.commit();
      return id;
    },
    async resume(id) {
      const events = await all(store, id);
      const run = new Run(id, settings, fold(events), usedBudget(events, settings.budgets));
      await recover(run, toolbox);
      return run;
    },
    async fork(id, seq) {
      const forked = newRunId();
      await store.append(forkEvents(await all(store, id), forked, seq));
      const run = new Run(forked, settings, fold(await all(store, forked)));
      await recover(run, toolbox);
      return run;
    },
  };
}

async function all(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  if (events.length === 0) throw new Error(`There is no run ${run} in this store. List the runs to find its id.`);
  return events;
}

function settle(options: AgentOptions): RunSettings {
  const { tools = [], instructions, guidance = true, policy, hooks, permissions, approve, timeout, results } = options;
  const toolbox = tools instanceof Toolbox ? tools : new Toolbox(tools);
  const said = [instructions, guidance && toolbox.size > 0 && retryGuidance()].filter(Boolean).join('\n\n');
  return {
    model: options.model,
    toolbox,
    instructions: said === '' ? undefined : said,
    // Read anew for each question: tools may be accepted, replaced or taken out while a run goes on.
    get tools() {
      return toolbox.list().map(specOf);
    },
    store: options.store ?? memoryStore(),
    budgets: settleBudgets(options.budgets),
    invoke: { toolbox, policy, hooks, permissions, approve, timeout, results },
    textCalls: options.textCalls ?? 'auto',
    settings: options.modelSettings ?? {},
    traces: options.traces === false ? undefined : (options.traces ?? {}),
    redact: options.redact === false ? undefined : (options.redact ?? redactor({ env: process.env })),
  };
}

/** The events of a run up to one of them, as the beginning of another run that remembers where it came from. */
export function forkEvents(events: readonly RunEvent[], run: string, until = Number.POSITIVE_INFINITY): RunEvent[] {
  const shared = events.filter(({ seq }) => seq <= until);
  const last = shared.at(-1);
  if (!last) throw new Error(`The run has no event ${until} to fork from. Its events begin at 1.`);
  const from = { run: last.run, seq: last.seq };
  return shared.map((event) => {
    if (event.type !== 'run.started') return { ...event, run };
    // Whoever forks a run works on it; it was not left to others.
    const { queued: _, ...started } = event;
    return { ...started, run, from };
  });
}

/**
 * Takes a run up whose process ended, or a fork of one. A call whose tool had not begun is left to run; so is one whose tool
 * had, where running it again does no harm: it only reads, or it knows its key. One that may have had an effect that must not
 * come twice gets its result from us: that it is not known. So does one whose arguments are not kept whole: it would run with
 * something else than was written.
 */
async function recover(run: Run, toolbox: Toolbox): Promise<void> {
  if (run.state.seq === 0) return;
  run.journal.note({ type: 'run.resumed' });
  for (const record of openCalls(run.state)) {
    if (record.decision?.type === 'deny') continue;
    if (!mayRun(record, run.id, toolbox)) run.journal.note(settleInterrupted(record));
    else if (isRedacted(given(record))) run.journal.note(settleRedacted(record));
    else if (isForked(run, record)) askAgain(run, record, toolbox);
  }
  await run.journal.commit();
}

/** What a call would run with. */
const given = ({ call, approval, decision }: CallRecord): unknown =>
  decision?.type === 'edit' ? decision.input : approval ? approval.input : call.arguments;

/** Whether a call that may run was allowed in another run, of which this one is a fork. */
const isForked = ({ state }: Run, { decision, audit }: CallRecord): boolean =>
  decision !== undefined && isInherited(state, audit.findLast((step) => step.state === 'approved')?.seq ?? 0);

/** An approval belongs to the run it was given in. */
function askAgain({ journal }: Run, { callId, name, approval, decision }: CallRecord, toolbox: Toolbox): void {
  const input = decision?.type === 'edit' ? decision.input : approval?.input;
  const effect = toolbox.get(name)?.effect ?? 'write';
  const reason = 'it was allowed in the run this one was forked from';
  journal.note({ type: 'approval.requested', callId, name, ...approval, input, effect, reason });
}

function mayRun({ state, name, key, callId, began }: CallRecord, run: string, toolbox: Toolbox): boolean {
  if (state !== 'executing') return true;
  const tool = toolbox.get(name);
  // What ran is what the tool was then; what would run is what it is now.
  if (tool?.effect === 'read' && (began?.effect ?? 'read') === 'read') return true;
  // A fork's calls run under keys of their own, by which nobody would know them again.
  const isKnown = tool?.repeat === 'idempotent' && (began?.repeat ?? 'idempotent') === 'idempotent';
  return isKnown && key === callKey(run, callId);
}

/** An id for a new run. */
export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll('-', '')}`;
