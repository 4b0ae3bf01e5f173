import type { InferOutput } from '../schema/infer.ts';
import type { Fault } from '../tools/config-error.ts';
import { checkIsDefinition, type Tool, type ToolContext, type ToolDefinition, tool } from '../tools/tool.ts';
import { messageOf } from './tool-result.ts';

/** Definition of a tool with state. */
export interface StatefulDefinition<S, State, Out, Name extends string = string>
  extends Omit<ToolDefinition<S, Out, Name>, 'execute' | 'executor'> {
  /** Creates the state at the first call of a run, or of the process. */
  readonly create: () => State | Promise<State>;
  /**
   * Whether each run has its own state, or all runs of the process share one.
   * @default 'run'
   */
  readonly lifetime?: 'run' | 'process';
  /** The state as JSON, stored after each call. */
  readonly snapshot?: (state: State) => unknown;
  /** Creates the state from a snapshot, when a run continues without it, for example in another process. */
  readonly restore?: (snapshot: never) => State | Promise<State>;
  /** Disposes the state once: when the run ends, when it pauses on a worker, or before the process exits. */
  readonly dispose?: (state: State) => unknown;
  readonly execute: (state: State, input: InferOutput<S>, context: ToolContext) => Out | Promise<Out>;
}

/**
 * Creates a tool whose calls share state during a run: a shell, a browser, a database session.
 *
 * @example
 * statefulTool({
 *   name: 'count', description: 'Counts', inputSchema: z.object({ by: z.number() }),
 *   create: () => ({ sum: 0 }),
 *   execute: (state, { by }) => (state.sum += by),
 * })
 */
export function statefulTool<const S = undefined, State = unknown, Out = unknown, const Name extends string = string>(
  definition: StatefulDefinition<S, State, Out, Name>,
): Tool<InferOutput<S>, Out, Name, S> {
  checkIsDefinition(definition);
  const { create, dispose, lifetime = 'run', snapshot, restore, execute: run, ...rest } = definition;
  const key = {};
  const { name } = rest;
  const reopen = ({ earlier, note }: ToolContext): State | Promise<State> => {
    if (!earlier) return create();
    if (restore && earlier.snapshot !== undefined) return restore(earlier.snapshot as never);
    note(`The earlier state of ${name} was lost, so it starts from scratch.`);
    return create();
  };
  const executor = {
    kind: 'stateful',
    check: () => [
      ...faults({
        create,
        run,
        ...(dispose && { dispose }),
        ...(snapshot && { snapshot }),
        ...(restore && { restore }),
      }),
      ...(['run', 'process'].includes(lifetime) ? [] : [lifetimeFault(lifetime)]),
    ],
    async execute(input: unknown, context: ToolContext): Promise<unknown> {
      const state = (await (lifetime === 'process'
        ? processScope.use(key, create, dispose)
        : context.scope.use(key, () => reopen(context), dispose))) as State;
      try {
        return await run(state, input as InferOutput<S>, context);
      } finally {
        // Also after a failure, which may have changed the state.
        if (snapshot && lifetime === 'run') await save(snapshot, state, context);
      }
    },
  };
  return tool<S, Out, Name>({ ...(rest as ToolDefinition<S, Out, Name>), executor });
}

/** Stores a snapshot. The tool has already run, so its result stays if that fails. */
async function save<State>(
  snapshot: (state: State) => unknown,
  state: State,
  { saveSnapshot, note }: ToolContext,
): Promise<void> {
  try {
    saveSnapshot?.(await snapshot(state));
  } catch (error) {
    // An error is not stored as JSON, and takes the place of an earlier snapshot, which must not be restored.
    saveSnapshot?.(error);
    note(`The state of the tool could not be saved: ${messageOf(error)}`);
  }
}

const lifetimeFault = (lifetime: unknown): Fault => ({
  field: 'lifetime',
  message: `lifetime is ${JSON.stringify(lifetime)}`,
  fix: "Use 'run' or 'process'",
});

/** States shared by all runs of the process. They are disposed in reverse order before it exits. */
const processScope = {
  open: new Map<object, { thing: Promise<unknown>; close: ((thing: never) => unknown) | undefined }>(),
  use<T>(key: object, create: () => T | Promise<T>, close: ((thing: T) => unknown) | undefined): Promise<T> {
    const { open } = processScope;
    const known = open.get(key);
    if (known) return known.thing as Promise<T>;
    if (open.size === 0) process.once('beforeExit', () => void closeAll());
    const thing = Promise.resolve().then(create);
    open.set(key, { thing, close: close as ((thing: never) => unknown) | undefined });
    // The next call retries a state that could not be created.
    thing.catch(() => open.delete(key));
    return thing;
  },
};

async function closeAll(): Promise<void> {
  const opened = [...processScope.open.values()].reverse();
  processScope.open.clear();
  for (const { thing, close } of opened) await thing.then((state) => close?.(state as never)).catch(() => {});
}

const faults = (settings: Readonly<Record<string, unknown>>): Fault[] =>
  Object.entries(settings).flatMap(([field, value]) =>
    typeof value === 'function'
      ? []
      : [{ field, message: `${field} is not a function`, fix: `Set ${field} to a function` }],
  );
