import { retryGuidance } from '../call/retry-guidance.ts';
import { specOf } from '../call/spec-of.ts';
import type { Approver, Permissions } from '../exec/permission.ts';
import type { ResultOptions } from '../exec/result-part.ts';
import type { RunEvent } from '../log/event.ts';
import { fold } from '../log/fold.ts';
import { memoryStore } from '../log/memory-store.ts';
import { redactor } from '../log/redact.ts';
import type { Store } from '../log/store.ts';
import type { Policy } from '../tool/policy.ts';
import type { Tool } from '../tool/tool.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { Model, UserMessage } from '../turn/turn.ts';
import { type Budgets, settleBudgets } from './budgets.ts';
import { forkEvents } from './fork-events.ts';
import type { Hooks } from './hooks.ts';
import type { TraceOptions } from './loop-trace.ts';
import { newRunId } from './new-run-id.ts';
import { recover } from './recover.ts';
import { Run, type RunSettings } from './run.ts';
import { usedBudget } from './used-budget.ts';
import { userMessage } from './user-message.ts';

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
  readonly settings?: Readonly<Record<string, unknown>>;
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
 * for await (const event of run) if (event.type === 'text.grew') process.stdout.write(event.text);
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
    settings: options.settings ?? {},
    traces: options.traces === false ? undefined : (options.traces ?? {}),
    redact: options.redact === false ? undefined : (options.redact ?? redactor({ env: process.env })),
  };
}
