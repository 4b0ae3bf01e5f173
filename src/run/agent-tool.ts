import { messageOf, pending } from '../execute/tool-result.ts';
import { hasCode, ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument } from '../json/value.ts';
import { pausedEnds, type ResumePolicy } from '../log/events.ts';
import { stateOf } from '../log/fold.ts';
import type { RedactRun } from '../log/journal.ts';
import type { RunState } from '../log/state.ts';
import type { Store } from '../log/store.ts';
import type { UserMessage } from '../model/index.ts';
import type { InferOutput } from '../schema/infer.ts';
import { checkIsDefinition, type Tool, type ToolContext, type ToolDefinition, tool } from '../tools/tool.ts';
import { type Agent, checkRun, newRunId } from './agent.ts';
import { keyedRunId } from './binding.ts';
import type { RunResult } from './loop.ts';
import type { Run } from './run.ts';
import type { ChildUsage } from './settle-calls.ts';

/** Definition of a tool that runs an agent. */
export interface AgentToolDefinition<S, Name extends string = string>
  extends Omit<ToolDefinition<S, unknown, Name>, 'execute' | 'executor' | 'repeat' | 'resultTimeout'> {
  /**
   * The message for the agent.
   * @default the argument `prompt`
   */
  readonly prompt?: (input: InferOutput<S>) => string | UserMessage;
  /**
   * The result of the call.
   * @default the agent's last text
   */
  readonly result?: (result: RunResult) => unknown;
}

const promptSchema = {
  type: 'object',
  properties: { prompt: { type: 'string', description: 'The task, with everything that is needed to do it' } },
  required: ['prompt'],
  additionalProperties: false,
} as const;

/** Hears of children that run in this process. */
interface ChildListener {
  /** Records what others have sent to it, before it is resumed. */
  resuming(child: string, redact: RedactRun): Promise<void>;
  ended(child: Run): void;
}

const running = new Map<string, Run>();
const listeners = new Set<ChildListener>();

/** Children that run in this process. They get commands by their id from the worker of their parent. */
export const activeChildren = {
  ids: (): Iterable<string> => running.keys(),
  get: (id: string): Run | undefined => running.get(id),
  /** Returns a function that stops it. */
  listen(listener: ChildListener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Waits for the end of a child, which others can reach meanwhile. */
async function endOf(child: Run): Promise<RunResult> {
  running.set(child.id, child);
  try {
    return await child.result;
  } finally {
    running.delete(child.id);
    for (const { ended } of listeners) ended(child);
  }
}

/** Runs above a child, at most: agents that call each other would never end. */
const deepest = 5;

/**
 * Creates a tool that runs an agent as a child of the run that calls it. The child has a log of its own with a link to
 * its parent, gets the parent's context, and is cancelled with it. Its usage counts for the parent. If its process ends,
 * the next one continues it. If it waits for approval or a result, so does the call, without a process.
 *
 * @example
 * const research = agentTool(researcher, { name: 'research', description: 'Researches a question' });
 * const writer = agent({ model, store, tools: [research] });
 */
export function agentTool<const S = typeof promptSchema, const Name extends string = string>(
  agent: Agent,
  definition: AgentToolDefinition<S, Name>,
): Tool<InferOutput<S>, unknown, Name, S> {
  checkArgument(typeof agent?.run === 'function', 'agent', 'an agent, such as agent() returns', agent);
  checkIsDefinition(definition);
  const { prompt = promptOf, result = textOf, inputSchema = promptSchema as S, ...rest } = definition;
  /** Children of calls in this process. Their parents hold those that wait in memory. */
  const open = new Map<string, WeakRef<Run>>();
  const collected = new FinalizationRegistry<string>((id) => {
    if (!open.get(id)?.deref()) open.delete(id);
  });
  /** A child that runs or has ended here. One that waits may have a decision in the log that this process doesn't know. */
  const known = (id: string): Run | undefined => {
    const child = open.get(id)?.deref();
    return child && !child.isHalted && (child.isActive || isOver(child)) ? child : undefined;
  };

  const start = async (
    id: string,
    input: InferOutput<S>,
    { context, run, callId, depth = 0, resumePolicy = 'any' }: ToolContext,
  ): Promise<Run> => {
    const child = known(id);
    if (child) return child;
    try {
      for (const { resuming } of listeners) await resuming(id, agent.redact);
      const resumed = await agent.resume(id, { ended: 'keep', policy: resumePolicy });
      // A child that was cancelled by its id stays so.
      return isOver(resumed) ? resumed : resumed.continue();
    } catch (error) {
      if (hasCode(error, 'agent_mismatch')) throw error;
      if (!hasCode(error, 'unknown_run')) throw storageFailure(id, error);
      const parent = run !== undefined && callId !== undefined ? { run, callId, depth: depth + 1 } : undefined;
      return agent.run(prompt(input), { id, context, ...(parent && { parent }) });
    }
  };
  /** Rejects if the log of the child could not be written, such as when another process has just resumed it. */
  const cancel = async (id: string, reason: string): Promise<ChildUsage> => {
    const child = known(id) ?? (await agent.resume(id, { ended: 'keep' }));
    open.delete(id);
    // The parent doesn't wait for it any more.
    notices.get(child)?.();
    if (!isOver(child)) {
      const { end, message } = await child.continue().stop(reason);
      if (end === 'storage') throw storageFailure(id, child.failure ?? message);
    }
    const { usage, cost } = child.state;
    return { usage, ...(cost !== undefined && { cost }) };
  };
  const childOf = (key: string): string => keyedRunId(agent.name, key);
  const executor = {
    kind: 'agent',
    childOf,
    checkChild: (id: string, policy: ResumePolicy) => checkRun(agent, id, policy),
    async execute(input: unknown, context: ToolContext): Promise<unknown> {
      const { signal, key, addUsage, scope, depth = 0 } = context;
      if (depth >= deepest) return { ok: false, error: `Agents can call each other at most ${deepest} levels deep.` };
      // The same each time the call runs, so that it finds the child of an earlier process.
      const id = key === undefined ? newRunId() : childOf(key);
      const child = await start(id, input as InferOutput<S>, context);
      open.set(id, new WeakRef(child));
      collected.register(child, id);
      const stop = (): void => {
        // The call ends now, before the child does.
        addUsage?.(child.state.usage, child.state.cost);
        child.abort(String((signal.reason as Error)?.message ?? signal.reason));
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const end = await endOf(child);
      signal.removeEventListener('abort', stop);
      if (end.end === 'storage') throw storageFailure(id, child.failure ?? end.message);
      if (pausedEnds.has(end.end) && !signal.aborted) {
        addUsage?.(end.usage, end.cost);
        const waiting = await scope.use(waitingChildren, () => new Map<string, Run>(), releaseAll);
        waiting.set(id, child);
        notifyAtEnd(child, context, () => waiting.delete(id));
        return pending(id);
      }
      open.delete(id);
      addUsage?.(end.usage, end.cost);
      signal.throwIfAborted();
      return end.end === 'done' ? result(end) : { ok: false, error: `${end.end}: ${end.message}` };
    },
    /** Cancels a child that waits for approval or a result, or whose process has ended. */
    cancel: (id: string, reason: string) => cancel(id, reason).catch(() => cancel(id, reason)),
  };
  agents.set(executor, agent);
  return tool<S, unknown, Name>({
    timeout: Number.POSITIVE_INFINITY,
    ...(rest as unknown as ToolDefinition<S, unknown, Name>),
    inputSchema,
    repeat: 'idempotent',
    executor,
  });
}

/** The agents that run as tools. */
const agents = new WeakMap<object, Agent>();

/** The agent of a run, given the agent of the first of its parents: that of the tool whose call started it. */
export async function agentOf(store: Store, { started }: RunState, top: Agent): Promise<Agent> {
  if (!started?.parent) return top;
  const parent = await stateOf(store, started.parent.run);
  const { name = '' } = parent.calls.get(started.parent.callId) ?? {};
  const executor = (await agentOf(store, parent, top)).toolbox.get(name)?.executor;
  return (executor && agents.get(executor)) ?? top;
}

/** Whether a run has ended, and doesn't only wait. */
const isOver = ({ isActive, state: { ended } }: Run): boolean =>
  !isActive && ended !== undefined && !pausedEnds.has(ended.end);

/** Key of the children of a run that wait. Their tools' resources are closed with those of their parent. */
const waitingChildren = {};

async function releaseAll(children: ReadonlyMap<string, Run>): Promise<void> {
  await Promise.all([...children.values()].map((child) => child.isActive || child.release()));
}

/** Stops the parent as well: whether its call has had an effect is known once the child is continued. */
const storageFailure = (id: string, cause: unknown): ToolmendError =>
  new ToolmendError('storage_failed', `The log of the child run ${id} could not be written: ${messageOf(cause)}`, {
    cause,
  });

/** Functions that stop telling the parents of children about their end. */
const notices = new WeakMap<Run, () => void>();

/** Continues the parent when a child that waits in this process has ended. */
function notifyAtEnd(child: Run, { again }: ToolContext, forget: () => void): void {
  const stop = child.on('end', ({ end }) => {
    if (pausedEnds.has(end)) return;
    stop();
    forget();
    // The log of a parent that can't continue has reported why.
    again?.().catch(() => {});
  });
  notices.set(child, stop);
}

const promptOf = (input: unknown): string => String((input as { readonly prompt?: unknown }).prompt ?? '');

const textOf = ({ text }: RunResult): string => text;
